use super::*;

const KEY: [u8; 32] = [7; 32];

#[test]
fn half_characters_are_repaired_and_whole_ones_kept() {
    let input = br#"{"a":"cut \ud83d","b":"\ud83d\ude00","c":"\\ud83d","d":"\udc00x"}"#;
    let json = parse(input, &KEY).unwrap();
    let payload = Payload::of(json.view());
    assert_eq!(payload.text("a").unwrap(), "cut \u{fffd}d83d");
    assert_eq!(payload.text("b").unwrap(), "😀");
    assert_eq!(payload.text("c").unwrap(), "\\ud83d");
    assert_eq!(payload.text("d").unwrap(), "\u{fffd}dc00x");
}

#[test]
fn bytes_that_are_no_text_do_not_hide_the_rest() {
    let json = parse(b"{\"session_id\":\"s\",\"x\":\"\xff\"}", &KEY).unwrap();
    assert_eq!(&*Payload::of(json.view()).boxed("session_id").unwrap(), "s");
}

#[test]
fn only_objects_are_inputs() {
    assert_eq!(parse(b"[]", &KEY), Err(DecodeError::NoObject));
    assert!(matches!(parse(b"{", &KEY), Err(DecodeError::NotJson(_))));
    assert!(matches!(parse(b"", &KEY), Err(DecodeError::NotJson(_))));
}

#[test]
fn both_spellings_of_a_moment_are_the_same_moment() {
    let json = parse(
        br#"{"a":1794724945415,"b":"2026-11-15T06:42:25.415Z","c":"soon"}"#,
        &KEY,
    )
    .unwrap();
    let payload = Payload::of(json.view());
    assert_eq!(payload.stamp("a"), Some(1_794_724_945_415));
    assert_eq!(payload.stamp("b"), payload.stamp("a"));
    assert_eq!(payload.stamp("c"), None);
    assert_eq!(milliseconds("1970-01-01T00:00:00Z"), Some(0));
    assert_eq!(
        milliseconds("2024-02-29T12:00:00.5Z"),
        Some(1_709_208_000_500)
    );
}

#[test]
fn members_can_be_left_out() {
    let json =
        Json::parse(r#"{"command":"ls","description":"list","x":{"description":1}}"#).unwrap();
    assert_eq!(
        without(&json, &["description"]).as_str(),
        r#"{"command":"ls","x":{"description":1}}"#
    );
    assert_eq!(without(&json, &["other"]), json);
}

#[test]
fn arguments_may_come_as_text() {
    let json = parse(br#"{"a":"{\"x\":1}","b":{"x":1},"c":"plain"}"#, &KEY).unwrap();
    let payload = Payload::of(json.view());
    assert_eq!(payload.args("a"), payload.args("b"));
    assert_eq!(payload.args("c"), Json::string("plain"));
    assert_eq!(payload.args("none"), Json::empty_object());
}
