//! Anthropic's Messages API.

use unstuck::Json;
use unstuck_json::JsonRef;
use unstuck_transcript::ModelApi;

use super::{
    Shape,
    contract::{Final, FormSpec, Frame, Heard, Insertion, Judge, Reader},
    shared::{Held, add_text, arguments, call, quoted, text_of, typed_event},
};
use crate::span::{Edits, at, elements, says, whole};

pub(super) static ANTHROPIC: FormSpec = FormSpec {
    name: "anthropic-messages",
    api: ModelApi::AnthropicMessages,
    history: "messages",
    serves: |path| path.ends_with("/v1/messages") || path == "/messages",
    shape: |_, stream| if stream { Shape::Events } else { Shape::Whole },
    path_for_model: |_, _| None,
    note,
    judge,
    reader: || Box::<Stream>::default(),
    whole: |answer| message(answer, true),
    events,
    error: |text| {
        let text = quoted(text);
        format!(r#"{{"type":"error","error":{{"type":"invalid_request_error","message":{text}}}}}"#)
    },
};

fn block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quoted(text))
}

/// Results must come first in a message: the text stands behind the last of them.
fn note(element: &str, text: &str) -> Option<Insertion> {
    let is_result = |block: &str| says(block, whole(block), "type", "tool_result");
    add_text(element, &["content"], text, is_result, block)
}

fn judge(body: &str, judge: &mut Judge<'_>) -> Edits {
    let mut edits = Edits::default();
    let Some(content) = at(body, whole(body), &["content"]) else {
        return edits;
    };
    let mut left = 0;
    for span in elements(body, content) {
        if !says(body, span.clone(), "type", "tool_use") {
            continue;
        }
        let denied = Json::lossy(&body.as_bytes()[span.clone()])
            .ok()
            .and_then(|told| {
                let told = told.view();
                let args = told.get("input").map(Json::from);
                let args = args.unwrap_or_else(Json::empty_object);
                call(&text_of(told, "id"), &text_of(told, "name"), args)
            })
            .and_then(|call| judge(&call));
        match denied {
            Some(text) => edits.replace(span, block(&text)),
            None => left += 1,
        }
    }
    if !edits.is_empty()
        && left == 0
        && let Some(reason) = at(body, whole(body), &["stop_reason"])
    {
        edits.replace(reason, r#""end_turn""#.to_owned());
    }
    edits
}

/// A message that says a text, or the beginning of its stream.
fn message(answer: &Final<'_>, complete: bool) -> String {
    let (id, model) = (quoted(&format!("msg_{}", answer.id)), quoted(answer.model));
    let (content, reason) = if complete {
        (block(answer.text), r#""end_turn""#)
    } else {
        (String::new(), "null")
    };
    format!(
        r#"{{"id":{id},"type":"message","role":"assistant","model":{model},"content":[{content}],"stop_reason":{reason},"stop_sequence":null,"usage":{{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}}}"#
    )
}

fn events(answer: &Final<'_>) -> String {
    let start = format!(
        r#"{{"type":"message_start","message":{}}}"#,
        message(answer, false)
    );
    let mut out = typed_event("message_start", &start);
    out.push_str(&text_block(0, answer.text));
    out.push_str(&end());
    out
}

/// A block of text as events.
fn text_block(index: u64, text: &str) -> String {
    let mut out = typed_event(
        "content_block_start",
        &format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"text","text":""}}}}"#
        ),
    );
    out.push_str(&text_delta(index, text));
    out.push_str(&block_stop(index));
    out
}

fn text_delta(index: u64, text: &str) -> String {
    let text = quoted(text);
    typed_event(
        "content_block_delta",
        &format!(
            r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"text_delta","text":{text}}}}}"#
        ),
    )
}

fn block_stop(index: u64) -> String {
    typed_event(
        "content_block_stop",
        &format!(r#"{{"type":"content_block_stop","index":{index}}}"#),
    )
}

fn end() -> String {
    let delta = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":0}}"#;
    let mut out = typed_event("message_delta", delta);
    out.push_str(&typed_event("message_stop", r#"{"type":"message_stop"}"#));
    out
}

#[derive(Debug, Default)]
struct Stream {
    held: Held,
    /// The block that is being written.
    open: Option<Open>,
    /// Number of the next block.
    next: u64,
    denied: u32,
    left: u32,
}

#[derive(Debug)]
struct Open {
    index: u64,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Call {
        id: String,
        tool: String,
        input: String,
    },
    Text,
    Other,
}

impl Stream {
    fn starts(&mut self, told: JsonRef<'_>) {
        let index = index(told);
        let block = told.get("content_block");
        let kind = block.map(|block| text_of(block, "type"));
        let kind = match (kind.as_deref(), block) {
            (Some("tool_use"), Some(block)) => Kind::Call {
                id: text_of(block, "id"),
                tool: text_of(block, "name"),
                // Some providers send the whole input here.
                input: block
                    .get("input")
                    .filter(|input| input.as_str() != "{}")
                    .map(|input| input.as_str().to_owned())
                    .unwrap_or_default(),
            },
            (Some("text"), _) => Kind::Text,
            _ => Kind::Other,
        };
        self.next = self.next.max(index + 1);
        self.open = Some(Open { index, kind });
    }

    fn stops(&mut self, raw: &[u8], judge: &mut Judge<'_>, out: &mut Vec<u8>) {
        let Some(Open { index, kind }) = self.open.take() else {
            return self.pass(raw, out);
        };
        let Kind::Call { id, tool, input } = kind else {
            return self.pass(raw, out);
        };
        let denied = call(&id, &tool, arguments(&input)).and_then(|call| judge(&call));
        if let Some(text) = denied {
            self.denied += 1;
            self.held.clear();
            out.extend_from_slice(text_block(index, &text).as_bytes());
        } else {
            self.left += 1;
            self.held.release(out);
            out.extend_from_slice(raw);
        }
    }

    /// Writes an event, or holds it behind others that are held.
    fn pass(&mut self, raw: &[u8], out: &mut Vec<u8>) {
        if self.is_in_call() {
            self.held.push(raw);
        } else {
            out.extend_from_slice(raw);
        }
    }

    fn is_in_call(&self) -> bool {
        matches!(
            self.open,
            Some(Open {
                kind: Kind::Call { .. },
                ..
            })
        )
    }
}

fn index(told: JsonRef<'_>) -> u64 {
    let index = told.get("index").and_then(JsonRef::integer);
    index.and_then(|index| index.try_into().ok()).unwrap_or(0)
}

impl Reader for Stream {
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Heard {
        let Ok(told) = Json::lossy(frame.data.as_bytes()) else {
            self.pass(frame.raw, out);
            return Heard::Nothing;
        };
        let told = told.view();
        let mut heard = Heard::Nothing;
        match &*text_of(told, "type") {
            "content_block_start" => self.starts(told),
            "content_block_delta" => {
                let delta = told.get("delta");
                let word = |name| delta.map(|delta| text_of(delta, name)).unwrap_or_default();
                match (&*word("type"), &mut self.open) {
                    (
                        "input_json_delta",
                        Some(Open {
                            kind: Kind::Call { input, .. },
                            ..
                        }),
                    ) => input.push_str(&word("partial_json")),
                    ("text_delta", _) => heard = Heard::Said(word("text")),
                    ("thinking_delta", _) => heard = Heard::Thought(word("thinking")),
                    _ => {}
                }
            }
            "content_block_stop" => {
                self.stops(frame.raw, judge, out);
                return heard;
            }
            "message_delta" if self.denied > 0 && self.left == 0 => {
                if let Some(reason) = at(frame.data, whole(frame.data), &["delta", "stop_reason"]) {
                    let mut edits = Edits::default();
                    edits.replace(reason, r#""end_turn""#.to_owned());
                    let data = edits.apply(frame.data.as_bytes());
                    let data = String::from_utf8_lossy(&data);
                    out.extend_from_slice(typed_event("message_delta", &data).as_bytes());
                    return heard;
                }
            }
            _ => {}
        }
        self.pass(frame.raw, out);
        heard
    }

    fn cut(&mut self, note: &str, out: &mut Vec<u8>) {
        self.held.clear();
        match self.open.take() {
            Some(Open {
                index,
                kind: Kind::Text,
            }) => {
                out.extend_from_slice(text_delta(index, &format!("\n\n{note}")).as_bytes());
                out.extend_from_slice(block_stop(index).as_bytes());
            }
            Some(Open {
                index,
                kind: Kind::Other,
            }) => {
                out.extend_from_slice(block_stop(index).as_bytes());
                out.extend_from_slice(text_block(self.next, note).as_bytes());
            }
            // Nothing of a call was written.
            Some(Open { index, .. }) => {
                out.extend_from_slice(text_block(index, note).as_bytes());
            }
            None => out.extend_from_slice(text_block(self.next, note).as_bytes()),
        }
        out.extend_from_slice(end().as_bytes());
    }

    fn held(&self) -> usize {
        self.held.len()
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        self.held.release(out);
    }
}
