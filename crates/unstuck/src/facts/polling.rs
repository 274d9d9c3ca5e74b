//! Calls that wait for something, and results that say to wait.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Args, Command, Effect, Ending, opening::Phrases};
use crate::{
    fingerprint::Mark,
    hash::Tag,
    vocab::{
        arguments::{ArgumentRole, POLLING_JOBS},
        phrases::{replies, texts},
        tools::ToolWords,
    },
};
use unstuck_json::{Json, JsonKind, JsonRef};

/// What a call has to do with waiting, as far as the call itself shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Polling {
    /// It reads a file, lists, searches, writes or runs tests: words in its result are data.
    Never,
    /// A result that says to wait makes it a poll once the call was seen to change or to wait.
    IfSeen,
    /// It asks how far something has got: a result that says to wait makes it a poll.
    IfSaid,
    /// It asks whether something that runs elsewhere is done.
    Asks,
    /// It lets time pass.
    Sleeps,
}

impl Polling {
    /// Whether the call waits, whatever its result is.
    pub(crate) fn is_certain(self) -> bool {
        matches!(self, Self::Asks | Self::Sleeps)
    }

    /// Whether the words of its result count.
    fn listens(self) -> bool {
        matches!(self, Self::IfSeen | Self::IfSaid)
    }
}

/// What the name or the arguments of a call have to do with waiting.
pub(super) fn of_call(
    words: ToolWords,
    args: &Args<'_>,
    command: Option<&str>,
    (effect, kind): (Effect, Command),
) -> Polling {
    if let Some(command) = command {
        if let Some(polling) = of_sleep(command) {
            return polling;
        }
        return match command.split_whitespace().next() {
            // Nothing typed into a shell that is still busy: a look at its output.
            None => Polling::Asks,
            Some(_) if kind == Command::TestRun || effect != Effect::Unknown => Polling::Never,
            Some(_) => Polling::IfSeen,
        };
    }
    if words.say(ToolWords::SLEEPS) {
        return Polling::Sleeps;
    }
    if words.say(ToolWords::WAITS) {
        return Polling::Asks;
    }
    let action = args.get("action").and_then(JsonRef::text);
    if let Some(action) = action.as_deref()
        && POLLING_JOBS.contains(&action)
        && effect != Effect::Writes
    {
        return Polling::Asks;
    }
    // "queued" is how a message is acknowledged, too.
    if effect == Effect::Writes || words.say(ToolWords::GIT) {
        Polling::Never
    } else if words.say(ToolWords::STATUS) {
        Polling::IfSaid
    } else if words.say(ToolWords::LOOKS) || args.role(ArgumentRole::File).is_some() {
        Polling::Never
    } else {
        Polling::IfSeen
    }
}

/// What a command that begins with `sleep` or `wait` has to do with waiting. `None` if it does not wait, or for too short
/// a time to matter: then what else it runs decides.
fn of_sleep(command: &str) -> Option<Polling> {
    /// Seconds of a sleep before something else that make it a look at that, and that make the look a slow one.
    const LOOK: f64 = 2.0;
    const SLOW: f64 = 10.0;
    let command = command.trim();
    // Most commands run something else.
    if !command.starts_with("sleep") && !command.starts_with("wait") {
        return None;
    }
    let end = command.find([';', '&', '|', '\n']).unwrap_or(command.len());
    let (sleep, rest) = command.split_at(end);
    let mut words = sleep.split_whitespace();
    let program = words.next();
    if !matches!(program, Some("sleep" | "wait")) || sleep.contains(['(', '`', '<', '>']) {
        return None;
    }
    if rest.is_empty() {
        return Some(Polling::Sleeps);
    }
    // `sleep 60 & make` does not wait, and a sleep that is not understood may fail at once.
    let in_background = rest.starts_with('&') && !rest.starts_with("&&");
    if program != Some("sleep") || in_background {
        return None;
    }
    let slept: f64 = words
        .map(|word| seconds(word).unwrap_or(f64::NEG_INFINITY))
        .sum();
    if slept >= SLOW {
        Some(Polling::Sleeps)
    } else if slept >= LOOK {
        Some(Polling::Asks)
    } else {
        None
    }
}

/// A time as `sleep` understands it: `2`, `0.5`, `1m`.
fn seconds(word: &str) -> Option<f64> {
    let number = word.trim_end_matches(['s', 'm', 'h', 'd']);
    let unit = match &word[number.len()..] {
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    let is_plain = number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_plain
        .then(|| number.parse::<f64>().ok())?
        .map(|number| number * unit)
}

/// The mark of a short result that says that something is not done yet, or of a failure that asks for patience. `None`
/// for other results, and for calls whose results are data.
pub(super) fn of_result(polling: Polling, output: Option<&Json>, ending: Ending) -> Option<Mark> {
    /// Longer results say more than that.
    const LONGEST: usize = 200;
    if !polling.listens() {
        return None;
    }
    let output = output.filter(|output| output.as_str().len() <= LONGEST)?;
    let text = match output.view().kind() {
        JsonKind::String => output.view().text().unwrap_or_default(),
        _ => Cow::Borrowed(output.as_str()),
    };
    // A decoded text is no longer than its JSON.
    let mut small = [0; LONGEST];
    let small = small.get_mut(..text.len())?;
    small.copy_from_slice(text.as_bytes());
    small.make_ascii_lowercase();
    let waits = match ending {
        Ending::Success => is_under_way(small),
        Ending::Failure => is_overloaded(small),
        Ending::Neither => false,
    };
    waits.then(|| Mark::from(Tag::of(text.bytes())))
}

fn is_under_way(text: &[u8]) -> bool {
    const PHRASES: Phrases = Phrases::new(&texts(&replies::UNDER_WAY));
    PHRASES.are_words_in(text, |_| true)
}

/// Whether the other side asks for patience: a call that is made again later does what it should.
fn is_overloaded(text: &[u8]) -> bool {
    const PHRASES: Phrases = Phrases::new(&texts(&replies::OVERLOADED));
    const CODES: Phrases = Phrases::new(&texts(&replies::STATUS_CODES));
    PHRASES.are_words_in(text, |_| true) || CODES.are_words_in(text, introduces_status)
}

/// Whether a number behind this text is a status code, not a line number or a size: it stands first, or behind a word
/// for one.
fn introduces_status(before: &[u8]) -> bool {
    const INTRODUCTIONS: [&str; replies::STATUS_INTRODUCTIONS.len()] =
        texts(&replies::STATUS_INTRODUCTIONS);
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    // `HTTP/1.1 503`, `status_code: 503`, `"status":503`
    let Some(end) = before.iter().rposition(is_letter) else {
        return before.iter().all(|byte| !byte.is_ascii_digit());
    };
    let start = before[..end].iter().rposition(|byte| !is_letter(byte));
    let word = &before[start.map_or(0, |start| start + 1)..=end];
    INTRODUCTIONS.iter().any(|known| known.as_bytes() == word)
}

#[cfg(test)]
#[path = "polling_tests.rs"]
mod tests;
