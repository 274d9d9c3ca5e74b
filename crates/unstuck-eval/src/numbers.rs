//! Whether the numbers of a message are right, as the reference scorer has it.
//!
//! It counts three forms of message again from the recording and holds the others against the decision's `repeats`.
//! `claims` is stricter: it knows every form.

use crate::{
    messages::To,
    pattern::Pattern,
    redundant::call_of,
    trajectory::{Step, Trajectory},
};

static ASIDE: Pattern = Pattern::new(r"(?:of the last|more than|within) \d+");
static WORDS: Pattern = Pattern::new(r"[\w.-]+");
static SHARE: Pattern = Pattern::new(r"(\d+) of the last (\d+) calls failed( or )?");
static CALLED: Pattern = Pattern::new(r"was called (\d+) times with the same arguments");
static IN_A_ROW: Pattern = Pattern::new(r"(\d+) calls in a row failed");

/// Whether the numbers of a message are right. `text` is the message without what it quotes.
pub(crate) fn are_right(run: &Trajectory, at: usize, to: To, text: &str, repeats: u32) -> bool {
    let Some(present) = run.steps.get(at) else {
        return false;
    };
    let plain = ASIDE.replaced(text, " ");
    let mut stated = WORDS.all(&plain).filter_map(number).peekable();
    if stated.peek().is_some() && !stated.any(|number| number == u64::from(repeats)) {
        return false;
    }
    let calls: Vec<&Step> = run.steps[..=at]
        .iter()
        .filter(|step| is_call(step) && step.agent == present.agent)
        .collect();
    let done = &calls[..calls.len() - usize::from(to == To::Call && !calls.is_empty())];
    share_is_right(text, done)
        && failures_are_right(text, done)
        && (present.tool.is_none() || repeats_are_right(text, &calls, to))
}

fn is_call(step: &Step) -> bool {
    let tool = step.tool.as_deref().unwrap_or_default();
    !tool.is_empty() && !tool.starts_with("say:")
}

fn failed(step: &Step) -> bool {
    step.error == Some(true)
}

fn last<'a, 'b>(calls: &'a [&'b Step], count: u64) -> &'a [&'b Step] {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    &calls[calls.len() - count.min(calls.len())..]
}

/// A word of digits, within dots.
fn number(word: &str) -> Option<u64> {
    let digits = word.trim_matches('.');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

fn share_is_right(text: &str, done: &[&Step]) -> bool {
    let Some(found) = SHARE.captures(text) else {
        return true;
    };
    let (Some(said), Some(of)) = (number(&found[1]), number(&found[2])) else {
        return false;
    };
    let failures = last(done, of).iter().filter(|step| failed(step)).count() as u64;
    let is_exact = found.get(3).is_none();
    said >= failures && said <= of && (!is_exact || said <= failures)
}

fn failures_are_right(text: &str, done: &[&Step]) -> bool {
    let Some(found) = IN_A_ROW.captures(text) else {
        return true;
    };
    let said = number(&found[1]).unwrap_or(u64::MAX);
    last(done, said).iter().all(|step| failed(step))
}

fn repeats_are_right(text: &str, calls: &[&Step], to: To) -> bool {
    let (Some(found), Some(newest)) = (CALLED.captures(text), calls.last()) else {
        return true;
    };
    let newest = call_of(newest);
    let is_same = |step: &&&Step| call_of(step) == newest;
    let row = calls.iter().rev().take_while(is_same).count();
    let total = calls.iter().filter(is_same).count();
    let least = row - usize::from(to == To::Call).min(row);
    let said = number(&found[1]).unwrap_or(u64::MAX);
    (least as u64..=total as u64).contains(&said)
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
