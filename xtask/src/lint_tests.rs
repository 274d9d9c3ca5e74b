use super::*;

fn message(reason: &str, text: &str, code: &str) -> String {
    format!(
        r#"{{"reason":"{reason}","message":{{"message":"{text}","code":{code},"level":"warning","spans":[],"rendered":"warning: {text}\n"}}}}"#
    )
}

#[test]
fn a_warning_is_counted_and_the_line_that_counts_warnings_is_not() {
    let lint = r#"{"code":"clippy::all","explanation":null}"#;
    assert_eq!(
        diagnostic(&message("compiler-message", "needless borrow", lint)).as_deref(),
        Some("warning: needless borrow\n")
    );
    assert_eq!(
        diagnostic(&message("compiler-message", "unknown lint group", "null")).as_deref(),
        Some("warning: unknown lint group\n")
    );
    assert_eq!(
        diagnostic(&message("compiler-message", "2 warnings emitted", "null")),
        None
    );
    assert_eq!(
        diagnostic(&message("compiler-artifact", "needless borrow", lint)),
        None
    );
    assert_eq!(diagnostic("not JSON"), None);
}
