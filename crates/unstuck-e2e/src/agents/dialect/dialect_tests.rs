use serde_json::json;

use super::*;
use crate::agents::model::ToolCall;

const PATHS: [&str; 4] = [
    "/v1/messages?beta=true",
    "/v1/chat/completions",
    "/v1/responses",
    "/v1beta/models/m:streamGenerateContent?alt=sse",
];

fn call() -> Turn {
    Turn::Call(ToolCall::new("shell", json!({"command": "ls"})))
}

#[test]
fn every_dialect_streams_a_call_and_a_text() {
    let request = json!({"model": "m", "stream": true});
    for path in PATHS {
        let dialect = of(path).unwrap();
        let said = dialect.response(&call(), &request, path, 1);
        assert_eq!(said.content_type, "text/event-stream", "{path}");
        assert!(
            said.body.contains("shell") && said.body.contains("ls"),
            "{path}"
        );
        for line in said
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
        {
            assert!(
                line == "[DONE]" || serde_json::from_str::<Value>(line).is_ok(),
                "{line}"
            );
        }
        let said = dialect.response(&Turn::Say("hello"), &request, path, 2);
        assert!(said.body.contains("hello"), "{path}");
    }
}

#[test]
fn what_is_not_streamed_is_one_document() {
    let request = json!({"model": "m", "stream": false});
    for path in [
        "/v1/messages",
        "/v1/chat/completions",
        "/v1/responses",
        "/m:generateContent",
    ] {
        let said = of(path).unwrap().response(&call(), &request, path, 1);
        let value: Value = serde_json::from_str(&said.body).unwrap();
        assert!(value.is_object(), "{path}");
    }
}

#[test]
fn other_paths_belong_to_no_dialect() {
    for path in [
        "/",
        "/v1/models",
        "/v1/messages/count_tokens",
        "/m:countTokens",
    ] {
        assert!(of(path).is_none(), "{path}");
    }
}
