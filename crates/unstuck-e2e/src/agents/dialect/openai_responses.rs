//! `OpenAI` Responses.

use serde_json::{Value, json};

use super::{Dialect, events};
use crate::agents::{http::Response, model::Turn};

pub(super) struct OpenAiResponses;

impl Dialect for OpenAiResponses {
    fn response(&self, turn: &Turn, request: &Value, _: &str, number: usize) -> Response {
        let item = match turn {
            Turn::Call(call) => {
                let mut item = json!({
                    "type": "function_call", "id": format!("fc_{number:04}"),
                    "call_id": format!("call_{number:04}"), "name": call.tool,
                    "arguments": call.args.to_string(), "status": "completed",
                });
                if let Some(namespace) = call.namespace {
                    item["namespace"] = json!(namespace);
                }
                item
            }
            Turn::Say(text) => json!({
                "type": "message", "id": format!("msg_{number:04}"), "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            }),
        };
        let response = |status: &str, output: Value| {
            json!({
                "id": format!("resp_{number:04}"), "object": "response", "created_at": 1,
                "model": request["model"], "status": status, "output": output,
                "usage": {
                    "input_tokens": 100, "input_tokens_details": {"cached_tokens": 0},
                    "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0},
                    "total_tokens": 120,
                },
            })
        };
        let whole = response("completed", json!([item]));
        if request["stream"] == json!(false) {
            return super::json(&whole);
        }
        let stream = [
            json!({"type": "response.created", "response": response("in_progress", json!([]))}),
            json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": whole}),
        ];
        events(stream.into_iter().zip(0_u32..).map(|(mut event, number)| {
            event["sequence_number"] = json!(number);
            let name = match number {
                0 => "response.created",
                1 => "response.output_item.added",
                2 => "response.output_item.done",
                _ => "response.completed",
            };
            (Some(name), event.to_string())
        }))
    }
}
