//! What results say about how their calls ended, where hosts have it only in words.

use unstuck::{Json, Outcome, Status};
use unstuck_json::JsonRef;

/// A result whose status was made out already.
pub(crate) fn outcome(id: &str, status: Status, output: Option<Json>) -> Outcome {
    let mut outcome = Outcome::ok(id, Json::null());
    outcome.status = status;
    outcome.output = output;
    outcome
}

/// The integer behind the first of these words that stands at the start of a line, among the first lines of `text`.
pub(crate) fn exit_code(text: &str, words: &str) -> Option<i64> {
    /// Wrappers put the code first or last; what is in between is the command's own.
    const LINES: usize = 8;
    let lines = text.lines();
    let code = |line: &str| integer(line.trim_start().strip_prefix(words)?);
    lines
        .clone()
        .take(LINES)
        .find_map(code)
        .or_else(|| lines.rev().take(LINES).find_map(code))
}

/// The integer a text starts with.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    text[..text.len() - digits.len() + length].parse().ok()
}

/// A JSON value that hosts keep as text: the value if it is one, else the text itself.
pub(crate) fn from_text(text: &str) -> Json {
    Json::lossy(text.as_bytes()).unwrap_or_else(|_| Json::string(text))
}

/// Content as the model saw it: parts that are all text become one string.
pub(crate) fn content(value: JsonRef<'_>) -> Json {
    let mut texts = value.elements().peekable();
    let only_text = texts.peek().is_some()
        && texts.all(|part| part.get("text").is_some_and(|text| text.text().is_some()));
    if only_text {
        Json::string(&crate::look::words(value))
    } else {
        Json::from(value)
    }
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
