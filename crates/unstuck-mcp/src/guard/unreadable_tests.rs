//! Answers that cannot be read.

use super::*;

#[test]
fn an_answer_that_cannot_be_read_is_answered_by_an_error() {
    let mut bench = Bench::new(Preset::Standard);
    bench.call(7, "{}");
    let twice = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[],"content":[]}}"#;
    let ToClient::Replace(line) = bench.receive(twice) else {
        panic!("an error");
    };
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(
        (&line["id"], &line["error"]["code"]),
        (&json!(7), &json!(-32603))
    );
    assert_eq!(bench.outcomes(), ["failed"]);
    // A broken request of the server, with an id of its own: the server gets an error, and a request that waits goes on waiting.
    bench.call(8, "{}");
    let asks = r#"{"jsonrpc":"2.0","id":8,"method":"roots/list","params":{"a":1,"a":1}}"#;
    let ToClient::Answer(line) = bench.receive(asks) else {
        panic!("an error");
    };
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(
        (&line["id"], &line["error"]["code"]),
        (&json!(8), &json!(-32600))
    );
    assert_eq!(bench.guard.waiting(), 1);
    // A broken answer of the client: the server gets an error, and not the client.
    let answer = r#"{"jsonrpc":"2.0","id":3,"result":{"a":1,"a":1}}"#;
    assert!(matches!(bench.send(answer), ToServer::Replace(_)));
}

fn error_for(said: ToClient) -> Value {
    let ToClient::Replace(line) = said else {
        panic!("no error");
    };
    let line: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(line["error"]["code"], -32603);
    line["id"].clone()
}

#[test]
fn requests_other_than_calls_get_an_error_too() {
    let mut bench = Bench::new(Preset::Standard);
    bench.send(r#"{"jsonrpc":"2.0","id":"r","method":"resources/read","params":{"uri":"a"}}"#);
    let twice = r#"{"jsonrpc":"2.0","id":"r","result":{"contents":[],"contents":[]}}"#;
    assert_eq!(error_for(bench.receive(twice)), "r");
    // It is answered once.
    assert_eq!(bench.receive(twice), ToClient::Drop);
}

#[test]
fn an_answer_without_an_id_is_that_of_the_only_request() {
    let mut bench = Bench::new(Preset::Standard);
    let nameless = r#"{"jsonrpc":"2.0","id":7,"id":7,"result":{"content":[]}}"#;
    bench.call(7, "{}");
    bench.call(8, "{}");
    // Whose would it be?
    assert_eq!(bench.receive(nameless), ToClient::Drop);
    bench.answer(8, "done");
    bench.audit();
    // Text that a server prints by mistake is not an answer.
    for words in [
        "listening on stdio",
        r#"{"level":"info"}"#,
        "{",
        r#"{"id":9"#,
    ] {
        assert_eq!(bench.receive(words), ToClient::Drop, "{words}");
    }
    assert_eq!(bench.guard.waiting(), 1);
    assert_eq!(error_for(bench.receive(nameless)), 7);
    assert_eq!(bench.guard.waiting(), 0);
    assert_eq!(bench.outcomes(), ["failed"]);

    bench.send(r#"{"jsonrpc":"2.0","id":"p","method":"prompts/list"}"#);
    assert_eq!(error_for(bench.receive(nameless)), "p");
}

#[test]
fn an_answer_that_is_too_long_is_known_by_its_end_as_well() {
    for id in ["7", r#""a-b""#] {
        let mut bench = Bench::new(Preset::Standard);
        bench.codec = Codec::with_limit(3_000);
        bench.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"read"}}}}"#
        ));
        bench.call(8, "{}");
        let text = "é".repeat(4_000);
        let long = format!(
            "{{\"result\":{{\"content\":[\"{text}\"]}},\"jsonrpc\":\"2.0\",\"id\": {id} }}\r\n"
        );
        let id: Value = serde_json::from_str(id).unwrap();
        assert_eq!(error_for(bench.receive(&long)), id);
        // An id within a text is not the id.
        bench.call(9, "{}");
        let long = format!(r#"{{"result":{{"content":["{text}","id\":8}}"#);
        assert_eq!(bench.receive(&long), ToClient::Drop);
        assert_eq!(bench.guard.waiting(), 2);
    }
}

#[test]
fn an_answer_of_a_client_that_has_no_id_is_not_made_up_for_the_server() {
    let mut bench = Bench::new(Preset::Standard);
    assert!(matches!(
        bench.send(r#"{"result":1,"result":2}"#),
        ToServer::Answer(_)
    ));
}
