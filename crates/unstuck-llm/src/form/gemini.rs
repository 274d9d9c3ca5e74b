//! Gemini's `generateContent`.

use std::ops::Range;

use unstuck::{Call, Json};
use unstuck_json::JsonRef;
use unstuck_transcript::ModelApi;

use super::{
    Shape,
    contract::{Final, FormSpec, Frame, Heard, Insertion, Judge, Reader},
    shared::{call, event, quoted, text_of},
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
        let comma = if members(element, response.clone()).is_empty() {
            ""
        } else {
            ","
        };
        return Some(Insertion {
            at: response.end - 1,
            text: format!(r#"{comma}"unstuck":{}"#, quoted(text)),
        });
    }
    let last = parts.last()?;
    Some(Insertion {
        at: last.end,
        text: format!(",{}", self::part(text)),
    })
}

/// The parts of the first candidate.
fn parts(body: &str) -> Vec<Range<usize>> {
    let candidates = at(body, whole(body), &["candidates"]).map(|span| elements(body, span));
    // Several candidates are alternatives: which of them the agent takes is not known.
    let [candidate] = candidates.as_deref().unwrap_or_default() else {
        return Vec::new();
    };
    let parts = at(body, candidate.clone(), &["content", "parts"]);
    parts.map(|span| elements(body, span)).unwrap_or_default()
}

fn call_of(part: JsonRef<'_>) -> Option<Call> {
    let told = part
        .get("functionCall")
        .or_else(|| part.get("function_call"))?;
    let args = told.get("args").map(Json::from);
    let args = args.unwrap_or_else(Json::empty_object);
    call(&text_of(told, "id"), &text_of(told, "name"), args)
}

/// Replaces calls that are denied, and returns what was said.
fn edits(body: &str, judge: &mut Judge<'_>) -> (Edits, Heard) {
    let mut edits = Edits::default();
    let (mut said, mut thought) = (String::new(), String::new());
    for span in parts(body) {
        let Ok(told) = Json::lossy(&body.as_bytes()[span.clone()]) else {
            continue;
        };
        let told = told.view();
        if let Some(call) = call_of(told) {
            if let Some(text) = judge(&call) {
                edits.replace(span, part(&text));
            }
        } else if told.get("thought").and_then(JsonRef::boolean) == Some(true) {
            thought.push_str(&text_of(told, "text"));
        } else {
            said.push_str(&text_of(told, "text"));
        }
    }
    let heard = if !said.is_empty() {
        Heard::Said(said)
    } else if !thought.is_empty() {
        Heard::Thought(thought)
    } else {
        Heard::Nothing
    };
    (edits, heard)
}

/// Every event has whole calls, so that nothing has to be held.
#[derive(Debug, Default)]
struct Stream {
    model: String,
    id: String,
}

impl Reader for Stream {
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Heard {
        if self.id.is_empty()
            && let Ok(told) = Json::lossy(frame.data.as_bytes())
        {
            self.model = text_of(told.view(), "modelVersion");
            self.id = text_of(told.view(), "responseId");
        }
        let (edits, heard) = edits(frame.data, judge);
        if edits.is_empty() {
            out.extend_from_slice(frame.raw);
        } else {
            let data = edits.apply(frame.data.as_bytes());
            out.extend_from_slice(event(&String::from_utf8_lossy(&data)).as_bytes());
        }
        heard
    }

    fn cut(&mut self, note: &str, out: &mut Vec<u8>) {
        let text = format!("\n\n{note}");
        let given = Final {
            text: &text,
            model: &self.model,
            id: &self.id,
        };
        out.extend_from_slice(event(&answer(&given)).as_bytes());
    }

    fn held(&self) -> usize {
        0
    }

    fn release(&mut self, _: &mut Vec<u8>) {}
}
