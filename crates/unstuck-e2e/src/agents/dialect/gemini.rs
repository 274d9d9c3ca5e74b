//! Gemini `generateContent` and `streamGenerateContent`.

use serde_json::{Value, json};

use super::{Dialect, events};
use crate::agents::{http::Response, model::Turn};

pub(super) struct Gemini;

impl Dialect for Gemini {
    fn response(&self, turn: &Turn, _: &Value, path: &str, number: usize) -> Response {
        let part = match turn {
            Turn::Call(call) => json!({
                "functionCall": {"id": format!("fc_{number:04}"), "name": call.tool, "args": call.args},
            }),
            Turn::Say(text) => json!({"text": text}),
        };
        let whole = json!({
            "candidates": [{
                "content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0,
            }],
            "usageMetadata": {
                "promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120,
            },
            "modelVersion": "scripted",
            "responseId": format!("r{number:04}"),
        });
        if path.contains(":stream") {
            events([(None, whole.to_string())])
        } else {
            super::json(&whole)
        }
    }
}
