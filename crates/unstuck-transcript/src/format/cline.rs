//! Cline and Roo Code: the `api_conversation_history.json` in the folder of a task.
//!
//! Messages are those of Anthropic's API. Calls are written as text, in tags, or made as calls of the API; results of
//! the former are texts that begin with the call.

use unstuck::{Json, Status};
use unstuck_json::JsonRef;

use super::anthropic_messages::{Messages, add_block};
use super::contract::{FormatSpec, Location, Reading, Root};
use crate::{
    api::{Api, Bodies, sample},
    elements::{End, Raw},
    head::Head,
    look::text,
    message::Message,
    readable::readable,
    said::result_of,
    time::time,
    transcript::Origin,
    values::{Either, beginning},
    written,
};

pub(super) static CLINE: FormatSpec = FormatSpec {
    name: "cline",
    title: "Cline",
    agent: "cline",
    recognises,
    reading: Reading::Lines(|origin| Box::new(reader(origin))),
    endings: &[".jsonl", ".json"],
    files_named_alike: &["api_conversation_history"],
    directory: &[],
    locations: &[
        Location {
            root: Root::Home(".cline", None),
            under: "data/tasks",
            title: None,
        },
        cline_in(Root::Application("Code/User/globalStorage")),
        roo_code_in(Root::Application("Code/User/globalStorage")),
        cline_in(Root::Application("VSCodium/User/globalStorage")),
        roo_code_in(Root::Application("VSCodium/User/globalStorage")),
        cline_in(Root::Application("Cursor/User/globalStorage")),
        roo_code_in(Root::Application("Cursor/User/globalStorage")),
        cline_in(Root::Home(".vscode-server/data/User/globalStorage", None)),
        roo_code_in(Root::Home(".vscode-server/data/User/globalStorage", None)),
    ],
};

/// The tasks of the extension in an editor.
const fn cline_in(editor: Root) -> Location {
    Location {
        root: editor,
        under: "saoudrizwan.claude-dev/tasks",
        title: None,
    }
}

/// The tasks of Roo Code, which began as Cline and writes the same files.
const fn roo_code_in(editor: Root) -> Location {
    Location {
        root: editor,
        under: "rooveterinaryinc.roo-cline/tasks",
        title: Some("Roo Code"),
    }
}

/// How a result begins whose call failed.
const FAILED: &str = "The tool execution failed with the following error";
/// How a result begins whose call a person refused.
const DENIED: &str = "The user denied this operation";

/// Tags around what a person wrote.
const PERSON: [&str; 4] = ["<task>", "<feedback>", "<user_message>", "<answer>"];
/// How texts begin that the harness adds.
const HARNESS: [&str; 4] = [
    "<environment_details>",
    "[ERROR] You did not use a tool",
    "[TASK RESUMPTION]",
    "[NOTE]",
];

/// The history of a task.
pub(crate) struct Task;

pub(crate) type Reader = Either<Bodies<Task>>;

fn reader(origin: &Origin) -> Reader {
    Either::new(Bodies::new(origin))
}

impl Api for Task {
    const HISTORY: &'static str = Messages::HISTORY;

    fn is_answer(_: Raw<'_>) -> bool {
        false
    }

    fn is_element(element: Raw<'_>) -> bool {
        Messages::is_element(element)
    }

    fn element(element: JsonRef<'_>, number: u64, messages: &mut Vec<Message>) {
        let mut message = match text(element, "role").as_deref() {
            Some("assistant") => of_model(element),
            Some("user") => of_harness(element),
            _ => return,
        };
        message.number = number;
        message.at = element.get("ts").and_then(time);
        messages.push(message);
    }

    fn answer(_: JsonRef<'_>) -> Option<Message> {
        None
    }
}

/// Goes through the texts of a message; all other blocks are added to it.
fn read_content(
    told: JsonRef<'_>,
    message: &mut Message,
    mut read: impl FnMut(&mut Message, &str),
) {
    let Some(content) = told.get("content") else {
        return;
    };
    if let Some(words) = content.text() {
        return read(message, &words);
    }
    for block in content.elements() {
        match text(block, "text") {
            Some(words) => read(message, &words),
            None => add_block(message, block),
        }
    }
}

fn of_model(told: JsonRef<'_>) -> Message {
    let mut message = Message::of_model();
    read_content(told, &mut message, |message, words| {
        let mut rest = words;
        while let Some(call) = written::tag(rest) {
            message.say(call.before);
            message.call("", call.tool, call.args);
            rest = call.behind;
        }
        message.say(rest);
    });
    message
}

/// A message in the person's place: results, what the harness adds, and what the person wrote.
fn of_harness(told: JsonRef<'_>) -> Message {
    let mut message = Message::default();
    // The result whose text goes on in the next block, as its tool and its text.
    let mut open: Option<(Box<str>, String)> = None;
    read_content(told, &mut message, |message, words| {
        let words = words.trim();
        let begins = |starts: &[&str]| starts.iter().any(|start| words.starts_with(start));
        if let Some((tool, output)) = result(words) {
            close(&mut open, message);
            open = Some((tool.into(), output.to_owned()));
        } else if begins(&HARNESS) {
            close(&mut open, message);
        } else if begins(&PERSON) {
            close(&mut open, message);
            message
                .parts
                .push(crate::message::Part::Asked(words.into()));
        } else if let Some((_, output)) = &mut open {
            if !output.is_empty() {
                output.push('\n');
            }
            output.push_str(words);
        } else {
            message.ask(words);
        }
    });
    close(&mut open, &mut message);
    message
}

fn close(open: &mut Option<(Box<str>, String)>, message: &mut Message) {
    let Some((tool, output)) = open.take() else {
        return;
    };
    let status = if output.starts_with(FAILED) {
        Status::Error
    } else if output.starts_with(DENIED) {
        Status::Denied
    } else {
        Status::Ok
    };
    let outcome = result_of("", status, Some(Json::string(&output)));
    message.answer(outcome, &tool);
}

/// The tool and the output of a result: `[read_file for 'a'] Result:`, with its output behind it or in the next block.
fn result(words: &str) -> Option<(&str, &str)> {
    let inner = words.strip_prefix('[')?;
    let is_of_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let end = inner.find(|letter: char| !is_of_name(letter))?;
    let (tool, rest) = inner.split_at(end);
    if tool.is_empty() || !rest.starts_with([' ', ']']) {
        return None;
    }
    let (_, output) = rest.split_once("] Result:")?;
    Some((tool, output.trim_start()))
}

/// Whether this is the history of a task.
pub(super) fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    // Nearly all other files have none of these.
    let marks = ["<environment_details>", "<task>", "] Result:"];
    if !marks.iter().any(|mark| text.contains(mark)) {
        return false;
    }
    let Some(sample) = sample::<Task>(beginning(&text)) else {
        return false;
    };
    sample.body.is_none() && sample.elements.iter().any(|element| is_of_task(*element))
}

/// Whether the message has a text that only these harnesses write.
fn is_of_task(message: Raw<'_>) -> bool {
    let is_user = message.get("role").and_then(Raw::string);
    let content = message.get("content").filter(|content| content.is_array());
    let texts = content
        .into_iter()
        .flat_map(Raw::elements)
        .filter(|block| block.end == End::Whole)
        .filter_map(|block| block.get("text")?.string());
    let mut texts = texts.map(|text| text.trim().to_owned());
    is_user.is_some_and(|role| role == "user")
        && texts.any(|text| {
            text.starts_with("<environment_details>")
                || text.starts_with("<task>\n")
                || result(&text).is_some()
        })
}

#[cfg(test)]
#[path = "cline_tests.rs"]
mod tests;
