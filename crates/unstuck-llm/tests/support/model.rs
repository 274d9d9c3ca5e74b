//! Answers of a model, as providers write them.

use serde_json::{Value, json};
use unstuck_llm::Form;

use super::Turn;

/// The answer of a model, as a provider writes it. `number` makes its ids.
pub fn answer(form: Form, streamed: bool, number: usize, turn: &Turn) -> String {
    match (form, streamed) {
        (Form::Anthropic, false) => {
            let mut content = Vec::new();
            if !turn.text.is_empty() {
                content.push(json!({"type": "text", "text": turn.text}));
            }
            for (at, (tool, args)) in turn.calls.iter().enumerate() {
                content.push(
                    json!({"type": "tool_use", "id": id(number, at), "name": tool,
                    "input": args}),
                );
            }
            let reason = if turn.calls.is_empty() {
                "end_turn"
            } else {
                "tool_use"
            };
            json!({"id": format!("msg_{number}"), "type": "message", "role": "assistant",
                "model": "m1", "content": content, "stop_reason": reason, "stop_sequence": null,
                "usage": {"input_tokens": 100, "output_tokens": 20}})
            .to_string()
        }
        (Form::Anthropic, true) => anthropic_events(number, turn),
        (Form::Chat, false) => {
            let calls: Vec<_> = turn
                .calls
                .iter()
                .enumerate()
                .map(|(at, (tool, args))| {
                    json!({"id": id(number, at), "type": "function", "function":
                        {"name": tool, "arguments": args.to_string()}})
                })
                .collect();
            let mut message = json!({"role": "assistant", "content": turn.text});
            let reason = if calls.is_empty() {
                "stop"
            } else {
                "tool_calls"
            };
            if !calls.is_empty() {
                message["tool_calls"] = calls.into();
            }
            json!({"id": format!("chatcmpl-{number}"), "object": "chat.completion", "created": 1,
                "model": "m1", "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}})
            .to_string()
        }
        (Form::Chat, true) => chat_events(number, turn),
        (Form::Responses, false) => response(number, &items(number, turn), "completed").to_string(),
        (Form::Responses, true) => responses_events(number, turn),
        (_, false) => gemini(turn, number, true).to_string(),
        (_, true) => {
            let mut out = String::new();
            if !turn.text.is_empty() {
                for piece in pieces(&turn.text) {
                    out += &data(&gemini(&Turn::says(piece), number, false));
                }
            }
            let rest = Turn {
                text: String::new(),
                calls: turn.calls.clone(),
            };
            out + &data(&gemini(&rest, number, true))
        }
    }
}

fn id(number: usize, at: usize) -> String {
    format!("call_{number}_{at}")
}

/// Pieces of a text, as a model streams it.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = (7..=rest.len())
            .find(|end| rest.is_char_boundary(*end))
            .unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(piece)
    })
}

fn typed(value: &Value) -> String {
    let kind = value["type"].as_str().expect("a type");
    format!("event: {kind}\ndata: {value}\n\n")
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn anthropic_events(number: usize, turn: &Turn) -> String {
    let mut out = typed(&json!({"type": "message_start", "message": {
        "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "m1",
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 100, "output_tokens": 1}}}));
    out += &typed(&json!({"type": "ping"}));
    let mut index = 0;
    if !turn.text.is_empty() {
        out += &typed(&json!({"type": "content_block_start", "index": index,
            "content_block": {"type": "text", "text": ""}}));
        for piece in pieces(&turn.text) {
            out += &typed(&json!({"type": "content_block_delta", "index": index,
                "delta": {"type": "text_delta", "text": piece}}));
        }
        out += &typed(&json!({"type": "content_block_stop", "index": index}));
        index += 1;
    }
    for (at, (tool, args)) in turn.calls.iter().enumerate() {
        out += &typed(&json!({"type": "content_block_start", "index": index,
            "content_block": {"type": "tool_use", "id": id(number, at), "name": tool, "input": {}}}));
        for piece in pieces(&args.to_string()) {
            out += &typed(&json!({"type": "content_block_delta", "index": index,
                "delta": {"type": "input_json_delta", "partial_json": piece}}));
        }
        out += &typed(&json!({"type": "content_block_stop", "index": index}));
        index += 1;
    }
    let reason = if turn.calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    out += &typed(&json!({"type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 20}}));
    out + &typed(&json!({"type": "message_stop"}))
}

fn chat_events(number: usize, turn: &Turn) -> String {
    let chunk = |delta: Value, reason: Value| {
        data(
            &json!({"id": format!("chatcmpl-{number}"), "object": "chat.completion.chunk",
            "created": 1, "model": "m1",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}),
        )
    };
    let mut out = chunk(json!({"role": "assistant", "content": ""}), Value::Null);
    for piece in pieces(&turn.text) {
        out += &chunk(json!({"content": piece}), Value::Null);
    }
    for (at, (tool, args)) in turn.calls.iter().enumerate() {
        out += &chunk(
            json!({"tool_calls": [{"index": at, "id": id(number, at), "type": "function",
                "function": {"name": tool, "arguments": ""}}]}),
            Value::Null,
        );
        for piece in pieces(&args.to_string()) {
            out += &chunk(
                json!({"tool_calls": [{"index": at, "function": {"arguments": piece}}]}),
                Value::Null,
            );
        }
    }
    let reason = if turn.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    out += &chunk(json!({}), json!(reason));
    out += &data(
        &json!({"id": format!("chatcmpl-{number}"), "object": "chat.completion.chunk",
        "created": 1, "model": "m1", "choices": [],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}),
    );
    out + "data: [DONE]\n\n"
}

fn items(number: usize, turn: &Turn) -> Vec<Value> {
    let mut items = Vec::new();
    if !turn.text.is_empty() {
        items.push(
            json!({"type": "message", "id": format!("msg_{number}"), "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": turn.text, "annotations": []}]}),
        );
    }
    for (at, (tool, args)) in turn.calls.iter().enumerate() {
        items.push(
            json!({"type": "function_call", "id": format!("fc_{number}_{at}"),
            "call_id": id(number, at), "name": tool, "arguments": args.to_string(),
            "status": "completed"}),
        );
    }
    items
}

fn response(number: usize, items: &[Value], status: &str) -> Value {
    json!({"id": format!("resp_{number}"), "object": "response", "status": status, "model": "m1",
        "output": items, "usage": {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 10},
        "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 5}, "total_tokens": 120}})
}

fn responses_events(number: usize, turn: &Turn) -> String {
    let mut sequence = 0;
    let mut out = String::new();
    let mut add = |mut value: Value| {
        value["sequence_number"] = sequence.into();
        sequence += 1;
        out += &typed(&value);
    };
    add(json!({"type": "response.created", "response": response(number, &[], "in_progress")}));
    let items = items(number, turn);
    for (index, item) in items.iter().enumerate() {
        let mut begun = item.clone();
        begun["status"] = "in_progress".into();
        if item["type"] == "message" {
            begun["content"] = json!([]);
            add(
                json!({"type": "response.output_item.added", "output_index": index, "item": begun}),
            );
            for piece in pieces(&turn.text) {
                add(
                    json!({"type": "response.output_text.delta", "item_id": item["id"],
                    "output_index": index, "content_index": 0, "delta": piece}),
                );
            }
        } else {
            begun["arguments"] = "".into();
            add(
                json!({"type": "response.output_item.added", "output_index": index, "item": begun}),
            );
            let arguments = item["arguments"].as_str().expect("arguments");
            for piece in pieces(arguments) {
                add(
                    json!({"type": "response.function_call_arguments.delta", "item_id": item["id"],
                    "output_index": index, "delta": piece}),
                );
            }
            add(
                json!({"type": "response.function_call_arguments.done", "item_id": item["id"],
                "output_index": index, "arguments": arguments}),
            );
        }
        add(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    add(json!({"type": "response.completed", "response": response(number, &items, "completed")}));
    out
}

fn gemini(turn: &Turn, number: usize, last: bool) -> Value {
    let mut parts = Vec::new();
    if !turn.text.is_empty() {
        parts.push(json!({"text": turn.text}));
    }
    for (at, (tool, args)) in turn.calls.iter().enumerate() {
        parts.push(
            json!({"functionCall": {"id": id(number, at), "name": tool, "args": args},
            "thoughtSignature": "c2ln"}),
        );
    }
    let mut candidate = json!({"content": {"parts": parts, "role": "model"}, "index": 0});
    if last {
        candidate["finishReason"] = "STOP".into();
    }
    json!({"candidates": [candidate], "usageMetadata": {"promptTokenCount": 100,
        "candidatesTokenCount": 20, "totalTokenCount": 120}, "modelVersion": "m1",
        "responseId": format!("r{number}")})
}
