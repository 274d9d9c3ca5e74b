//! Calls that the host refused to run: there is no such tool, or it does not take such arguments.
//!
//! Hosts have no common form for that, and many report it as a success. What they have in common is that they say it
//! at once and in words that hardly anything else uses.

use super::{
    Args,
    opening::{Opening, Phrases, find},
};
use crate::{
    fingerprint::Mark,
    vocab::{
        arguments::ArgumentRole,
        phrases::{bad_arguments, refusals, texts},
    },
};
use unstuck_json::Json;

/// Whether a call was refused before it ran, by its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It ran, as far as one can tell.
    No,
    /// There is no such tool.
    UnknownTool,
    /// Arguments are missing, unknown, of another type or no JSON. The mark is the error's.
    Form(Mark),
    /// An argument has a value that cannot be.
    Value(Mark),
}

/// A success that is longer than this tells something else.
const LONGEST_IN_SUCCESS: usize = 1_000;

/// How soon a success has to say that it is none.
const AT_ONCE: usize = 28;

/// How soon it has to, where it names the tool too.
const SOON: usize = 160;

const UNKNOWN_TOOL: Phrases = Phrases::new(&texts(&refusals::UNKNOWN_TOOL));

const UNKNOWN_NAME: Phrases = Phrases::new(&texts(&refusals::UNKNOWN_NAME));

const BEFORE_NAME: Phrases = Phrases::new(&texts(&refusals::BEFORE_NAME));
const BEHIND_NAME: Phrases = Phrases::new(&texts(&refusals::BEHIND_NAME));

const FORM: Phrases = Phrases::new(&texts(&bad_arguments::FORM));

const FORM_OF_NAMED: Phrases = Phrases::new(&texts(&bad_arguments::FORM_OF_NAMED));

const VALUE: Phrases = Phrases::new(&texts(&bad_arguments::VALUE));

const OF_THE_HOST: Phrases = Phrases::new(&texts(&refusals::OF_THE_HOST));

const BAD_JSON: Phrases = Phrases::new(&texts(&bad_arguments::BAD_JSON));
const OF_ARGUMENTS: Phrases = Phrases::new(&texts(&bad_arguments::OF_ARGUMENTS));

const COMPLAINTS: Phrases = Phrases::new(&texts(&refusals::COMPLAINTS));

const ERROR: Phrases = Phrases::new(&["error"]);

const CONDITIONS: [&str; bad_arguments::CONDITIONS.len()] = texts(&bad_arguments::CONDITIONS);
const CALLED: [&str; bad_arguments::CALLED.len()] = texts(&bad_arguments::CALLED);
const QUOTES: [&str; refusals::QUOTES.len()] = texts(&refusals::QUOTES);

/// Whose words an output may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Speaker {
    /// The tool's and the host's.
    Tool,
    /// Those of a command or a piece of code that the tool ran.
    Code,
}

impl Speaker {
    /// The speaker of a call's result: code, if the call hands any over.
    pub(super) fn of(args: &Args<'_>, command: Option<&str>) -> Self {
        if command.is_some() || args.role(ArgumentRole::Code).is_some() {
            Self::Code
        } else {
            Self::Tool
        }
    }
}

pub(super) fn of(output: Option<&Json>, failed: bool, tool: &str, speaker: Speaker) -> Refused {
    let Some(output) = output else {
        return Refused::No;
    };
    let canonical = output.as_str();
    // Code that ran and succeeded may say anything.
    if !failed && (speaker == Speaker::Code || canonical.len() > LONGEST_IN_SUCCESS) {
        return Refused::No;
    }
    if !failed && !complains(&Opening::at_most(SOON, canonical), tool) {
        return Refused::No;
    }
    let opening = Opening::of(canonical);
    if speaker == Speaker::Code && !opening.says(&OF_THE_HOST) {
        return Refused::No;
    }
    if is_unknown_tool(&opening, tool) {
        Refused::UnknownTool
    } else if is_about_form(&opening, tool) {
        Refused::Form(opening.mark(&QUOTES))
    } else if opening.says(&VALUE) {
        Refused::Value(opening.mark(&QUOTES))
    } else {
        Refused::No
    }
}

/// Whether the text of a success reports a failure.
fn complains(opening: &Opening, tool: &str) -> bool {
    let begins = trim_start(opening.first(AT_ONCE));
    let object = opening.as_bytes().first() == Some(&b'{');
    COMPLAINTS.begin(begins)
        || (object && ERROR.are_in(opening.first(AT_ONCE)))
        || (ERROR.are_in(opening.first(SOON)) && named(opening.first(SOON), tool).is_some())
}

fn is_unknown_tool(opening: &Opening, tool: &str) -> bool {
    if opening.says(&UNKNOWN_TOOL) {
        return true;
    }
    let bytes = opening.as_bytes();
    let Some(at) = named(bytes, tool) else {
        return false;
    };
    if opening.says(&UNKNOWN_NAME) {
        return true;
    }
    let (before, behind) = (bytes[..at].trim_ascii_end(), &bytes[at + tool.len()..]);
    let before = trim_end(before);
    let behind = trim_start(behind);
    BEFORE_NAME.end(before) && BEHIND_NAME.begin(behind)
}

fn is_about_form(opening: &Opening, tool: &str) -> bool {
    opening.says(&FORM)
        || requires(opening.as_bytes())
        || (opening.says(&FORM_OF_NAMED) && named(opening.as_bytes(), tool).is_some())
        || (opening.says(&BAD_JSON) && opening.says(&OF_ARGUMENTS))
}

/// "`path` is required": an argument, unless it is a condition such as a login.
fn requires(bytes: &[u8]) -> bool {
    const REQUIRED: &[u8] = b" is required";
    let Some(at) = find(bytes, REQUIRED) else {
        return false;
    };
    let before = &bytes[..at];
    let quoted = before.last().is_some_and(|byte| b"`'\"".contains(byte));
    let name_end = trim_end(before).len();
    let name_start = before[..name_end]
        .iter()
        .rposition(|byte| !(byte.is_ascii_alphanumeric() || b"_-.".contains(byte)))
        .map_or(0, |at| at + 1);
    let name = &before[name_start..name_end];
    if name.is_empty() || CONDITIONS.iter().any(|word| word.as_bytes() == name) {
        return false;
    }
    let rest = trim_end(&before[..name_start]);
    let bare = rest.is_empty() || rest.ends_with(b"error");
    quoted
        || bare
        || CALLED
            .iter()
            .any(|word| rest.ends_with(word.as_bytes()) || word.as_bytes() == name)
}

/// Where the tool's name stands in bytes of an opening, which are in small letters.
fn named(bytes: &[u8], tool: &str) -> Option<usize> {
    let [first, _, ..] = tool.as_bytes() else {
        return None;
    };
    let is_name = |at: &usize| {
        let name = bytes.get(*at..*at + tool.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(tool.as_bytes()))
    };
    memchr::memchr_iter(first.to_ascii_lowercase(), bytes).find(is_name)
}

fn is_mark(byte: u8) -> bool {
    b" `'\":,;{[(<>".contains(&byte)
}

fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !is_mark(*byte));
    &bytes[..end.map_or(0, |at| at + 1)]
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| !is_mark(*byte));
    &bytes[start.unwrap_or(bytes.len())..]
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
