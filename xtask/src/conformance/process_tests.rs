use super::*;

#[test]
fn a_broken_line_asks_for_exit_code_two() {
    assert_eq!(wanted_exit_code(&[json!({"verdict": "allow"})]), 0);
    let decisions = [json!({"verdict": "allow"}), json!({"error": "bad"})];
    assert_eq!(wanted_exit_code(&decisions), 2);
}

#[test]
fn a_line_that_is_no_json_stands_as_an_error() {
    assert_eq!(parse("oops"), json!({"error": "not JSON: oops"}));
}

#[test]
fn a_wrong_line_number_is_noticed_and_a_missing_one_is_not() {
    let right = [
        json!({"line": 1}),
        json!({"verdict": "allow"}),
        json!({"line": 3}),
    ];
    assert_eq!(misnumbered(&right), None);
    let wrong = [json!({"line": 1}), json!({"line": 3})];
    assert_eq!(
        misnumbered(&wrong),
        Some("decision 2 carries line 3".to_owned())
    );
}

#[test]
fn a_missing_binary_is_a_remark() {
    let reply = Guard::new(Path::new("no-such-binary")).decide("standard", &[]);
    assert!(reply.decisions.is_empty());
    assert!(reply.remarks[0].starts_with("cannot run no-such-binary: "));
}
