//! Texts of this program in conversations: how they are written, and how they are recognised when they come back.

use std::borrow::Cow;

use unstuck::message::MARKER;
use unstuck_json::Json;

/// Begins the line that names a call that was not run.
const NOT_RUN: &str = "Not run: ";

/// Bytes of the arguments that this line holds. A call with longer ones is named by its tool alone, and is not counted
/// when the text comes back.
const MOST_ARGUMENTS: usize = 16 << 10;

/// The text in place of a call that is denied. It names the call, so that every reader of the history learns of it, and ends
/// with its line: clients put texts that follow each other together.
pub(crate) fn denial(message: &str, tool: &str, args: &Json) -> String {
    let tool = Json::string(tool);
    if args.as_str().len() <= MOST_ARGUMENTS {
        format!("{message}\n{NOT_RUN}{tool} {args}\n")
    } else {
        format!("{message}\n{NOT_RUN}{tool}\n")
    }
}

/// The text in place of a call that is denied once more within one answer: without the reasons, which stand in it already.
pub fn denied_again(denial: &str) -> String {
    let line = denial.lines().rfind(|line| line.starts_with(NOT_RUN));
    format!(
        "{MARKER} This call was not run either.\n{}\n",
        line.unwrap_or_default()
    )
}

/// Whether this program wrote a text.
pub(crate) fn is_own(text: &str) -> bool {
    text.trim_start().starts_with(MARKER)
}

/// The calls that a text of the model says were not run, each with its tool and arguments.
pub(crate) fn denied(text: &str) -> Vec<(Box<str>, Json)> {
    if !text.contains(MARKER) {
        return Vec::new();
    }
    text.lines().filter_map(denied_call).collect()
}

fn denied_call(line: &str) -> Option<(Box<str>, Json)> {
    let rest = line.strip_prefix(NOT_RUN)?;
    // The tool is a string of JSON: it ends where its closing quote stands.
    let mut scratch = unstuck_json::Scratch::default();
    let mut scanner = unstuck_json::Scanner::new(rest, &mut scratch);
    let quoted = scanner.raw().ok()?;
    let tool = Json::parse(quoted).ok()?.view().text()?.into();
    let args = rest[quoted.len()..].trim();
    Some((tool, Json::parse(args).ok()?))
}

/// What the model itself said in a text that may have texts of this program in it; `None` if that is nothing. A text of this
/// program ends with the line that names a call, or with the text.
pub(crate) fn without_own(text: &str) -> Option<Cow<'_, str>> {
    let Some((before, own)) = text.split_once(MARKER) else {
        return (!text.trim().is_empty()).then_some(Cow::Borrowed(text));
    };
    let mut said = before.trim_end().to_owned();
    let mut is_own = true;
    for line in own.lines() {
        if line.contains(MARKER) {
            is_own = true;
        } else if is_own {
            is_own = !line.starts_with(NOT_RUN);
        } else {
            said.push('\n');
            said.push_str(line);
        }
    }
    let said = said.trim();
    (!said.is_empty()).then(|| Cow::Owned(said.to_owned()))
}

/// Whether a text was put in a person's place by a program: the usual words by which agents go on without one.
pub(crate) fn is_automatic(text: &str) -> bool {
    /// Whole texts, in lower case and without the punctuation at their end.
    const WHOLE: [&str; 12] = [
        "continue",
        "please continue",
        "go on",
        "please go on",
        "proceed",
        "please proceed",
        "keep going",
        "please keep going",
        "carry on",
        "continue with the task",
        "please continue with the task",
        "continue where you left off",
    ];
    /// Beginnings of texts, in lower case.
    const BEGINNINGS: [&str; 11] = [
        "this session is being continued from a previous conversation",
        "please continue the conversation from where we left",
        "please continue from where you left off",
        "continue if you have next steps",
        "another language model started to solve this problem",
        "your last output was truncated",
        "your response was cut off",
        "no tool calls detected",
        "[error] you did not use a tool",
        "this is an automated message",
        "stop hook feedback",
    ];
    /// Bytes that are looked at.
    const LONGEST: usize = 128;
    let text = text.trim();
    let head: String = text.chars().take(LONGEST).collect();
    let head = head.to_lowercase();
    let whole = head.trim_end_matches(['.', '!', '?', '…', ' ']);
    (text.len() <= LONGEST && WHOLE.contains(&whole))
        || BEGINNINGS.iter().any(|words| head.starts_with(words))
        || is_own(text)
}

#[cfg(test)]
#[path = "own_tests.rs"]
mod tests;
