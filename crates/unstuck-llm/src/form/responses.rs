//! The Responses API of OpenAI.

use std::collections::BTreeMap;

use unstuck::{Call, Json};
use unstuck_json::JsonRef;
use unstuck_transcript::{ModelApi, Part};

use super::{
    Shape,
    contract::{Final, FormSpec, Frame, Heard, Insertion, Judge, Reader},
    shared::{quoted, text_of, typed_event},
};
use crate::span::{Edits, at, elements, string, whole};

pub(super) static RESPONSES: FormSpec = FormSpec {
    name: "openai-responses",
    api: ModelApi::OpenAiResponses,
    history: "input",
    serves: |path| path.ends_with("/responses"),
    shape: |_, stream| if stream { Shape::Events } else { Shape::Whole },
    path_for_model: |_, _| None,
    note: |element, text| {
        Some(Insertion {
            at: element.len(),
            text: format!(
                r#",{{"type":"message","role":"developer","content":[{{"type":"input_text","text":{}}}]}}"#,
                quoted(text)
            ),
        })
    },
    judge,
    reader: || Box::<Stream>::default(),
    whole: |answer| response(answer, &[item(&item_id(answer), answer.text)]),
    events,
    error: |text| {
        let text = quoted(text);
        format!(
            r#"{{"error":{{"message":{text},"type":"invalid_request_error","param":null,"code":null}}}}"#
        )
    },
};

fn item_id(answer: &Final<'_>) -> String {
    format!("msg_{}", answer.id)
}

/// A message that says a text.
fn item(id: &str, text: &str) -> String {
    let (id, text) = (quoted(id), quoted(text));
    format!(
        r#"{{"type":"message","id":{id},"role":"assistant","status":"completed","content":[{{"type":"output_text","text":{text},"annotations":[]}}]}}"#
    )
}

fn response(answer: &Final<'_>, output: &[String]) -> String {
    let (id, model) = (quoted(&format!("resp_{}", answer.id)), quoted(answer.model));
    let status = if output.is_empty() {
        "in_progress"
    } else {
        "completed"
    };
    let output = output.join(",");
    format!(
        r#"{{"id":{id},"object":"response","created_at":0,"status":"{status}","error":null,"incomplete_details":null,"model":{model},"output":[{output}],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":{{"input_tokens":0,"input_tokens_details":{{"cached_tokens":0}},"output_tokens":0,"output_tokens_details":{{"reasoning_tokens":0}},"total_tokens":0}}}}"#
    )
}

fn events(answer: &Final<'_>) -> String {
    let mut writer = Writer::default();
    let created = response(answer, &[]);
    writer.event("response.created", &format!(r#""response":{created}"#));
    writer.message(0, &item_id(answer), answer.text);
    let done = response(answer, &[item(&item_id(answer), answer.text)]);
    writer.event("response.completed", &format!(r#""response":{done}"#));
    writer.out
}

/// Writes events with numbers in sequence.
#[derive(Default)]
struct Writer {
    next: i64,
    out: String,
}

impl Writer {
    fn event(&mut self, kind: &str, members: &str) {
        let number = self.next;
        self.next += 1;
        let data = format!(r#"{{"type":"{kind}","sequence_number":{number},{members}}}"#);
        self.out.push_str(&typed_event(kind, &data));
    }

    /// A whole message.
    fn message(&mut self, index: i64, id: &str, text: &str) {
        let empty = quoted(id);
        let added = format!(
            r#""output_index":{index},"item":{{"type":"message","id":{empty},"role":"assistant","status":"in_progress","content":[]}}"#
        );
        self.event("response.output_item.added", &added);
        let place = format!(
            r#""item_id":{},"output_index":{index},"content_index":0"#,
            quoted(id)
        );
        let part = r#""part":{"type":"output_text","text":"","annotations":[]}"#;
        self.event("response.content_part.added", &format!("{place},{part}"));
        let words = quoted(text);
        self.event(
            "response.output_text.delta",
            &format!(r#"{place},"delta":{words}"#),
        );
        self.end_of_message(index, id, text);
    }

    /// The events that end a message which says this as a whole.
    fn end_of_message(&mut self, index: i64, id: &str, text: &str) {
        let place = format!(
            r#""item_id":{},"output_index":{index},"content_index":0"#,
            quoted(id)
        );
        let words = quoted(text);
        self.event(
            "response.output_text.done",
            &format!(r#"{place},"text":{words}"#),
        );
        self.event(
            "response.content_part.done",
            &format!(r#"{place},"part":{{"type":"output_text","text":{words},"annotations":[]}}"#),
        );
        let whole = item(id, text);
        self.event(
            "response.output_item.done",
            &format!(r#""output_index":{index},"item":{whole}"#),
        );
    }
}

/// Whether the agent runs this item: the provider runs its own tools itself.
fn is_call(kind: &str) -> bool {
    matches!(
        kind,
        "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "shell_call"
            | "apply_patch_call"
            | "computer_call"
    )
}

/// The call that an item is, read as in histories.
fn call_of(item: JsonRef<'_>) -> Option<Call> {
    if !is_call(&text_of(item, "type")) {
        return None;
    }
    let mut messages = Vec::new();
    ModelApi::OpenAiResponses.element(item, &mut messages);
    let parts = messages.pop()?.parts;
    parts.into_iter().find_map(|part| match part {
        Part::Called(call) if !call.tool.is_empty() => Some(call),
        _ => None,
    })
}

/// The id of the message in place of a call.
fn id_in_place(item: JsonRef<'_>) -> String {
    let id = text_of(item, "id");
    let id = if id.is_empty() {
        text_of(item, "call_id")
    } else {
        id
    };
    format!("msg_unstuck_{id}")
}

fn judge(body: &str, judge: &mut Judge<'_>) -> Edits {
    let mut edits = Edits::default();
    let output = at(body, whole(body), &["output"]).map(|span| elements(body, span));
    for span in output.into_iter().flatten() {
        let Ok(told) = Json::lossy(&body.as_bytes()[span.clone()]) else {
            continue;
        };
        if let Some(text) = call_of(told.view()).and_then(|call| judge(&call)) {
            edits.replace(span, item(&id_in_place(told.view()), &text));
        }
    }
    edits
}

#[derive(Debug, Default)]
struct Stream {
    /// Events that are held, each with the item it belongs to.
    waiting: Vec<(Option<i64>, Vec<u8>)>,
    /// Items that are being written and are calls, with the number of their first event.
    open: BTreeMap<i64, i64>,
    /// Messages in place of calls, by the place of the item.
    replaced: BTreeMap<i64, String>,
    /// The message that is being written: its place, id and text so far.
    message: Option<(i64, String, String)>,
    /// The answer as it was begun, for an end before its own.
    begun: Option<Begun>,
    /// Items that are complete.
    done: BTreeMap<i64, String>,
    last: i64,
}

#[derive(Debug)]
struct Begun {
    id: String,
    model: String,
}

/// Bytes of complete items that are kept for an end before the stream's own.
const MOST_DONE: usize = 1 << 20;

impl Stream {
    fn write(&mut self, place: Option<i64>, raw: &[u8], out: &mut Vec<u8>) {
        if self.open.is_empty() && self.waiting.is_empty() {
            out.extend_from_slice(raw);
        } else {
            self.waiting.push((place, raw.to_vec()));
        }
    }

    /// Everything up to the first item that is still being written may go.
    fn flush(&mut self, out: &mut Vec<u8>) {
        if !self.open.is_empty() {
            return;
        }
        for (_, bytes) in std::mem::take(&mut self.waiting) {
            out.extend_from_slice(&bytes);
        }
    }

    fn item_done(&mut self, told: JsonRef<'_>, judge: &mut Judge<'_>) -> Option<Vec<u8>> {
        let index = place(told)?;
        let item = told.get("item")?;
        let first = self.open.remove(&index);
        if first.is_none() && !is_call(&text_of(item, "type")) {
            self.keep(index, item.as_str());
            return None;
        }
        let Some(text) = call_of(item).and_then(|call| judge(&call)) else {
            self.keep(index, item.as_str());
            return None;
        };
        self.waiting.retain(|(of, _)| *of != Some(index));
        let id = id_in_place(item);
        let mut writer = Writer {
            next: first.unwrap_or_else(|| number(told)),
            out: String::new(),
        };
        writer.message(index, &id, &text);
        let whole = self::item(&id, &text);
        self.keep(index, &whole);
        self.replaced.insert(index, whole);
        Some(writer.out.into_bytes())
    }

    fn keep(&mut self, index: i64, item: &str) {
        let kept: usize = self.done.values().map(String::len).sum();
        if kept + item.len() <= MOST_DONE {
            self.done.insert(index, item.to_owned());
        }
    }

    /// The last event, which repeats all items.
    fn ended(&self, frame: &Frame<'_>, out: &mut Vec<u8>) {
        let mut edits = Edits::default();
        let data = frame.data;
        let output = at(data, whole(data), &["response", "output"]);
        let output = output.map(|span| elements(data, span)).unwrap_or_default();
        for (index, item) in &self.replaced {
            let span = usize::try_from(*index).ok().and_then(|at| output.get(at));
            if let Some(span) = span {
                edits.replace(span.clone(), item.clone());
            }
        }
        if edits.is_empty() {
            out.extend_from_slice(frame.raw);
            return;
        }
        let kind = at(data, whole(data), &["type"]).and_then(|span| string(data, span));
        let data = edits.apply(data.as_bytes());
        let data = String::from_utf8_lossy(&data);
        let event = typed_event(kind.as_deref().unwrap_or_default(), &data);
        out.extend_from_slice(event.as_bytes());
    }
}

fn place(told: JsonRef<'_>) -> Option<i64> {
    told.get("output_index").and_then(JsonRef::integer)
}

fn number(told: JsonRef<'_>) -> i64 {
    let number = told.get("sequence_number").and_then(JsonRef::integer);
    number.unwrap_or(0)
}

impl Reader for Stream {
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Heard {
        let Ok(json) = Json::lossy(frame.data.as_bytes()) else {
            self.write(None, frame.raw, out);
            return Heard::Nothing;
        };
        let told = json.view();
        let kind = text_of(told, "type");
        let at = place(told);
        self.last = self.last.max(number(told));
        let mut heard = Heard::Nothing;
        match &*kind {
            "response.created" => {
                self.begun = told.get("response").map(|begun| Begun {
                    id: text_of(begun, "id"),
                    model: text_of(begun, "model"),
                });
            }
            "response.output_item.added" => {
                let item = told.get("item");
                let of = item.map(|item| text_of(item, "type")).unwrap_or_default();
                if let Some(index) = at {
                    if is_call(&of) {
                        self.open.insert(index, number(told));
                    } else if of == "message" {
                        let id = item.map(|item| text_of(item, "id")).unwrap_or_default();
                        self.message = Some((index, id, String::new()));
                    }
                }
            }
            "response.output_item.done" => {
                if self
                    .message
                    .as_ref()
                    .is_some_and(|(of, ..)| Some(*of) == at)
                {
                    self.message = None;
                }
                match self.item_done(told, judge) {
                    Some(instead) if self.waiting.is_empty() && self.open.is_empty() => {
                        out.extend_from_slice(&instead);
                    }
                    Some(instead) => self.waiting.push((at, instead)),
                    None => self.write(at, frame.raw, out),
                }
                self.flush(out);
                return heard;
            }
            "response.output_text.delta" => {
                let delta = text_of(told, "delta");
                if let Some((_, _, text)) = &mut self.message
                    && text.len() < MOST_DONE
                {
                    text.push_str(&delta);
                }
                heard = Heard::Said(delta);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                heard = Heard::Thought(text_of(told, "delta"));
            }
            "response.completed" | "response.incomplete" if !self.replaced.is_empty() => {
                self.open.clear();
                self.flush(out);
                self.ended(frame, out);
                return heard;
            }
            _ => {}
        }
        self.write(at, frame.raw, out);
        heard
    }

    fn cut(&mut self, note: &str, out: &mut Vec<u8>) {
        self.waiting.clear();
        self.open.clear();
        let mut writer = Writer {
            next: self.last + 1,
            out: String::new(),
        };
        let (index, id, text) = if let Some((index, id, text)) = self.message.take() {
            let text = format!("{text}\n\n{note}");
            let delta = quoted(&format!("\n\n{note}"));
            let of = quoted(&id);
            writer.event(
                "response.output_text.delta",
                &format!(
                    r#""item_id":{of},"output_index":{index},"content_index":0,"delta":{delta}"#
                ),
            );
            writer.end_of_message(index, &id, &text);
            (index, id, text)
        } else {
            let last = self.done.last_key_value();
            let index = last.map_or(0, |(index, _)| index + 1);
            let id = format!("msg_unstuck_{index}");
            writer.message(index, &id, note);
            (index, id, note.to_owned())
        };
        self.done.insert(index, item(&id, &text));
        let begun = self.begun.take();
        let id = begun.as_ref().map_or("unstuck", |begun| &begun.id);
        let answer = Final {
            text: "",
            model: begun.as_ref().map_or("", |begun| &begun.model),
            id: id.strip_prefix("resp_").unwrap_or(id),
        };
        let output: Vec<_> = std::mem::take(&mut self.done).into_values().collect();
        let whole = response(&answer, &output);
        writer.event("response.completed", &format!(r#""response":{whole}"#));
        out.extend_from_slice(writer.out.as_bytes());
    }

    fn held(&self) -> usize {
        self.waiting.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        self.open.clear();
        self.flush(out);
    }
}
