use super::*;

fn added(line: &str, structured: Structured) -> String {
    String::from_utf8(add_text(line.as_bytes(), "a \"b\"", structured).unwrap()).unwrap()
}

#[test]
fn a_text_is_added_and_nothing_else_changes() {
    assert_eq!(
        added(
            "{\"id\": 1.0, \"result\": {\"n\": 1e2, \"content\": [ {\"type\":\"image\"} ], \"isError\": false} , \"x\":1}\r\n",
            Structured::Keep
        ),
        "{\"id\": 1.0, \"result\": {\"n\":1e2,\"content\":[ {\"type\":\"image\"} ,{\"type\":\"text\",\"text\":\"a \\\"b\\\"\"}],\"isError\":false} , \"x\":1}\r\n"
    );
    assert_eq!(
        added(r#"{"result":{"content":[ ]}}"#, Structured::Keep),
        r#"{"result":{"content":[ {"type":"text","text":"a \"b\""}]}}"#
    );
}

#[test]
fn structured_content_becomes_a_text_where_it_may() {
    let line =
        r#"{"result":{"structuredContent":{"a":1.50},"content":[{"type":"text","text":"x"}]}}"#;
    assert_eq!(
        added(line, Structured::AsText),
        r#"{"result":{"content":[{"type":"text","text":"x"},{"type":"text","text":"{\"a\":1.50}"},{"type":"text","text":"a \"b\""}]}}"#
    );
    assert_eq!(
        added(line, Structured::Keep),
        r#"{"result":{"structuredContent":{"a":1.50},"content":[{"type":"text","text":"x"},{"type":"text","text":"a \"b\""}]}}"#
    );
}

#[test]
fn a_result_without_content_is_left_alone() {
    for line in [
        r#"{"result":{"task":{}}}"#,
        r#"{"result":7}"#,
        r#"{"result":{"content":"x"}}"#,
        r#"{"error":{}}"#,
    ] {
        assert_eq!(add_text(line.as_bytes(), "x", Structured::Keep), None);
    }
}

#[test]
fn all_texts_can_be_replaced_by_one() {
    let line = br#"{"result":{"content":[{"type":"text","text":"x"}],"isError":false}}"#;
    assert_eq!(
        String::from_utf8(replace_text(line, "same").unwrap()).unwrap(),
        r#"{"result":{"content":[{"type":"text","text":"same"}],"isError":false}}"#
    );
}
