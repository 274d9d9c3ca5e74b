//! The Chat Completions API of OpenAI, which many providers speak.

use std::{collections::BTreeMap, ops::Range};

use unstuck::{Call, Json};
use unstuck_json::JsonRef;
use unstuck_transcript::{ModelApi, Part};

use super::{
    Shape,
    account::Account,
    contract::{FormSpec, Frame, Insertion, Judge, Reader, Written},
    shared::{Held, add_text, add_usage, arguments, call, event, is_given, quoted, text_of},
};
use crate::span::{Edits, at, elements, members, string, whole};

pub(super) static CHAT: FormSpec = FormSpec {
    name: "openai-chat",
    api: ModelApi::OpenAiChat,
    history: "messages",
    serves: |path| path.ends_with("/chat/completions"),
    shape: |_, stream| if stream { Shape::Events } else { Shape::Whole },
    path_for_model: |_, _| None,
    note,
    judge,
    join,
    reader: || Box::<Stream>::default(),
    whole: |answer| {
        let (id, model, text) = (
            quoted(&format!("chatcmpl-{}", answer.id)),
            quoted(answer.model),
            quoted(answer.text),
        );
        format!(
            r#"{{"id":{id},"object":"chat.completion","created":0,"model":{model},"choices":[{{"index":0,"message":{{"role":"assistant","content":{text},"refusal":null}},"logprobs":null,"finish_reason":"stop"}}],"usage":{USAGE}}}"#
        )
    },
    events: |answer| {
        let base = Base {
            id: quoted(&format!("chatcmpl-{}", answer.id)),
            created: "0".to_owned(),
            model: quoted(answer.model),
        };
        let text = quoted(answer.text);
        let mut out = base.chunk(
            &format!(r#"{{"role":"assistant","content":{text}}}"#),
            "null",
        );
        out.push_str(&base.end());
        out
    },
    error: |text| {
        let text = quoted(text);
        format!(
            r#"{{"error":{{"message":{text},"type":"invalid_request_error","param":null,"code":null}}}}"#
        )
    },
};

const USAGE: &str = r#"{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}"#;

fn block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quoted(text))
}

/// A message without text of its own gets one of a user behind it.
fn note(element: &str, text: &str) -> Option<Insertion> {
    add_text(element, &["content"], text, |_| true, block).or_else(|| {
        Some(Insertion {
            at: element.len(),
            text: format!(r#",{{"role":"user","content":{}}}"#, quoted(text)),
        })
    })
}

/// A call as it stands in a message. Calls in a history are read alike.
fn call_of(value: &str) -> Option<Call> {
    let message = format!(r#"{{"role":"assistant","tool_calls":[{value}]}}"#);
    let json = Json::lossy(message.as_bytes()).ok()?;
    let mut messages = Vec::new();
    ModelApi::OpenAiChat.element(json.view(), &mut messages);
    let parts = messages.pop()?.parts;
    parts.into_iter().find_map(|part| match part {
        Part::Called(call) if !call.tool.is_empty() => Some(call),
        _ => None,
    })
}

fn judge(body: &str, judge: &mut Judge<'_>) -> Edits {
    let mut edits = Edits::default();
    let choices = at(body, whole(body), &["choices"]).map(|span| elements(body, span));
    // Several choices are alternatives: which of them the agent takes is not known.
    let [choice] = choices.as_deref().unwrap_or_default() else {
        return edits;
    };
    let Some(message) = at(body, choice.clone(), &["message"]) else {
        return edits;
    };
    let Some(calls) = at(body, message.clone(), &["tool_calls"]) else {
        return edits;
    };
    let (mut kept, mut texts) = (Vec::new(), Vec::new());
    for span in elements(body, calls.clone()) {
        let value = &body[span];
        match call_of(value).and_then(|call| judge(&call)) {
            Some(text) => texts.push(text),
            None => kept.push(value),
        }
    }
    if texts.is_empty() {
        return edits;
    }
    let said = at(body, message.clone(), &["content"]);
    let words = said
        .clone()
        .and_then(|span| string(body, span))
        .filter(|said| !said.is_empty());
    let text = quoted(
        &words
            .into_iter()
            .chain(texts)
            .collect::<Vec<_>>()
            .join("\n\n"),
    );
    match said {
        Some(span) => edits.replace(span, text),
        None => edits.replace(
            message.start + 1..message.start + 1,
            format!(r#""content":{text},"#),
        ),
    }
    if kept.is_empty() {
        // The member goes as a whole: an empty list is an error for some clients.
        edits.replace(calls, "null".to_owned());
        if let Some(reason) = at(body, choice.clone(), &["finish_reason"]) {
            edits.replace(reason, r#""stop""#.to_owned());
        }
    } else {
        edits.replace(calls, format!("[{}]", kept.join(",")));
    }
    edits
}

/// The words of both answers, before the calls of the second.
fn join(first: &str, second: &str) -> Option<String> {
    let content = |text: &str| {
        let choices = at(text, whole(text), &["choices"])?;
        let choice = elements(text, choices).into_iter().next()?;
        let message = at(text, choice, &["message"])?;
        let content = at(text, message.clone(), &["content"]);
        Some((message, content))
    };
    let words = |text: &str, span: Option<Range<usize>>| {
        let words = span.and_then(|span| string(text, span));
        words.filter(|words| !words.is_empty())
    };
    let (_, before) = content(first)?;
    let (message, place) = content(second)?;
    let both = [words(first, before), words(second, place.clone())];
    let text = both.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let mut edits = Edits::default();
    match place {
        Some(span) => edits.replace(span, quoted(&text)),
        None => edits.replace(
            message.start + 1..message.start + 1,
            format!(r#""content":{},"#, quoted(&text)),
        ),
    }
    add_usage(first, second, "usage", &mut edits);
    Some(edits.apply_text(second))
}

/// What all chunks of an answer have in common, as JSON.
#[derive(Debug, Default)]
struct Base {
    id: String,
    created: String,
    model: String,
}

impl Base {
    fn of(value: JsonRef<'_>) -> Self {
        let raw = |name: &str, or: &str| {
            let value = value.get(name).map(|value| value.as_str().to_owned());
            value.unwrap_or_else(|| or.to_owned())
        };
        Self {
            id: raw("id", r#""chatcmpl-unstuck""#),
            created: raw("created", "0"),
            model: raw("model", r#""""#),
        }
    }

    fn chunk(&self, delta: &str, reason: &str) -> String {
        let Self { id, created, model } = self;
        event(&format!(
            r#"{{"id":{id},"object":"chat.completion.chunk","created":{created},"model":{model},"choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
        ))
    }

    /// The last events of an answer.
    fn end(&self) -> String {
        let Self { id, created, model } = self;
        let mut out = event(&format!(
            r#"{{"id":{id},"object":"chat.completion.chunk","created":{created},"model":{model},"choices":[{{"index":0,"delta":{{}},"finish_reason":"stop"}}],"usage":{USAGE}}}"#
        ));
        out.push_str(&event("[DONE]"));
        out
    }
}

#[derive(Debug, Default)]
struct Stream {
    base: Base,
    held: Held,
    calls: BTreeMap<i64, Calling>,
    /// Whether an event with the role was written.
    has_role: bool,
    /// The last events, of an answer whose calls were all denied.
    end: Held,
    is_continued: bool,
    account: Account,
}

/// A call that is being written.
#[derive(Debug, Default)]
struct Calling {
    id: String,
    tool: String,
    /// Arguments of a function, or the input of a custom tool.
    input: String,
    is_custom: bool,
}

impl Calling {
    fn add(&mut self, piece: JsonRef<'_>) {
        if self.id.is_empty() {
            self.id = text_of(piece, "id");
        }
        for (member, input) in [("function", "arguments"), ("custom", "input")] {
            let Some(value) = piece.get(member) else {
                continue;
            };
            self.is_custom = member == "custom";
            self.tool.push_str(&text_of(value, "name"));
            self.input.push_str(&text_of(value, input));
        }
    }

    fn call(&self) -> Option<Call> {
        let args = if self.is_custom {
            let input = quoted(&self.input);
            Json::parse(&format!(r#"{{"input":{input}}}"#)).unwrap_or_default()
        } else {
            arguments(&self.input)
        };
        call(&self.id, &self.tool, args)
    }

    fn write(&self, index: usize) -> String {
        let (id, tool, input) = (quoted(&self.id), quoted(&self.tool), quoted(&self.input));
        if self.is_custom {
            format!(
                r#"{{"index":{index},"id":{id},"type":"custom","custom":{{"name":{tool},"input":{input}}}}}"#
            )
        } else {
            format!(
                r#"{{"index":{index},"id":{id},"type":"function","function":{{"name":{tool},"arguments":{input}}}}}"#
            )
        }
    }
}

impl Stream {
    /// All calls are complete.
    fn settle(&mut self, last: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) {
        let (mut kept, mut texts) = (Vec::new(), Vec::new());
        for calling in std::mem::take(&mut self.calls).into_values() {
            match calling.call().and_then(|call| judge(&call)) {
                Some(text) => texts.push(text),
                None => kept.push(calling),
            }
        }
        if texts.is_empty() {
            self.held.release(out);
            out.extend_from_slice(last.raw);
            return;
        }
        self.held.clear();
        let role = if self.has_role {
            ""
        } else {
            r#""role":"assistant","#
        };
        let text = quoted(&format!("\n\n{}", texts.join("\n\n")));
        let delta = format!(r#"{{{role}"content":{text}}}"#);
        out.extend_from_slice(self.base.chunk(&delta, "null").as_bytes());
        if !kept.is_empty() {
            let calls: Vec<_> = kept
                .iter()
                .enumerate()
                .map(|(index, calling)| calling.write(index))
                .collect();
            let delta = format!(r#"{{"tool_calls":[{}]}}"#, calls.join(","));
            out.extend_from_slice(self.base.chunk(&delta, "null").as_bytes());
        }
        let last = ended(last, kept.is_empty());
        if kept.is_empty() {
            self.end.push(&last);
        } else {
            out.extend_from_slice(&last);
        }
    }
}

/// The last event of the choice: its calls were written already.
fn ended(last: &Frame<'_>, ends: bool) -> Vec<u8> {
    let data = last.data;
    let mut edits = Edits::default();
    let choices = at(data, whole(data), &["choices"]).map(|span| elements(data, span));
    for choice in choices.into_iter().flatten() {
        for member in members(data, choice) {
            match &*member.name {
                "delta" => edits.replace(member.value, "{}".to_owned()),
                "finish_reason" if ends => {
                    edits.replace(member.value, r#""stop""#.to_owned());
                }
                _ => {}
            }
        }
    }
    if edits.is_empty() {
        return last.raw.to_vec();
    }
    event(&edits.apply_text(data)).into_bytes()
}

impl Stream {
    /// An event of an answer that continues another one, as a chunk of that one. `None` for an event that says nothing new.
    fn continued(&self, data: &str, value: JsonRef<'_>) -> Option<String> {
        let is_empty = |delta: JsonRef<'_>| {
            let mut members = delta.members();
            members.all(|(name, value)| name == "role" || matches!(value.as_str(), "null" | "\"\""))
        };
        let mut choices = value.get("choices").into_iter().flat_map(JsonRef::elements);
        let says_nothing = choices.next().is_some_and(|choice| {
            choice.get("delta").is_some_and(is_empty) && !is_given(choice.get("finish_reason"))
        });
        if says_nothing && !is_given(value.get("usage")) {
            return None;
        }
        let mut edits = Edits::default();
        for member in members(data, whole(data)) {
            match &*member.name {
                "id" => edits.replace(member.value, self.base.id.clone()),
                "usage" if &data[member.value.clone()] != "null" => {
                    if let Some(total) = self.account.total() {
                        edits.replace(member.value, total);
                    }
                }
                _ => {}
            }
        }
        Some(event(&edits.apply_text(data)))
    }

    fn read(
        &mut self,
        frame: &Frame<'_>,
        value: JsonRef<'_>,
        judge: &mut Judge<'_>,
        out: &mut Vec<u8>,
    ) -> Written {
        if !self.end.is_empty() {
            self.end.push(frame.raw);
            return Written::Nothing;
        }
        let mut choices = value.get("choices").into_iter().flat_map(JsonRef::elements);
        let choice = choices.next();
        let is_first = choice
            .and_then(|choice| choice.get("index"))
            .is_none_or(|index| index.as_str() == "0");
        let delta = choice
            .filter(|_| is_first)
            .and_then(|choice| choice.get("delta"));
        let pieces = delta
            .and_then(|delta| delta.get("tool_calls"))
            .into_iter()
            .flat_map(JsonRef::elements);
        for (place, piece) in pieces.enumerate() {
            if self.calls.is_empty() && !self.is_continued {
                self.base = Base::of(value);
            }
            let index = piece.get("index").and_then(JsonRef::integer);
            let index = index.unwrap_or_else(|| i64::try_from(place).unwrap_or(0));
            self.calls.entry(index).or_default().add(piece);
        }
        let is_over = choice.is_some_and(|choice| is_given(choice.get("finish_reason")));
        if self.calls.is_empty() {
            if self.base.id.is_empty() {
                self.base = Base::of(value);
            }
            self.has_role |= delta.is_some_and(|delta| is_given(delta.get("role")));
            out.extend_from_slice(frame.raw);
        } else if is_over && is_first {
            self.settle(frame, judge, out);
        } else {
            self.held.push(frame.raw);
        }
        written(delta)
    }
}

impl Reader for Stream {
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Written {
        let value = Json::lossy(frame.data.as_bytes());
        let value = value.as_ref().map(Json::view);
        let Ok(value) = value else {
            // `[DONE]`, or a comment.
            if !self.end.is_empty() {
                self.end.push(frame.raw);
            } else if self.held.is_empty() {
                out.extend_from_slice(frame.raw);
            } else if frame.data.is_empty() {
                self.held.push(frame.raw);
            } else {
                self.settle(frame, judge, out);
            }
            return Written::Nothing;
        };
        if let Some(usage) = value.get("usage").filter(|usage| is_given(Some(*usage))) {
            self.account.add(usage.as_str());
        }
        if !self.is_continued {
            return self.read(frame, value, judge, out);
        }
        let Some(event) = self.continued(frame.data, value) else {
            return Written::Nothing;
        };
        let frame = Frame {
            raw: event.as_bytes(),
            data: event.trim_start_matches("data: ").trim_end(),
        };
        self.read(&frame, value, judge, out)
    }

    fn cut(&mut self, note: &str, out: &mut Vec<u8>) {
        self.held.clear();
        self.end.clear();
        let text = quoted(&format!("\n\n{note}"));
        let delta = format!(r#"{{"content":{text}}}"#);
        out.extend_from_slice(self.base.chunk(&delta, "null").as_bytes());
        out.extend_from_slice(self.base.end().as_bytes());
    }

    fn held(&self) -> usize {
        self.held.len() + self.end.len()
    }

    fn is_spent(&self) -> bool {
        !self.end.is_empty()
    }

    fn continue_with_next(&mut self, out: &mut Vec<u8>) {
        self.end.clear();
        self.account.next();
        self.is_continued = true;
        // The denial ends with the arguments of a call: what follows is another paragraph.
        let delta = r#"{"content":"\n\n"}"#;
        out.extend_from_slice(self.base.chunk(delta, "null").as_bytes());
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        self.held.release(out);
        self.end.release(out);
    }
}

fn written(delta: Option<JsonRef<'_>>) -> Written {
    let Some(delta) = delta else {
        return Written::Nothing;
    };
    let said = text_of(delta, "content");
    if !said.is_empty() {
        return Written::Text(said);
    }
    for name in ["reasoning_content", "reasoning"] {
        let thought = text_of(delta, name);
        if !thought.is_empty() {
            return Written::Thinking(thought);
        }
    }
    Written::Nothing
}
