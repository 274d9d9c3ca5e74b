use super::super::{Message, RefusalKind, one_line};
use super::*;

fn read(line: &str) -> Result<Message<'_>, Refusal> {
    Codec::default().read(line.as_bytes())
}

fn refused(line: &str) -> (i32, Option<String>, RefusalKind) {
    let refusal = read(line).expect_err("a refusal");
    (
        refusal.code(),
        refusal.id.as_deref().map(str::to_owned),
        refusal.kind,
    )
}

#[test]
fn a_call_is_read_with_its_id_as_it_is_spelled() {
    let line = r#"{"method":"tools/call","params":{"_meta":{"progressToken":7},"name":"e\u0063ho","arguments":{"b":[1.0],"a":"x"}},"jsonrpc":"2.0","id":"a\u0062"}"#;
    let Message::Request(request) = read(line).unwrap() else {
        panic!("a request");
    };
    assert_eq!(request.id.raw, r#""a\u0062""#);
    assert_eq!(request.id.key.as_str(), r#""ab""#);
    assert_eq!(request.method, "tools/call");
    assert_eq!(request.params.name.as_deref(), Some("echo"));
    assert_eq!(
        request.params.arguments.unwrap().as_str(),
        r#"{"a":"x","b":[1]}"#
    );
    assert_eq!(
        request.params.meta.unwrap().as_str(),
        r#"{"progressToken":7}"#
    );
}

#[test]
fn ids_are_compared_by_what_they_mean() {
    let key = |id: &str| {
        let line = format!(r#"{{"id":{id},"method":"m"}}"#);
        match read(&line).unwrap() {
            Message::Request(request) => request.id.key,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(key("1"), key("1.0"));
    assert_eq!(key("1"), key("\"1\""));
    assert_ne!(key("1"), key("\"one\""));
    assert_ne!(key("12345678901234567"), key("12345678901234568"));
}

#[test]
fn what_a_message_is_shows_in_its_members() {
    assert!(matches!(
        read(r#"{"method":"notifications/cancelled","params":{"requestId":2}}"#),
        Ok(Message::Notification(Notification { params, .. })) if params.request_id.as_ref().unwrap().as_str() == "2"
    ));
    assert!(matches!(
        read(r#"{"id":2,"result":{"content":[]}}"#),
        Ok(Message::Response(Response {
            body: Body::Result(_),
            ..
        }))
    ));
    assert!(matches!(
        read(r#"{"id":null,"error":{"code":1}}"#),
        Ok(Message::Response(Response {
            id: None,
            body: Body::Error(_)
        }))
    ));
    for line in [
        r#"{"id":1}"#,
        r#"{"id":1,"method":"m","result":1}"#,
        r#"{"id":1,"result":1,"error":{}}"#,
        r"{}",
    ] {
        assert_eq!(refused(line).2, RefusalKind::Ambiguous, "{line}");
    }
}

#[test]
fn two_members_of_one_name_are_refused_at_any_depth() {
    for line in [
        r#"{"id":7,"method":"a","method":"b"}"#,
        r#"{"id":7,"method":"a","m\u0065thod":"b"}"#,
        r#"{"id":7,"method":"a","params":{"name":"x","name":"y"}}"#,
        r#"{"id":7,"method":"a","other":1,"other":1}"#,
        r#"{"id":7,"method":"a","params":{"arguments":{"p":1,"p":2}}}"#,
        r#"{"id":7,"method":"a","params":{"arguments":{"q":[[{"z":0,"p":1,"\u0070":2}]]}}}"#,
        r#"{"id":7,"method":"a","params":{"else":[{"p":1,"p":1}]}}"#,
        r#"{"id":7,"method":"a","params":[{"p":1,"p":1}]}"#,
        r#"{"id":7,"result":{"content":[{"text":"a","text":"b"}]}}"#,
        r#"{"id":7,"method":"a","params":{"_meta":{"a":{"p":1,"p":1}}}}"#,
        r#"{"id":7,"method":"a","params":{"arguments":{"p":"\ud800","b":1,"p":2}}}"#,
    ] {
        let (code, id, kind) = refused(line);
        assert_eq!((code, id.as_deref()), (-32600, Some("7")), "{line}");
        assert!(
            matches!(
                kind,
                RefusalKind::DuplicateMember | RefusalKind::Json(JsonError::DuplicateKey { .. })
            ),
            "{line}: {kind:?}"
        );
    }
    assert_eq!(refused(r#"{"id":1,"id":2,"method":"a"}"#).1, None);
}

#[test]
fn members_that_some_take_for_others_are_refused() {
    for (line, member) in [
        (r#"{"id":1,"Method":"tools/call"}"#, "method"),
        (r#"{"id":1,"method":"a","PARAMS":{}}"#, "params"),
        (r#"{"id":1,"method":"a","param\u017f":{}}"#, "params"),
        (r#"{"id":1,"method":"a","params":{"Name":"x"}}"#, "name"),
        (
            r#"{"id":1,"method":"a","params":{"Arguments":{}}}"#,
            "arguments",
        ),
        (r#"{"id":1,"Result":{},"result":{}}"#, "result"),
    ] {
        assert_eq!(refused(line).2, RefusalKind::CaseVariant(member), "{line}");
    }
    // Arguments are the tool's own.
    assert!(read(r#"{"id":1,"method":"a","params":{"arguments":{"Name":1,"name":2}}}"#).is_ok());
}

#[test]
fn what_is_no_message_is_refused_with_the_code_of_json_rpc() {
    for (line, code) in [
        ("", -32700),
        ("hello", -32700),
        (r#"{"id":1,"method":"a""#, -32700),
        (r#"{"id":1,"method":"a"}{}"#, -32700),
        ("{\"id\":1,\"method\":\"a\tb\"}", -32700),
        (r#"[{"id":1,"method":"a"}]"#, -32600),
        ("1", -32600),
        (r#"{"id":null,"method":"a"}"#, -32600),
        (r#"{"id":{},"method":"a"}"#, -32600),
        (r#"{"id":1,"method":7}"#, -32600),
    ] {
        assert_eq!(refused(line).0, code, "{line}");
    }
    let split = b"{\"id\":1,\"method\":\"\xc3\"}";
    assert_eq!(Codec::default().read(split).unwrap_err().code(), -32700);
}

#[test]
fn nesting_has_a_limit() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"id":1,"method":"a","params":{{"arguments":{open}{close}}}}}"#)
    };
    assert!(read(&nested(128)).is_ok());
    assert!(matches!(
        refused(&nested(129)),
        (-32600, _, RefusalKind::Json(JsonError::TooDeep { .. }))
    ));
    assert!(read(&nested(1_000_000)).is_err());
}

#[test]
fn length_has_a_limit() {
    let mut codec = Codec::with_limit(64);
    let long = format!(r#"{{"id":1,"method":"{}"}}"#, "m".repeat(64));
    assert_eq!(
        codec.read(long.as_bytes()).unwrap_err().kind,
        RefusalKind::TooLong { longest: 64 }
    );
}

#[test]
fn half_of_a_surrogate_pair_and_huge_numbers_are_json() {
    let line = r#"{"id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":"\udcff","b":1e999}}}"#;
    let Message::Request(request) = read(line).unwrap() else {
        panic!("a request");
    };
    assert_eq!(
        request.params.arguments.unwrap().as_str(),
        "{\"a\":\"\u{fffd}\",\"b\":\"1e999\"}"
    );
    // But a tab within a string is not, beside one either.
    assert_eq!(refused("{\"id\":1,\"method\":\"\\udcff\t\"}").0, -32700);
}

#[test]
fn a_refusal_says_nothing_of_what_was_in_the_message() {
    let refusal = read(r#"{"id":7,"method":"a","sk-secret":1,"sk-secret":2}"#).unwrap_err();
    assert_eq!(
        String::from_utf8(refusal.answer()).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32600,\"message\":\"not passed on: two members of one name\"}}\n"
    );
}

#[test]
fn a_carriage_return_stands_before_the_line_feed_or_nowhere() {
    let mut codec = Codec::default();
    for line in [
        "{\"id\":1,\"method\":\"m\"}\n",
        "{\"id\":1,\"method\":\"m\"}\r\n",
        "{\"id\":1,\"method\":\"m\"}",
    ] {
        assert!(codec.read_line(line.as_bytes()).is_ok(), "{line:?}");
    }
    // Other separators are letters of a string like any other.
    let line = "{\"id\":1,\"method\":\"\u{2028}\u{2029}\u{85}\"}\n";
    assert!(codec.read_line(line.as_bytes()).is_ok());
    for line in [
        "{\"id\":1,\r\"method\":\"m\"}\n",
        "\r{\"id\":1,\"method\":\"m\"}\n",
        "{\"id\":1,\"method\":\"m\"}\r",
        "{\"id\":1,\"method\":\"m\"}\r\r\n",
        "{\"id\":1,\"method\":\"m\"}\r \n",
    ] {
        let refusal = codec.read_line(line.as_bytes()).expect_err(line);
        assert_eq!(refusal.kind, RefusalKind::CarriageReturn);
        assert_eq!(refusal.id.as_deref(), Some("1"));
        assert_eq!(refusal.code(), -32600);
        // In a body of its own it is white space.
        assert!(codec.read(line.as_bytes()).is_ok());
        let one = one_line(line.as_bytes().to_vec());
        assert_eq!(codec.read_line(&one).ok(), codec.read(line.as_bytes()).ok());
    }
}

#[test]
fn long_ids_are_refused() {
    let id = "x".repeat(1_100);
    for rest in [
        "\"method\":\"m\"",
        "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\"}]}",
    ] {
        let line = format!("{{\"id\":\"{id}\",{rest}}}");
        let mut codec = Codec::default();
        let refusal = codec.read(line.as_bytes()).expect_err("too long");
        assert_eq!(refusal.id, None);
    }
}
