//! Anthropic Messages.

use serde_json::{Value, json};

use super::{Dialect, events};
use crate::agents::{http::Response, model::Turn};

pub(super) struct Anthropic;

impl Dialect for Anthropic {
    /// Web search and the like come with up to three tools of their own.
    fn least_tools(&self) -> usize {
        4
    }

    fn response(&self, turn: &Turn, request: &Value, _: &str, number: usize) -> Response {
        let (start, delta, whole, stop) = match turn {
            Turn::Call(call) => {
                let id = format!("toolu_{number:04}");
                (
                    json!({"type": "tool_use", "id": id, "name": call.tool, "input": {}}),
                    json!({"type": "input_json_delta", "partial_json": call.args.to_string()}),
                    json!({"type": "tool_use", "id": id, "name": call.tool, "input": call.args}),
                    "tool_use",
                )
            }
            Turn::Say(text) => (
                json!({"type": "text", "text": ""}),
                json!({"type": "text_delta", "text": text}),
                json!({"type": "text", "text": text}),
                "end_turn",
            ),
        };
        let mut message = json!({
            "id": format!("msg_{number:04}"), "type": "message", "role": "assistant",
            "model": request["model"], "content": [], "stop_reason": null, "stop_sequence": null,
            "usage": {"input_tokens": 100, "output_tokens": 1},
        });
        if request["stream"] != json!(true) {
            message["content"] = json!([whole]);
            message["stop_reason"] = json!(stop);
            return super::json(&message);
        }
        let stream = [
            json!({"type": "message_start", "message": message}),
            json!({"type": "content_block_start", "index": 0, "content_block": start}),
            json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({
                "type": "message_delta",
                "delta": {"stop_reason": stop, "stop_sequence": null},
                "usage": {"output_tokens": 20},
            }),
            json!({"type": "message_stop"}),
        ];
        events(
            stream
                .iter()
                .map(|event| (event["type"].as_str(), event.to_string())),
        )
    }
}
