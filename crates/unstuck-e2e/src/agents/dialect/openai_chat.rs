//! `OpenAI` Chat Completions.

use serde_json::{Value, json};

use super::{Dialect, events};
use crate::agents::{http::Response, model::Turn};

pub(super) struct OpenAiChat;

impl Dialect for OpenAiChat {
    fn response(&self, turn: &Turn, request: &Value, _: &str, number: usize) -> Response {
        let (message, finish) = match turn {
            Turn::Call(call) => {
                let function = json!({"name": call.tool, "arguments": call.args.to_string()});
                let id = format!("call_{number:04}");
                let calls =
                    json!([{"index": 0, "id": id, "type": "function", "function": function}]);
                (
                    json!({"role": "assistant", "content": null, "tool_calls": calls}),
                    "tool_calls",
                )
            }
            Turn::Say(text) => (json!({"role": "assistant", "content": text}), "stop"),
        };
        let usage = json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120});
        let chunk = |object: &str, choice: Value| {
            json!({
                "id": format!("chatcmpl-{number}"), "object": object, "created": 1,
                "model": request["model"], "choices": [choice],
            })
        };
        if request["stream"] != json!(true) {
            let choice = json!({"index": 0, "message": message, "finish_reason": finish});
            let mut whole = chunk("chat.completion", choice);
            whole["usage"] = usage;
            return super::json(&whole);
        }
        let part = |delta: Value, finish: Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            chunk("chat.completion.chunk", choice)
        };
        let first = part(message, Value::Null);
        let mut last = part(json!({}), json!(finish));
        last["usage"] = usage;
        events([first.to_string(), last.to_string(), "[DONE]".to_owned()].map(|data| (None, data)))
    }
}
