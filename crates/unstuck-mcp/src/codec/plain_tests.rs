use unstuck_json::Scratch;

use super::*;
use crate::codec::Codec;

fn plain(line: &str) -> Option<Message<'_>> {
    answer(Scanner::new(line, &mut Scratch::default()).strict())
}

#[test]
fn one_text_is_read_as_such_however_it_is_spelled() {
    for (line, is_error) in [
        (
            r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a\u0062"}]}}"#,
            false,
        ),
        (
            r#"{"result":{"isError":true,"content":[{"text":"ab","type":"text"}]},"jsonrpc":"2.0","id":7}"#,
            true,
        ),
        (
            r#" { "id" : 7 , "result" : { "content" : [ { "type" : "text" , "text" : "ab" } ] , "isError" : false } } "#,
            false,
        ),
    ] {
        let Some(Message::Response(Response {
            id,
            body: Body::Text(result),
        })) = plain(line)
        else {
            panic!("{line}");
        };
        assert_eq!(id.map(|id| id.raw), Some("7"));
        assert_eq!(result.text.as_str(), r#""ab""#);
        assert_eq!(result.is_error, is_error);
    }
}

#[test]
fn everything_else_is_left_to_the_other_reader() {
    for line in [
        r#"{"id":1,"method":"tools/call","result":{"content":[{"type":"text","text":""}]}}"#,
        r#"{"id":1,"id":1,"result":{"content":[{"type":"text","text":""}]}}"#,
        r#"{"id":1,"ID":2,"result":{"content":[{"type":"text","text":""}]}}"#,
        r#"{"id":null,"result":{"content":[{"type":"text","text":""}]}}"#,
        r#"{"result":{"content":[{"type":"text","text":""}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""}],"content":[]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":"","text":""}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""},{"type":"text","text":""}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":"","annotations":{}}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text"}]}}"#,
        r#"{"id":1,"result":{"content":[{"text":""}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"image","text":""}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":1}]}}"#,
        r#"{"id":1,"result":{"content":[]}}"#,
        r#"{"id":1,"result":{"content":["text"]}}"#,
        r#"{"id":1,"result":{"content":{"type":"text","text":""}}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""}],"isError":"true"}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""}],"structuredContent":{}}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""}],"_meta":{}}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":"\ud83d"}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""}]}} {}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""}]}"#,
        r#"[{"id":1,"result":{"content":[{"type":"text","text":""}]}}]"#,
    ] {
        assert_eq!(plain(line), None, "{line}");
    }
}

#[test]
fn what_the_codec_refuses_stays_refused() {
    let mut codec = Codec::default();
    for line in [
        r#"{"id":1,"id":1,"result":{"content":[{"type":"text","text":""}]}}"#,
        r#"{"id":1,"Id":2,"result":{"content":[{"type":"text","text":""}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":"","text":""}]}}"#,
        r#"{"id":1,"result":{"isError":false,"isError":true,"content":[{"type":"text","text":""}]}}"#,
        r#"{"id":1,"result":{"content":[{"type":"text","text":""}]}} {}"#,
    ] {
        assert!(codec.read(line.as_bytes()).is_err(), "{line}");
    }
}
