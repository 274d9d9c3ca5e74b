//! Which steps of a run were redundant, which changed files, and what a denial would have cost.
//!
//! The definitions are those of the reference scorer, to the letter of its regular expressions.

use std::collections::{HashSet, VecDeque};

use serde_json::Value;

use crate::{
    pattern::Pattern,
    trajectory::{Step, Trajectory},
};

/// Results longer than this were cut when they were recorded, and are compared by their hash.
const RESULT_CUT: u64 = 4000;

/// Calls among whose complaints a failure is looked for.
const RECENT_COMPLAINTS: usize = 5;

/// Characters of a complaint that are compared.
const COMPLAINT: usize = 60;

/// The editor whose commands say whether they change a file.
const EDITOR: &str = "str_replace_editor";

/// Commands of that editor that change a file.
const EDITS: [&str; 4] = ["create", "str_replace", "insert", "undo_edit"];

static NOISE: Pattern = Pattern::new(
    r"\d+\.\d+ ?s\b|0x[0-9a-f]+|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*|\b\d+\.\d+ seconds",
);
static CHANGES: Pattern = Pattern::new(
    r#"sed\s+-i|perl\s+-[a-z]*i|\btee\b|git apply|patch\s+-p|git checkout|git stash|\bmv\b|\bcp\b|open\([^)]*['"]w"#,
);
static REDIRECTS: Pattern = Pattern::new(r"(?:^|[^0-9&>])>>?\s*([\w./~-]+)");
static EXCEPTION: Pattern = Pattern::new(r"^[A-Za-z_][\w.]*:");
static QUOTED: Pattern = Pattern::new(r#"`[^`]*`?|"[^"]*"?|(^|\W)'[^']*'?"#);
static PATHS: Pattern = Pattern::new(r"\S*/\S*");
static NUMBERS: Pattern = Pattern::new(r"\d+");

/// A call: tool and arguments.
type CallKey = (String, String);

/// The identity of a call; `None` for steps without a tool.
pub(crate) fn call_of(step: &Step) -> Option<CallKey> {
    let tool = tool(step)?;
    let known = step.args_sha.as_deref().filter(|sha| !sha.is_empty());
    let args = known.map_or_else(
        || {
            let mut args = arguments(step);
            args.sort_all_objects();
            args.to_string()
        },
        str::to_owned,
    );
    Some((tool.to_owned(), args))
}

fn tool(step: &Step) -> Option<&str> {
    step.tool.as_deref().filter(|tool| !tool.is_empty())
}

fn arguments(step: &Step) -> Value {
    let text = step.args.as_ref().map_or("null", |args| args.get());
    serde_json::from_str(text).unwrap_or_default()
}

fn result(step: &Step) -> Option<String> {
    let text = step.result.as_ref()?.get();
    Some(serde_json::from_str(text).unwrap_or_else(|_| text.to_owned()))
}

/// The result without times and addresses; the hash of one that was cut; `None` if there is none.
fn outcome_of(step: &Step) -> Option<String> {
    if step.result_len.unwrap_or(0) > RESULT_CUT {
        return step.result_sha.clone();
    }
    Some(NOISE.replaced(&result(step)?, "#").into_owned())
}

/// The tool and the line that says what went wrong, without what it quotes, paths and numbers; only of failed calls.
fn complaint_of(step: &Step) -> Option<(String, String)> {
    let text = result(step).filter(|text| !text.is_empty() && step.error == Some(true))?;
    let traced = text.split_once("Traceback (most recent call last)");
    let raised = traced.and_then(|(_, rest)| {
        let is_exception = |line: &&str| EXCEPTION.is_match(line);
        lines(rest).into_iter().skip(1).find(is_exception)
    });
    let line = raised.or_else(|| lines(&text).into_iter().find_map(telling))?;
    let line = QUOTED.replaced(line, "$1\"");
    let line = PATHS.replaced(&line, "/");
    let line = NUMBERS.replaced(&line, "0");
    Some((
        step.tool.clone().unwrap_or_default(),
        line.chars().take(COMPLAINT).collect(),
    ))
}

/// A line with four letters at least that is not a tag, without `error:` before it.
fn telling(line: &str) -> Option<&str> {
    const ERROR: &str = "error:";
    let mut line = line.trim();
    while line
        .get(..ERROR.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(ERROR))
    {
        line = line[ERROR.len()..].trim();
    }
    let letters = line.chars().filter(char::is_ascii_alphabetic).count();
    let is_tag = (line.starts_with('<') && line.ends_with('>'))
        || (line.starts_with('[') && line.ends_with(']'));
    (letters >= 4 && !is_tag).then_some(line)
}

/// Lines as the reference splits them: at every line end of Unicode and at the separators of ASCII.
fn lines(text: &str) -> Vec<&str> {
    let is_end = |character: char| {
        matches!(
            character,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'
                ..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(is_end).unwrap_or(rest.len());
        lines.push(&rest[..end]);
        let behind = &rest[end..];
        let length = if behind.starts_with("\r\n") {
            2
        } else {
            behind.chars().next().map_or(0, char::len_utf8)
        };
        rest = &behind[length..];
    }
    lines
}

/// Whether a call is one that changes files: an editor's, or a shell command that writes.
fn changes(step: &Step) -> bool {
    let args = arguments(step);
    let command = args.get("command").and_then(Value::as_str);
    if step.tool.as_deref() == Some(EDITOR) {
        return command.is_some_and(|command| EDITS.contains(&command));
    }
    let Some(command) = command else {
        return false;
    };
    let mut targets = REDIRECTS.all(command);
    CHANGES.is_match(command) || targets.any(|target| !target.starts_with("/dev/null"))
}

/// Steps that brought what the agent had: an equal call with an equal result and no new change since, or a failure of
/// one tool with a complaint of its last five calls.
pub(crate) fn redundant_steps(run: &Trajectory) -> Vec<usize> {
    let mut redundant = Vec::new();
    let mut seen = HashSet::new();
    let mut recent = VecDeque::new();
    for (at, step) in run.steps.iter().enumerate() {
        let Some(call) = call_of(step) else {
            continue;
        };
        let key = (call, outcome_of(step));
        let complaint = complaint_of(step);
        let is_known = seen.contains(&key);
        let is_complaint_known = complaint.is_some() && recent.contains(&complaint);
        if step.result.is_some() && (is_known || is_complaint_known) {
            redundant.push(at);
        }
        if changes(step) && step.error != Some(true) && !is_known {
            seen.clear();
        }
        seen.insert(key);
        recent.push_back(complaint);
        if recent.len() > RECENT_COMPLAINTS {
            recent.pop_front();
        }
    }
    redundant
}

/// The last step that changed a file the run had not itself created, by an editor's or a shell's call that did not fail.
pub(crate) fn last_source_edit(run: &Trajectory) -> Option<usize> {
    let mut own = HashSet::new();
    let mut last = None;
    for (at, step) in run.steps.iter().enumerate() {
        let Some(tool) = tool(step) else {
            continue;
        };
        if step.error == Some(true) || step.result.is_none() || !changes(step) {
            continue;
        }
        if tool != EDITOR {
            last = Some(at);
            continue;
        }
        let args = arguments(step);
        let path = args.get("path").and_then(Value::as_str);
        let path = path.unwrap_or_default().trim().to_owned();
        if args.get("command").and_then(Value::as_str) == Some("create") {
            own.insert(path);
        } else if !own.contains(&path) {
            last = Some(at);
        }
    }
    last
}

/// Denied calls of a run whose result is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Denials {
    /// All of them.
    pub(crate) known: usize,
    /// Those whose result was a success that the run had not seen.
    pub(crate) wrong: usize,
}

pub(crate) fn denials(run: &Trajectory, denied: &[usize]) -> Denials {
    let mut all = Denials::default();
    if denied.is_empty() {
        return all;
    }
    let mut outcomes = HashSet::new();
    for (at, step) in run.steps.iter().enumerate() {
        if tool(step).is_none() {
            continue;
        }
        let outcome = outcome_of(step);
        if outcome.is_some() && denied.contains(&at) {
            all.known += 1;
            all.wrong += usize::from(step.error != Some(true) && !outcomes.contains(&outcome));
        }
        outcomes.insert(outcome);
    }
    all
}

#[cfg(test)]
#[path = "redundant_tests.rs"]
mod tests;
