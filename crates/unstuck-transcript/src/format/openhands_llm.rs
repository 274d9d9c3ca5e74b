//! OpenHands' logs of completions: the messages of each request and its response, as one document or line each. For
//! models without tools of their own, calls and results are written as text, and most logs have them again as calls.

use std::borrow::Cow;

use unstuck::{Json, Status};
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use super::openai_chat::{self, Chat};
use crate::{
    api::{Api, Bodies, sample},
    elements::Raw,
    head::Head,
    message::{Message, Part, Speaker},
    readable::readable,
    said::result_of,
    transcript::Origin,
    values::{Either, beginning},
    written,
};

pub(super) static OPENHANDS_LLM: FormatSpec = FormatSpec {
    name: "openhands-llm",
    title: "OpenHands",
    agent: "openhands",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

/// How the results of calls begin that were written as text.
const RESULT: &str = "EXECUTION RESULT of [";

/// Requests in the form of Chat Completions, with calls as text.
pub(crate) struct Completions;

pub(crate) type Reader = Either<Bodies<Completions>>;

fn reader(origin: &Origin) -> Reader {
    Either::new(Bodies::new(origin))
}

impl Api for Completions {
    const HISTORY: &'static str = Chat::HISTORY;

    fn is_answer(body: Raw<'_>) -> bool {
        Chat::is_answer(body)
    }

    fn is_element(element: Raw<'_>) -> bool {
        Chat::is_element(element)
    }

    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
        messages.push(read_text(openai_chat::message(element, number)));
    }

    fn answer(body: JsonRef<'_>) -> Option<Message> {
        Chat::answer(body).map(read_text)
    }

    /// The messages with their calls, where they are there beside those that the model got.
    fn history(body: Raw<'_>) -> Option<Raw<'_>> {
        let calls = body.get("fncall_messages").filter(|list| list.is_array());
        calls.or_else(|| body.get(Self::HISTORY))
    }

    fn answer_beside(body: Raw<'_>) -> Option<Raw<'_>> {
        let answers = ["fncall_response", "response"];
        answers
            .iter()
            .filter_map(|name| body.get(name))
            .find(|answer| Self::is_answer(*answer))
    }

    fn session(body: Raw<'_>) -> Option<Cow<'_, str>> {
        Chat::session(body)
    }
}

/// A message with the call or result that its text holds. Of several calls in a text only the first was made.
fn read_text(mut message: Message) -> Message {
    if message.speaker == Speaker::Model {
        if message.calls() > 0 {
            return message;
        }
        for part in std::mem::take(&mut message.parts) {
            match part {
                Part::Said(text) if message.calls() == 0 => match written::function(&text) {
                    Some(call) => {
                        message.say(call.before);
                        message.call("", call.tool, call.args);
                    }
                    None => message.say(&text),
                },
                part => message.parts.push(part),
            }
        }
        return message;
    }
    let is_result = |part: &Part| matches!(part, Part::Asked(text) if text.starts_with(RESULT));
    if message.parts.iter().any(is_result) {
        for part in std::mem::take(&mut message.parts) {
            let Part::Asked(text) = part else {
                message.parts.push(part);
                continue;
            };
            // What the harness adds is not a result.
            if let Some((tool, output)) = result_text(&text) {
                let output = Json::string(output);
                message.answer(result_of("", Status::Ok, Some(output)), tool);
            }
        }
    }
    message
}

/// The tool and the output of a result.
fn result_text(text: &str) -> Option<(&str, &str)> {
    let (tool, output) = text.strip_prefix(RESULT)?.split_once("]:")?;
    Some((tool, output.trim_start_matches('\n')))
}

/// Are these messages with calls as text?
pub(super) fn recognises(head: &Head<'_>) -> bool {
    const TAG: &str = "<function=";
    let text = readable(head.bytes);
    if !text.contains(TAG) && !text.contains("fncall_messages") {
        return false;
    }
    let text = beginning(&text);
    let Some(sample) = sample::<Completions>(text) else {
        return false;
    };
    let is_of_harness = |role: Option<Raw<'_>>| {
        let role = role.and_then(Raw::string);
        role.is_some_and(|role| matches!(&*role, "system" | "assistant"))
    };
    let has_tag = |element: &Raw<'_>| {
        let content = element.get("content");
        is_of_harness(element.get("role"))
            && content.is_some_and(|content| content.text.contains(TAG))
    };
    // A model with tools of its own that writes such a text only talks of a call.
    let has_tools = |element: &Raw<'_>| {
        let calls = element.get("tool_calls");
        calls.is_some_and(|calls| calls.elements().next().is_some())
    };
    let has_calls = |body: Raw<'_>| body.get("fncall_messages").is_some();
    let elements = &sample.elements;
    sample.body.is_some_and(has_calls)
        || (elements.iter().any(has_tag) && !elements.iter().any(has_tools))
}

#[cfg(test)]
#[path = "openhands_llm_tests.rs"]
mod tests;
