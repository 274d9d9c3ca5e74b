use super::*;

#[test]
fn numbers_in_quotes_and_lists_are_not_stated() {
    let message = "12 of the last 20 calls failed, `run 7` and \"8\" and 'x 9'. More than 4.\n  1. a 5\n  2. b\nIt's 3's.";
    let (text, quoted) = without_quotes(message);
    assert_eq!(quoted, ["`run 7`", "\"8\"", "'x 9'", "  1. a 5", "  2. b"]);
    assert_eq!(
        text.split_whitespace().collect::<Vec<_>>().join(" "),
        "12 of the last 20 calls failed, and and . More than 4. It's 3's."
    );
}

fn step(error: bool, args: &str) -> Step {
    let line = format!(r#"{{"role":"assistant","tool":"bash","error":{error},"args":{args}}}"#);
    serde_json::from_str(&line).unwrap()
}

#[test]
fn a_call_is_named_by_its_file_or_the_first_words() {
    assert_eq!(
        argument(&step(false, r#"{"command":"view","path":"/a/b.py"}"#)),
        ["b.py"]
    );
    assert_eq!(
        argument(&step(false, r#"{"command":"cd /w && bash make test"}"#)),
        ["make", "test"]
    );
    assert_eq!(argument(&step(false, r#""one two""#)), ["one", "two"]);
    assert!(argument(&step(false, r#"{"id":7}"#)).is_empty());
}
