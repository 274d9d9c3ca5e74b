use super::*;

#[test]
fn numbers_in_quotes_lists_and_limits_are_not_stated() {
    let message = "12 of the last 20 calls failed, `run 7` and \"8\" and 'x 9'. More than 4.\n  1. a 5\n  2. b\nIt's 3's.";
    let (text, quoted) = without_quotes(message);
    assert_eq!(quoted, ["`run 7`", "\"8\"", "'x 9'", "  1. a 5", "  2. b"]);
    assert_eq!(stated(&text), [12, 4, 3]);
    assert_eq!(stated("more than 4 within 60 seconds, v1.2 and 3."), [3]);
    assert_eq!(
        share(&text).map(|(count, window, _)| (count, window)),
        Some((12, 20))
    );
}

fn step(error: bool, args: &str) -> Step {
    let line = format!(r#"{{"role":"assistant","tool":"bash","error":{error},"args":{args}}}"#);
    serde_json::from_str(&line).unwrap()
}

fn run(errors: &[bool]) -> Trajectory {
    Trajectory {
        id: "r".into(),
        set: "s".into(),
        task: None,
        label: crate::label::Label::default(),
        steps: errors
            .iter()
            .map(|error| step(*error, r#"{"command":"make test"}"#))
            .collect(),
    }
}

#[test]
fn shares_and_rows_are_counted_again() {
    let run = run(&[true, false, true, true]);
    let right = |to, text, repeats| numbers_are_right(&run, 3, to, text, repeats);
    assert!(right(To::Result, "3 of the last 20 calls failed.", 3));
    assert!(!right(To::Result, "4 of the last 20 calls failed.", 4));
    assert!(right(
        To::Result,
        "4 of the last 4 calls failed or returned nothing new",
        4
    ));
    assert!(right(To::Call, "2 of the last 20 calls failed.", 2));
    assert!(right(To::Result, "2 calls in a row failed", 2));
    assert!(!right(To::Result, "3 calls in a row failed", 3));
    assert!(right(
        To::Result,
        "was called 4 times with the same arguments",
        4
    ));
    assert!(!right(
        To::Result,
        "was called 3 times with the same arguments",
        3
    ));
    assert!(right(
        To::Call,
        "was called 3 times with the same arguments",
        3
    ));
    assert!(
        !right(To::Result, "5 attempts", 4),
        "held against `repeats`"
    );
    assert!(right(To::Result, "no number at all", 4));
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
