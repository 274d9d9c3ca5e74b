use unstuck::Json;

use super::{arguments, is_harness, object_of};

fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}

#[test]
fn texts_of_the_harness_are_known_by_their_tags() {
    for text in [
        "<system-reminder>look here</system-reminder>",
        "<environment_context>\n  <cwd>/a</cwd>\n</environment_context>\n",
        "[Request interrupted by user]",
        "<note kind=\"a\">b</note>",
    ] {
        assert!(is_harness(text), "{text}");
    }
    for text in [
        "fix the <b>bold</b> text",
        "<b>bold</b> is wrong",
        "a < b",
        "<",
        "<>",
        "",
    ] {
        assert!(!is_harness(text), "{text}");
    }
}

#[test]
fn arguments_are_read_out_of_their_string() {
    let read = |text: &str| arguments(Some(json(text).view()));
    assert_eq!(read(r#""{\"b\":1,\"a\":2}""#), json(r#"{"a":2,"b":1}"#));
    assert_eq!(read(r#"{"a":2}"#), json(r#"{"a":2}"#));
    assert_eq!(read(r#""{broken""#), Json::string("{broken"));
    assert_eq!(read("\"\""), Json::empty_object());
    assert_eq!(read("null"), Json::empty_object());
    assert_eq!(arguments(None), Json::empty_object());
}

#[test]
fn an_object_has_its_member() {
    assert_eq!(
        object_of("a \"b\"", &Json::string("c\n")),
        json(r#"{"a \"b\"":"c\n"}"#)
    );
}
