//! Anthropic's Messages API.

use unstuck::Json;
use unstuck_json::JsonRef;
use unstuck_transcript::ModelApi;

use super::{
    Shape,
    account::Account,
    contract::{Final, FormSpec, Frame, Insertion, Judge, Reader, Written},
    shared::{Held, add_text, arguments, call, joined, quoted, text_of, typed_event},
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
    join,
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
            .and_then(|value| {
                let value = value.view();
                let args = value.get("input").map(Json::from);
                let args = args.unwrap_or_else(Json::empty_object);
                call(&text_of(value, "id"), &text_of(value, "name"), args)
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

fn join(first: &str, second: &str) -> Option<String> {
    joined(first, second, &["content"], "usage")
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
    /// The last events, of an answer whose calls were all denied.
    end: Held,
    /// Number of the first block of the present answer, where it continues another one.
    offset: u64,
    account: Account,
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
    fn starts(&mut self, value: JsonRef<'_>) {
        let index = index(value);
        let block = value.get("content_block");
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
        } else if !self.end.is_empty() {
            self.end.push(raw);
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

fn index(value: JsonRef<'_>) -> u64 {
    let index = value.get("index").and_then(JsonRef::integer);
    index.and_then(|index| index.try_into().ok()).unwrap_or(0)
}

/// An event about a block, with the number that the block has for the client.
fn moved(data: &str, offset: u64) -> Option<String> {
    let span = at(data, whole(data), &["index"])?;
    let index: u64 = data[span.clone()].parse().ok()?;
    let mut edits = Edits::default();
    edits.replace(span, index.checked_add(offset)?.to_string());
    Some(edits.apply_text(data))
}

impl Stream {
    fn read(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Written {
        let Ok(value) = Json::lossy(frame.data.as_bytes()) else {
            self.pass(frame.raw, out);
            return Written::Nothing;
        };
        let value = value.view();
        let mut written = Written::Nothing;
        match &*text_of(value, "type") {
            "message_start" => {
                if let Some(usage) = value.get("message").and_then(|it| it.get("usage")) {
                    self.account.add(usage.as_str());
                }
                if self.offset > 0 {
                    return written;
                }
            }
            "content_block_start" => self.starts(value),
            "content_block_delta" => {
                let delta = value.get("delta");
                let text = |name| delta.map(|delta| text_of(delta, name)).unwrap_or_default();
                match (&*text("type"), &mut self.open) {
                    (
                        "input_json_delta",
                        Some(Open {
                            kind: Kind::Call { input, .. },
                            ..
                        }),
                    ) => input.push_str(&text("partial_json")),
                    ("text_delta", _) => written = Written::Text(text("text")),
                    ("thinking_delta", _) => written = Written::Thinking(text("thinking")),
                    _ => {}
                }
            }
            "content_block_stop" => {
                self.stops(frame.raw, judge, out);
                return written;
            }
            "message_delta" => {
                self.message_delta(frame, value, out);
                return written;
            }
            _ => {}
        }
        self.pass(frame.raw, out);
        written
    }

    /// Why the answer ended, and what it used.
    fn message_delta(&mut self, frame: &Frame<'_>, value: JsonRef<'_>, out: &mut Vec<u8>) {
        let data = frame.data;
        let mut edits = Edits::default();
        if let Some(usage) = value.get("usage") {
            self.account.add(usage.as_str());
            if self.offset > 0
                && let (Some(total), Some(span)) =
                    (self.account.total(), at(data, whole(data), &["usage"]))
            {
                edits.replace(span, total);
            }
        }
        let is_spent = self.denied > 0 && self.left == 0;
        if is_spent && let Some(reason) = at(data, whole(data), &["delta", "stop_reason"]) {
            edits.replace(reason, r#""end_turn""#.to_owned());
        }
        if edits.is_empty() {
            return self.pass(frame.raw, out);
        }
        let event = typed_event("message_delta", &edits.apply_text(data));
        if is_spent {
            self.end.push(event.as_bytes());
        } else {
            self.pass(event.as_bytes(), out);
        }
    }
}

impl Reader for Stream {
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Written {
        if self.offset > 0
            && let Some(data) = moved(frame.data, self.offset)
            && let Some(kind) =
                at(&data, whole(&data), &["type"]).and_then(|span| crate::span::string(&data, span))
        {
            let raw = typed_event(&kind, &data);
            let frame = Frame {
                raw: raw.as_bytes(),
                data: &data,
            };
            return self.read(&frame, judge, out);
        }
        self.read(frame, judge, out)
    }

    fn cut(&mut self, note: &str, out: &mut Vec<u8>) {
        self.held.clear();
        self.end.clear();
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
        self.held.len() + self.end.len()
    }

    fn is_spent(&self) -> bool {
        !self.end.is_empty() && self.open.is_none()
    }

    fn continue_with_next(&mut self, _: &mut Vec<u8>) {
        self.end.clear();
        self.account.next();
        self.offset = self.next;
        self.denied = 0;
        self.left = 0;
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        self.held.release(out);
        self.end.release(out);
    }
}
