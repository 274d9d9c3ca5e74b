//! Gemini's `generateContent`.

use std::ops::Range;

use unstuck::{Call, Json};
use unstuck_json::JsonRef;
use unstuck_transcript::ModelApi;

use super::{
    Shape,
    account::Account,
    contract::{Final, FormSpec, Frame, Insertion, Judge, Reader, Written},
    shared::{add_usage, call, escaped, event, is_given, quoted, text_of},
};
use crate::span::{Edits, at, elements, members, whole};

pub(super) static GEMINI: FormSpec = FormSpec {
    name: "gemini",
    api: ModelApi::GeminiApi,
    history: "contents",
    serves: |path| method(path).is_some(),
    shape: |path, _| {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        match method(path) {
            Some("streamGenerateContent") if query.split('&').any(|part| part == "alt=sse") => {
                Shape::Events
            }
            Some("streamGenerateContent") => Shape::Array,
            _ => Shape::Whole,
        }
    },
    path_for_model: |path, model| {
        let (before, rest) = path.rsplit_once("/models/")?;
        let (_, method) = rest.split_once(':')?;
        Some(format!("{before}/models/{model}:{method}"))
    },
    note,
    judge: |body, judge| edits(body, judge).0,
    join,
    reader: || Box::<Stream>::default(),
    whole: answer,
    events: |given| event(&answer(given)),
    error: |text| {
        let text = quoted(text);
        format!(r#"{{"error":{{"code":400,"message":{text},"status":"FAILED_PRECONDITION"}}}}"#)
    },
};

fn method(path: &str) -> Option<&str> {
    let (_, method) = path.rsplit_once('/')?.1.rsplit_once(':')?;
    matches!(method, "generateContent" | "streamGenerateContent").then_some(method)
}

fn part(text: &str) -> String {
    format!(r#"{{"text":{}}}"#, quoted(text))
}

fn answer(given: &Final<'_>) -> String {
    let (id, model, part) = (
        quoted(&format!("unstuck-{}", given.id)),
        quoted(given.model),
        part(given.text),
    );
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{part}],"role":"model"}},"finishReason":"STOP","index":0}}],"usageMetadata":{{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0}},"modelVersion":{model},"responseId":{id}}}"#
    )
}

/// Member of a result that holds a text of this program.
const NOTE: &str = "unstuck";

/// There must be as many results as calls, and nothing else beside them: the text becomes a member of the last result. A
/// content without results gets it as a part.
fn note(element: &str, text: &str) -> Option<Insertion> {
    let parts = at(element, whole(element), &["parts"])?;
    let parts = elements(element, parts);
    let response = parts.iter().rev().find_map(|part| {
        let names = ["functionResponse", "function_response"];
        let result = names
            .iter()
            .find_map(|name| at(element, part.clone(), &[name]))?;
        at(element, result, &["response"])
    });
    if let Some(response) = response
        && element.as_bytes().get(response.start) == Some(&b'{')
    {
        let members = members(element, response.clone());
        if let Some(own) = members.iter().rfind(|member| member.name == NOTE)
            && element.as_bytes().get(own.value.start) == Some(&b'"')
        {
            return Some(Insertion {
                at: own.value.end - 1,
                text: escaped(&format!("\n\n{text}")),
            });
        }
        let comma = if members.is_empty() { "" } else { "," };
        return Some(Insertion {
            at: response.end - 1,
            text: format!(r#"{comma}"{NOTE}":{}"#, quoted(text)),
        });
    }
    let last = parts.last()?;
    Some(Insertion {
        at: last.end,
        text: format!(",{}", self::part(text)),
    })
}

fn join(first: &str, second: &str) -> Option<String> {
    let place = parts_place(second)?;
    let mut written: Vec<_> = parts(first).into_iter().map(|span| &first[span]).collect();
    let after = elements(second, place.clone());
    written.extend(after.into_iter().map(|span| &second[span]));
    let mut edits = Edits::default();
    edits.replace(place, format!("[{}]", written.join(",")));
    add_usage(first, second, USAGE, &mut edits);
    Some(edits.apply_text(second))
}

/// Member of an answer with what was used.
const USAGE: &str = "usageMetadata";

/// The parts of the only candidate.
fn parts(body: &str) -> Vec<Range<usize>> {
    let place = parts_place(body);
    place.map(|span| elements(body, span)).unwrap_or_default()
}

/// Where the list of these parts stands.
fn parts_place(body: &str) -> Option<Range<usize>> {
    at(body, candidate(body)?, &["content", "parts"])
}

fn candidate(body: &str) -> Option<Range<usize>> {
    let candidates = at(body, whole(body), &["candidates"]).map(|span| elements(body, span));
    // Several candidates are alternatives: which of them the agent takes is not known.
    match candidates.as_deref().unwrap_or_default() {
        [candidate] => Some(candidate.clone()),
        _ => None,
    }
}

fn call_of(part: JsonRef<'_>) -> Option<Call> {
    let value = part
        .get("functionCall")
        .or_else(|| part.get("function_call"))?;
    let args = value.get("args").map(Json::from);
    let args = args.unwrap_or_else(Json::empty_object);
    call(&text_of(value, "id"), &text_of(value, "name"), args)
}

/// Replaces calls that are denied, and returns what was said.
fn edits(body: &str, judge: &mut Judge<'_>) -> (Edits, Written) {
    let mut edits = Edits::default();
    let (mut said, mut thought) = (String::new(), String::new());
    for span in parts(body) {
        let Ok(value) = Json::lossy(&body.as_bytes()[span.clone()]) else {
            continue;
        };
        let value = value.view();
        if let Some(call) = call_of(value) {
            if let Some(text) = judge(&call) {
                edits.replace(span, part(&text));
            }
        } else if value.get("thought").and_then(JsonRef::boolean) == Some(true) {
            thought.push_str(&text_of(value, "text"));
        } else {
            said.push_str(&text_of(value, "text"));
        }
    }
    let written = if !said.is_empty() {
        Written::Text(said)
    } else if !thought.is_empty() {
        Written::Thinking(thought)
    } else {
        Written::Nothing
    };
    (edits, written)
}

/// Every event has whole calls, so that only the end of an answer has to be held.
#[derive(Debug, Default)]
struct Stream {
    model: String,
    id: String,
    denied: u32,
    left: u32,
    /// The data of the last event, of an answer whose calls were all denied.
    end: String,
    is_continued: bool,
    account: Account,
}

impl Reader for Stream {
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Written {
        let json = Json::lossy(frame.data.as_bytes()).ok();
        let value = json.as_ref().map(Json::view);
        if self.id.is_empty()
            && let Some(value) = value
        {
            self.model = text_of(value, "modelVersion");
            self.id = text_of(value, "responseId");
        }
        let (mut denied, mut left) = (0, 0);
        let mut counted = |call: &Call| {
            let text = judge(call);
            if text.is_some() {
                denied += 1;
            } else {
                left += 1;
            }
            text
        };
        let (mut edits, written) = edits(frame.data, &mut counted);
        self.denied += denied;
        self.left += left;
        if let Some(usage) = value.and_then(|value| value.get(USAGE)) {
            self.account.add(usage.as_str());
            if self.is_continued
                && let Some(total) = self.account.total()
                && let Some(span) = at(frame.data, whole(frame.data), &[USAGE])
            {
                edits.replace(span, total);
            }
        }
        let is_over = value.is_some_and(|value| {
            let mut candidates = value
                .get("candidates")
                .into_iter()
                .flat_map(JsonRef::elements);
            candidates.any(|candidate| is_given(candidate.get(REASON)))
        });
        if self.denied > 0 && self.left == 0 && is_over {
            self.end = edits.apply_text(frame.data);
        } else if edits.is_empty() {
            out.extend_from_slice(frame.raw);
        } else {
            out.extend_from_slice(event(&edits.apply_text(frame.data)).as_bytes());
        }
        written
    }

    fn cut(&mut self, note: &str, out: &mut Vec<u8>) {
        self.end.clear();
        let text = format!("\n\n{note}");
        let given = Final {
            text: &text,
            model: &self.model,
            id: &self.id,
        };
        out.extend_from_slice(event(&answer(&given)).as_bytes());
    }

    fn held(&self) -> usize {
        self.end.len()
    }

    fn is_spent(&self) -> bool {
        !self.end.is_empty()
    }

    fn continue_with_next(&mut self, out: &mut Vec<u8>) {
        let data = std::mem::take(&mut self.end);
        let mut edits = Edits::default();
        if let Some(reason) = candidate(&data).and_then(|span| at(&data, span, &[REASON])) {
            edits.replace(reason, "null".to_owned());
        }
        out.extend_from_slice(event(&edits.apply_text(&data)).as_bytes());
        self.account.next();
        self.is_continued = true;
        self.denied = 0;
        self.left = 0;
    }

    fn release(&mut self, out: &mut Vec<u8>) {
        if !self.end.is_empty() {
            out.extend_from_slice(event(&std::mem::take(&mut self.end)).as_bytes());
        }
    }
}

/// Member of a candidate that says why it ended.
const REASON: &str = "finishReason";
