use std::borrow::Cow;

use super::readable;

#[test]
fn what_is_right_is_not_copied() {
    for text in [
        r#"{"a":"\ud83d\ude00 NaN Infinity \\ud83d \u00e9","b":[1,null]}"#,
        "",
        "[1,2",
        r#"{"a":"cut \ud8"#,
        r#"{"a":"cut \"#,
    ] {
        assert!(matches!(readable(text.as_bytes()), Cow::Borrowed(same) if same == text));
    }
}

#[test]
fn numbers_that_json_does_not_have_are_null() {
    assert_eq!(
        readable(br#"{"a":NaN,"b":[-Infinity,Infinity],"NaN":"NaN"}"#),
        r#"{"a":null,"b":[null,null],"NaN":"NaN"}"#
    );
}

#[test]
fn invalid_utf8_is_survived() {
    assert_eq!(readable(b"[\"\xff\"]"), "[\"\u{fffd}\"]");
}
