use super::*;

fn of(json: &str) -> Box<str> {
    excerpt(Some(&Json::parse(json).unwrap())).unwrap()
}

#[test]
fn a_result_is_quoted_by_its_beginning() {
    assert_eq!(&*of(r#""all there is\nin a.py""#), "all there is in a.py");
    assert_eq!(
        &*of(r#"{"stdout":"","stderr":"no such file"}"#),
        "no such file"
    );
    assert_eq!(
        &*of(r#"{"content":[{"type":"text","text":"17 hits"}]}"#),
        "17 hits"
    );
    assert_eq!(&*of(r#"{"hits":17}"#), r#"{"hits":17}"#);
    let long = of(&format!("\"{}\"", "é".repeat(5_000)));
    assert!(long.ends_with('…') && long.chars().count() <= 80, "{long}");
}

#[test]
fn what_codex_writes_before_an_output_is_left_out() {
    let head = r"Chunk ID: a4f3e2\nWall time: 0.2 seconds\nProcess exited with code 1\nOriginal token count: 9\nOutput:\n";
    assert_eq!(
        &*of(&format!("\"{head}error: no such file\"")),
        "error: no such file"
    );
    let older = r#""Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno rule to make target""#;
    assert_eq!(&*of(older), "no rule to make target");
    // Without any output it says how the command ended.
    assert!(of(&format!("\"{head}\"")).contains("exited with code 1"));
    let own = r#""3 files\nOutput:\na b c""#;
    assert_eq!(&*of(own), "3 files Output: a b c");
}

#[test]
fn no_output_is_an_empty_text() {
    for json in ["null", "\"\"", "\" \\n \""] {
        assert_eq!(&*of(json), "", "{json}");
    }
    assert_eq!(excerpt(None).as_deref(), Some(""));
}

#[test]
fn secrets_and_our_own_messages_are_left_out() {
    let secret = of(r#""token ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5 expired""#);
    assert!(!secret.contains("aB3dE5"), "{secret}");
    assert_eq!(
        &*of(r#""17 hits\n[unstuck] Warning: stop.\nfound in a.py""#),
        "17 hits found in a.py"
    );
    let cycle = r#""[unstuck] The same 2 calls:\n  1. a\n  2. b\nLeave the cycle.\npage 1""#;
    assert_eq!(&*of(cycle), "page 1");
}

#[test]
fn a_result_that_is_only_our_message_is_not_an_empty_one() {
    let note = Json::parse(r#""[unstuck] nothing but a note\n""#).unwrap();
    assert_eq!(excerpt(Some(&note)), None);
}
