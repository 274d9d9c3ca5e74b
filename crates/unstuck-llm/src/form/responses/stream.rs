//! A streamed answer of the Responses API.

use std::collections::BTreeMap;

use unstuck::Json;
use unstuck_json::JsonRef;

use super::{call_of, id_in_place, is_call, item as item_of, response, writer::Writer};
use crate::{
    form::{
        account::Account,
        contract::{Final, Frame, Judge, Reader, Written},
        shared::{Held, quoted, text_of, typed_event},
    },
    span::{Edits, at, elements, members, string, whole},
};

#[derive(Debug, Default)]
pub(super) struct Stream {
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
    /// Calls of the present answer that were denied, and those that were not.
    denied: u32,
    left: u32,
    /// The last event, of an answer whose calls were all denied.
    end: Held,
    /// Place of the first item of the present answer and number of its first event, where it continues another one.
    offset: Option<Offset>,
    account: Account,
}

#[derive(Clone, Copy, Debug)]
struct Offset {
    place: i64,
    number: i64,
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

    fn item_done(&mut self, value: JsonRef<'_>, judge: &mut Judge<'_>) -> Option<Vec<u8>> {
        let index = place(value)?;
        let item = value.get("item")?;
        let first = self.open.remove(&index);
        if first.is_none() && !is_call(&text_of(item, "type")) {
            self.keep(index, item.as_str());
            return None;
        }
        let Some(text) = call_of(item).and_then(|call| judge(&call)) else {
            self.left += 1;
            self.keep(index, item.as_str());
            return None;
        };
        self.denied += 1;
        self.waiting.retain(|(of, _)| *of != Some(index));
        let id = id_in_place(item);
        let mut writer = Writer {
            next: first.unwrap_or_else(|| number(value)),
            out: String::new(),
        };
        writer.message(index, &id, &text);
        let whole = item_of(&id, &text);
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
    fn ended(&mut self, frame: &Frame<'_>, out: &mut Vec<u8>) {
        let mut edits = Edits::default();
        let data = frame.data;
        let first = self.offset.map_or(0, |offset| offset.place);
        if let Some(place) = at(data, whole(data), &["response", "output"]) {
            let output = elements(data, place.clone());
            let own = output.iter().enumerate().map(|(own, span)| {
                let index = first.saturating_add(i64::try_from(own).unwrap_or(0));
                let replaced = self.replaced.get(&index).map(String::as_str);
                replaced.unwrap_or(&data[span.clone()])
            });
            let before = self.done.range(..first).map(|(_, item)| item.as_str());
            // Where a provider does not repeat the items, none are added.
            if !output.is_empty() {
                let all: Vec<_> = before.chain(own).collect();
                edits.replace(place, format!("[{}]", all.join(",")));
            }
        }
        if let Some(usage) = at(data, whole(data), &["response", "usage"])
            && let Some(total) = self.offset.and(self.account.total())
        {
            edits.replace(usage, total);
        }
        let kind = at(data, whole(data), &["type"]).and_then(|span| string(data, span));
        let data = edits.apply_text(data);
        let event = typed_event(kind.as_deref().unwrap_or_default(), &data);
        if self.is_all_denied() && kind.as_deref() == Some("response.completed") {
            self.end.push(event.as_bytes());
        } else {
            out.extend_from_slice(event.as_bytes());
        }
    }

    fn is_all_denied(&self) -> bool {
        self.denied > 0 && self.left == 0
    }
}

/// An event of an answer that continues another one: its items and its number come after those of that one.
fn moved(data: &str, offset: Offset) -> String {
    let mut edits = Edits::default();
    for member in members(data, whole(data)) {
        let add = match &*member.name {
            "output_index" => offset.place,
            "sequence_number" => offset.number,
            _ => continue,
        };
        if let Ok(number) = data[member.value.clone()].parse::<i64>() {
            edits.replace(member.value, number.saturating_add(add).to_string());
        }
    }
    edits.apply_text(data)
}

fn place(value: JsonRef<'_>) -> Option<i64> {
    value.get("output_index").and_then(JsonRef::integer)
}

fn number(value: JsonRef<'_>) -> i64 {
    let number = value.get("sequence_number").and_then(JsonRef::integer);
    number.unwrap_or(0)
}

impl Stream {
    fn read(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Written {
        let Ok(json) = Json::lossy(frame.data.as_bytes()) else {
            self.write(None, frame.raw, out);
            return Written::Nothing;
        };
        let value = json.view();
        let kind = text_of(value, "type");
        let index = place(value);
        self.last = self.last.max(number(value));
        let mut written = Written::Nothing;
        match &*kind {
            "response.created" | "response.in_progress" | "response.queued"
                if self.offset.is_some() =>
            {
                return written;
            }
            "response.created" => {
                self.begun = value.get("response").map(|begun| Begun {
                    id: text_of(begun, "id"),
                    model: text_of(begun, "model"),
                });
            }
            "response.output_item.added" => self.item_added(value),
            "response.output_item.done" => {
                if self
                    .message
                    .as_ref()
                    .is_some_and(|(of, ..)| Some(*of) == index)
                {
                    self.message = None;
                }
                match self.item_done(value, judge) {
                    Some(instead) if self.waiting.is_empty() && self.open.is_empty() => {
                        out.extend_from_slice(&instead);
                    }
                    Some(instead) => self.waiting.push((index, instead)),
                    None => self.write(index, frame.raw, out),
                }
                self.flush(out);
                return written;
            }
            "response.output_text.delta" => {
                let delta = text_of(value, "delta");
                if let Some((_, _, text)) = &mut self.message
                    && text.len() < MOST_DONE
                {
                    text.push_str(&delta);
                }
                written = Written::Text(delta);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                written = Written::Thinking(text_of(value, "delta"));
            }
            "response.completed" | "response.incomplete" => {
                let usage = value.get("response").and_then(|it| it.get("usage"));
                if let Some(usage) = usage {
                    self.account.add(usage.as_str());
                }
                if self.offset.is_some() || !self.replaced.is_empty() {
                    self.open.clear();
                    self.flush(out);
                    self.ended(frame, out);
                    return written;
                }
            }
            _ => {}
        }
        self.write(index, frame.raw, out);
        written
    }

    fn item_added(&mut self, value: JsonRef<'_>) {
        let item = value.get("item");
        let kind = item.map(|item| text_of(item, "type")).unwrap_or_default();
        let Some(index) = place(value) else { return };
        if is_call(&kind) {
            self.open.insert(index, number(value));
        } else if kind == "message" {
            let id = item.map(|item| text_of(item, "id")).unwrap_or_default();
            self.message = Some((index, id, String::new()));
        }
    }
}

impl Reader for Stream {
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Written {
        let Some(offset) = self.offset else {
            return self.read(frame, judge, out);
        };
        let data = moved(frame.data, offset);
        let kind = at(&data, whole(&data), &["type"]).and_then(|span| string(&data, span));
        let Some(kind) = kind else {
            return self.read(frame, judge, out);
        };
        let raw = typed_event(&kind, &data);
        let frame = Frame {
            raw: raw.as_bytes(),
            data: &data,
        };
        self.read(&frame, judge, out)
    }

    fn cut(&mut self, note: &str, out: &mut Vec<u8>) {
        self.waiting.clear();
        self.open.clear();
        self.end.clear();
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
        self.done.insert(index, item_of(&id, &text));
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
        let waiting: usize = self.waiting.iter().map(|(_, bytes)| bytes.len()).sum();
        waiting + self.end.len()
    }

    fn is_spent(&self) -> bool {
        !self.end.is_empty()
    }

    fn continue_with_next(&mut self, _: &mut Vec<u8>) {
        self.end.clear();
        self.account.next();
        self.denied = 0;
        self.left = 0;
        let last = self.done.last_key_value();
        self.offset = Some(Offset {
            place: last.map_or(0, |(index, _)| index.saturating_add(1)),
            number: self.last.saturating_add(1),
        });
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        self.open.clear();
        self.flush(out);
        self.end.release(out);
    }
}
