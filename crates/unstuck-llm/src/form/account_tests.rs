use super::*;

#[test]
fn numbers_are_added_and_the_rest_is_the_later_answers() {
    let first = r#"{"input_tokens":10,"details":{"cached":4,"tier":"a"},"only":1,"cost":0.5}"#;
    let second = r#"{"input_tokens":5,"details":{"cached":2,"tier":"b"},"new":null,"cost":0.25}"#;
    assert_eq!(
        sum(first, second),
        r#"{"cost":0.75,"details":{"cached":6,"tier":"b"},"input_tokens":15,"only":1,"new":null}"#
    );
}

#[test]
fn a_later_account_of_one_answer_replaces_and_another_answer_adds() {
    let mut account = Account::default();
    assert_eq!(account.total(), None);
    account.add(r#"{"input_tokens":100,"output_tokens":1}"#);
    account.add(r#"{"output_tokens":20}"#);
    account.next();
    assert_eq!(
        account.total().as_deref(),
        Some(r#"{"input_tokens":100,"output_tokens":20}"#)
    );
    account.add(r#"{"input_tokens":110,"output_tokens":30}"#);
    assert_eq!(
        account.total().as_deref(),
        Some(r#"{"input_tokens":210,"output_tokens":50}"#)
    );
}
