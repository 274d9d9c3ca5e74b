//! Answers of a model, as official clients read them.

use serde_json::Value;
use unstuck_llm::Form;

use super::{Heard, Heeded};

/// Reads an answer as the official clients do, and fails where they would.
pub fn read(form: Form, streamed: bool, answer: &str) -> Heard {
    if !streamed {
        let told: Value = serde_json::from_str(answer).expect("an answer is JSON");
        return match form {
            Form::Anthropic => {
                let blocks = told["content"].as_array().expect("content").clone();
                of_blocks(&blocks, text(&told["stop_reason"]))
            }
            Form::Chat => {
                let choice = &told["choices"][0];
                let message = &choice["message"];
                let calls = message["tool_calls"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default();
                of_chat(
                    text(&message["content"]),
                    &calls,
                    text(&choice["finish_reason"]),
                )
            }
            Form::Responses => of_items(
                told["output"].as_array().expect("output"),
                text(&told["status"]),
            ),
            _ => of_gemini(&[told]),
        };
    }
    let events: Vec<Value> = answer
        .replace("\r\n", "\n")
        .split("\n\n")
        .filter_map(|event| event.lines().find_map(|line| line.strip_prefix("data: ")))
        .filter(|data| *data != "[DONE]")
        .map(|data| serde_json::from_str(data).expect("an event is JSON"))
        .collect();
    match form {
        Form::Anthropic => read_anthropic(&events),
        Form::Chat => {
            assert!(
                answer.ends_with("data: [DONE]\n\n"),
                "a stream ends: {answer}"
            );
            read_chat(&events)
        }
        Form::Responses => {
            let last = events.last().expect("events");
            assert_eq!(last["type"], "response.completed");
            let done: Vec<_> = events
                .iter()
                .filter(|event| event["type"] == "response.output_item.done")
                .map(|event| event["item"].clone())
                .collect();
            // Agents take their items from either place.
            assert_eq!(Value::from(done.clone()), last["response"]["output"]);
            of_items(&done, text(&last["response"]["status"]))
        }
        _ => of_gemini(&events),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn of_blocks(blocks: &[Value], reason: String) -> Heard {
    let mut heard = Heard {
        reason,
        ..Heard::default()
    };
    for block in blocks {
        if block["type"] == "tool_use" {
            heard.calls.push(Heeded {
                id: text(&block["id"]),
                tool: text(&block["name"]),
                args: block["input"].clone(),
            });
        } else {
            heard.text += &text(&block["text"]);
        }
    }
    heard
}

fn read_anthropic(events: &[Value]) -> Heard {
    let mut blocks: Vec<Value> = Vec::new();
    let mut inputs: Vec<String> = Vec::new();
    let mut reason = String::new();
    let mut is_over = false;
    for event in events {
        assert!(!is_over, "nothing comes behind the end: {event}");
        let index = event["index"].as_u64().map(|index| index as usize);
        match event["type"].as_str().expect("a type") {
            "content_block_start" => {
                assert_eq!(index, Some(blocks.len()), "blocks are counted");
                blocks.push(event["content_block"].clone());
                inputs.push(String::new());
            }
            "content_block_delta" => {
                let index = index.expect("an index");
                let delta = &event["delta"];
                if delta["type"] == "text_delta" {
                    let said = text(&blocks[index]["text"]) + &text(&delta["text"]);
                    blocks[index]["text"] = said.into();
                } else {
                    inputs[index] += &text(&delta["partial_json"]);
                }
            }
            "content_block_stop" => {
                let index = index.expect("an index");
                if blocks[index]["type"] == "tool_use" {
                    blocks[index]["input"] =
                        serde_json::from_str(&inputs[index]).expect("the input is JSON");
                }
            }
            "message_delta" => reason = text(&event["delta"]["stop_reason"]),
            "message_stop" => is_over = true,
            _ => {}
        }
    }
    assert!(is_over, "a message ends");
    of_blocks(&blocks, reason)
}

fn of_chat(said: String, calls: &[Value], reason: String) -> Heard {
    let calls = calls
        .iter()
        .map(|call| Heeded {
            id: text(&call["id"]),
            tool: text(&call["function"]["name"]),
            args: serde_json::from_str(&text(&call["function"]["arguments"])).expect("arguments"),
        })
        .collect();
    Heard {
        text: said,
        calls,
        reason,
    }
}

fn read_chat(events: &[Value]) -> Heard {
    let (mut said, mut reason) = (String::new(), String::new());
    let mut calls: Vec<Value> = Vec::new();
    for event in events {
        let Some(choice) = event["choices"].get(0) else {
            continue;
        };
        said += &text(&choice["delta"]["content"]);
        for piece in choice["delta"]["tool_calls"]
            .as_array()
            .into_iter()
            .flatten()
        {
            let index = piece["index"].as_u64().expect("an index") as usize;
            if index == calls.len() {
                calls.push(piece.clone());
            } else {
                let function = &mut calls[index]["function"];
                let input = text(&function["arguments"]) + &text(&piece["function"]["arguments"]);
                function["arguments"] = input.into();
            }
        }
        if let Some(why) = choice["finish_reason"].as_str() {
            why.clone_into(&mut reason);
        }
    }
    of_chat(said, &calls, reason)
}

fn of_items(items: &[Value], reason: String) -> Heard {
    let mut heard = Heard {
        reason,
        ..Heard::default()
    };
    for item in items {
        if item["type"] == "function_call" {
            heard.calls.push(Heeded {
                id: text(&item["call_id"]),
                tool: text(&item["name"]),
                args: serde_json::from_str(&text(&item["arguments"])).expect("arguments"),
            });
        } else {
            heard.text += &text(&item["content"][0]["text"]);
        }
    }
    heard
}

fn of_gemini(events: &[Value]) -> Heard {
    let mut heard = Heard::default();
    for event in events {
        let candidate = &event["candidates"][0];
        for part in candidate["content"]["parts"]
            .as_array()
            .into_iter()
            .flatten()
        {
            if part["functionCall"].is_object() {
                heard.calls.push(Heeded {
                    id: text(&part["functionCall"]["id"]),
                    tool: text(&part["functionCall"]["name"]),
                    args: part["functionCall"]["args"].clone(),
                });
            } else {
                heard.text += &text(&part["text"]);
            }
        }
        if candidate["finishReason"].is_string() {
            heard.reason = text(&candidate["finishReason"]);
        }
    }
    heard
}
