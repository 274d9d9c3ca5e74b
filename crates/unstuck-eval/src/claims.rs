//! The counts that a message states, read from its text and counted again from the recording.
//!
//! Every number of a message has to belong to a form that is listed here. A text that changes without its form is an
//! unknown form, and an unknown form is wrong.

use std::collections::HashSet;

use crate::{
    messages::To,
    trajectory::{Step, Trajectory},
};

/// What a count is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// Calls with the same tool and arguments.
    Equal,
    /// Equal calls that directly follow each other.
    EqualInARow,
    /// Equal calls within some seconds.
    Burst,
    /// Calls that differ in details.
    Alike,
    /// Calls among the last ones that repeated an earlier call.
    Known,
    /// Calls among the last ones that failed.
    Failed,
    /// Calls among the last ones that failed or repeated an earlier call.
    Fruitless,
    /// Calls that failed, one after another.
    FailedInARow,
    /// Calls of one tool that failed.
    Refused,
    /// Calls of one tool, whatever became of them.
    Attempts,
    /// Calls in a row that only wait, the present one included.
    Waits,
    /// Something that the recording does not tell: it is held against the decision's `repeats`.
    Told,
    /// Not a count of what happened: a limit, a choice.
    Aside,
}

/// The forms in which messages state numbers: `#` is a count, `%` another number. Of two that fit, the first counts.
const FORMS: &[(&str, About)] = &[
    ("# equal calls of were made within % seconds", About::Burst),
    (
        "# equal calls of were made one after another",
        About::EqualInARow,
    ),
    ("# equal calls of", About::Equal),
    ("returned the same result # times", About::Equal),
    ("called # times with the same arguments", About::Equal),
    ("# calls of it were made within % seconds", About::Burst),
    ("# calls like", About::Alike),
    (
        "# of the last % calls failed or returned nothing new",
        About::Fruitless,
    ),
    ("# of the last % calls failed", About::Failed),
    (
        "# of the last % calls repeated an earlier call",
        About::Known,
    ),
    ("# calls in a row failed", About::FailedInARow),
    ("# calls in a row only let time pass", About::Waits),
    ("# questions to * asked the", About::Told),
    ("# questions to asked the", About::Told),
    ("# calls gave one target a", About::Told),
    (
        "# calls of * were refused with the same error",
        About::Refused,
    ),
    (
        "# calls of were refused with the same error",
        About::Refused,
    ),
    ("and attempt #", About::Attempts),
    ("round # of the same % calls", About::Told),
    ("The same % calls were made in turn # times", About::Told),
    ("The last # steps", About::Told),
    ("The last # calls only read", About::Told),
    ("# different calls returned results", About::Told),
    ("# recent calls failed in the same way", About::Told),
    ("# shell commands in a row", About::Told),
    ("# test runs in a row", About::Told),
    ("# turns in a row", About::Told),
    ("# calls named a tool that does not exist", About::Told),
    ("# calls that change nothing were made", About::Told),
    ("# calls were meant to change something", About::Told),
    ("# of your sentences say the same", About::Told),
    ("# times in a row", About::Told),
    ("# times over", About::Told),
    (
        "% workers of this swarm made the same call # times",
        About::Told,
    ),
    ("# messages to one agent", About::Told),
    ("passed between % agents # times", About::Told),
    ("has now run # times", About::Told),
    ("now # laps", About::Told),
    ("(#/% before block)", About::Told),
    ("# calls to * across % workers", About::Told),
    ("# calls of", About::Told),
    ("was called % times with identical arguments", About::Aside),
    ("The run has used % * of %", About::Aside),
    ("The limit is %", About::Aside),
    ("(%)", About::Aside),
];

/// A count that a message states, and of how many calls it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Claim {
    about: About,
    count: u64,
    of: u64,
}

/// A number of a message that belongs to no form.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UnknownForm(String);

/// Whether all numbers of a message are facts of the run. `text` is the message without what it quotes.
pub(crate) fn are_right(run: &Trajectory, at: usize, to: To, text: &str, repeats: u32) -> bool {
    let words = words(text);
    let Ok(claims) = claims(&words) else {
        return false;
    };
    let Some(seen) = Seen::new(run, at, to) else {
        return true;
    };
    let one_result = has_one_result(&words);
    claims.iter().all(|claim| {
        claim.about == About::Told && claim.count == u64::from(repeats)
            || seen.allows(*claim, one_result)
    })
}

/// The words of a text, with punctuation.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Whether a text says of the calls that they returned the same.
fn has_one_result(words: &[&str]) -> bool {
    let text = words.join(" ");
    [
        "the same result",
        "every result was the same",
        "every result that arrived was the same",
        "none returned any output",
        "returned no output",
        "no output arrived",
    ]
    .iter()
    .any(|claim| text.contains(claim))
}

/// Reads the counts of a text.
fn claims(words: &[&str]) -> Result<Vec<Claim>, UnknownForm> {
    let mut claims = Vec::new();
    let mut covered = HashSet::new();
    for (form, about) in FORMS {
        for from in 0..words.len() {
            if let Some((claim, numbers)) = fits(form, *about, &words[from..])
                && numbers.iter().all(|at| !covered.contains(&(from + at)))
            {
                covered.extend(numbers.iter().map(|at| from + at));
                claims.push(claim);
            }
        }
    }
    let is_unknown = |(at, word): &(usize, &&str)| number(word).is_some() && !covered.contains(at);
    match words.iter().enumerate().find(is_unknown) {
        Some((at, _)) => {
            let around = at.saturating_sub(3)..words.len().min(at + 6);
            Err(UnknownForm(words[around].join(" ")))
        }
        None => Ok(claims),
    }
}

/// Whether a text starts with a form: the claim, and which of its words are numbers.
fn fits(form: &str, about: About, words: &[&str]) -> Option<(Claim, Vec<usize>)> {
    let (mut claim, mut numbers) = (
        Claim {
            about,
            count: 0,
            of: 0,
        },
        Vec::new(),
    );
    for (at, part) in form.split(' ').enumerate() {
        let word = *words.get(at)?;
        match part {
            "*" => {}
            "#" => claim.count = number(word)?,
            "%" => claim.of = number(word)?,
            "(%)" if word.starts_with('(') => claim.of = number(word)?,
            "(#/%" => {
                let (count, of) = word.strip_prefix('(')?.split_once('/')?;
                (claim.count, claim.of) = (number(count)?, number(of)?);
            }
            _ if word.trim_end_matches([',', '.', ':', ';']) == part => {}
            _ => return None,
        }
        if part.contains(['#', '%']) {
            numbers.push(at);
        }
    }
    Some((claim, numbers))
}

/// A word that is a number, within punctuation.
fn number(word: &str) -> Option<u64> {
    let word = word.trim_matches(['.', ',', ':', ';', '(', ')']);
    let is_number = !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'/');
    if !is_number {
        return None;
    }
    word.split('/').next()?.parse().ok()
}

/// The calls of a run up to a message.
struct Seen<'a> {
    /// Calls of the agent, the present one last.
    calls: Vec<&'a Step>,
    /// How many of them have ended.
    ended: usize,
    to: To,
}

impl<'a> Seen<'a> {
    fn new(run: &'a Trajectory, at: usize, to: To) -> Option<Self> {
        let present = run.steps.get(at)?;
        let is_call = |step: &&Step| {
            let tool = step.tool.as_deref().unwrap_or_default();
            !tool.is_empty() && !tool.starts_with("say:") && step.agent == present.agent
        };
        let calls: Vec<&Step> = run.steps[..=at].iter().filter(is_call).collect();
        Some(Self {
            ended: calls.len() - usize::from(to == To::Call && !calls.is_empty()),
            calls,
            to,
        })
    }

    /// Whether the recording allows a count.
    fn allows(&self, claim: Claim, one_result: bool) -> bool {
        let Claim { about, count, of } = claim;
        let failed = |step: &&&Step| step.error == Some(true);
        match about {
            About::Aside => true,
            About::Told => false,
            About::Equal | About::Burst if self.to == To::Other => self
                .calls
                .iter()
                .any(|call| self.number(|step| is_equal(step, call)) >= count),
            About::Equal => self.equal(one_result).contains(&count),
            About::EqualInARow => (2..=self.row()).contains(&count),
            About::Alike => (2..=self.alike(one_result)).contains(&count),
            About::Burst => {
                let newest = self.calls.last();
                newest.is_some_and(|newest| self.number(|step| is_equal(step, newest)) >= count)
            }
            About::Failed => {
                let last = self.last(of);
                last.len() as u64 == of && last.iter().filter(failed).count() as u64 == count
            }
            About::Known => {
                let least = self.count_last(of, |at| self.brings_the_same(at));
                let most = self.count_last(of, |at| self.is_known(at));
                (least..=most).contains(&count)
            }
            About::Fruitless => {
                let failed = |at: usize| self.calls[at].error == Some(true);
                let least = self.count_last(of, failed);
                let most = self.count_last(of, |at| failed(at) || self.is_known(at));
                (least..=most).contains(&count)
            }
            About::FailedInARow => {
                let last = self.last(count);
                last.len() as u64 == count && last.iter().all(|step| failed(&step))
            }
            About::Refused => {
                let Some(newest) = self.calls.last() else {
                    return false;
                };
                let ended = self.calls[..self.ended].iter();
                let refused = ended.filter(|step| step.tool == newest.tool && failed(step));
                (2..=refused.count() as u64).contains(&count)
            }
            About::Waits => {
                let waits = |step: &Step| {
                    let args = step.args.as_ref().map_or("", |raw| raw.get());
                    let tool = step.tool.as_deref().unwrap_or_default();
                    ["sleep", "wait"]
                        .iter()
                        .any(|word| args.contains(word) || tool.contains(word))
                };
                let row = self.calls.iter().rev().take_while(|step| waits(step));
                (2..=row.count() as u64).contains(&count)
            }
            About::Attempts => {
                let Some(newest) = self.calls.last() else {
                    return false;
                };
                let attempts = self.calls.iter().filter(|step| step.tool == newest.tool);
                (2..=attempts.count() as u64).contains(&count)
            }
        }
    }

    fn last(&self, count: u64) -> &[&'a Step] {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        &self.calls[self.ended - self.ended.min(count)..self.ended]
    }

    fn number(&self, holds: impl Fn(&Step) -> bool) -> u64 {
        self.calls.iter().filter(|step| holds(step)).count() as u64
    }

    fn count_last(&self, of: u64, holds: impl Fn(usize) -> bool) -> u64 {
        let from = self.ended - self.last(of).len();
        (from..self.ended).filter(|at| holds(*at)).count() as u64
    }

    /// From the equal calls that directly follow each other to all of them, the present one included. Where one
    /// result is claimed, only those count that returned it.
    fn equal(&self, one_result: bool) -> std::ops::RangeInclusive<u64> {
        let Some(newest) = self.calls.last() else {
            return 0..=0;
        };
        let ended = &self.calls[..self.ended];
        let present = (self.calls.len() - self.ended) as u64;
        let Some(shown) = ended.iter().rev().find(|step| is_equal(step, newest)) else {
            return present..=present;
        };
        let follows =
            |step: &&&Step| is_equal(step, newest) && step.result_mark() == shown.result_mark();
        let counts =
            |step: &&&Step| is_equal(step, newest) && (!one_result || has_same_result(step, shown));
        let least = ended.iter().rev().take_while(follows).count() as u64;
        let most = ended.iter().filter(counts).count() as u64;
        present + least..=present + most
    }

    /// Equal calls that directly follow each other, the present one included.
    fn row(&self) -> u64 {
        let Some(newest) = self.calls.last() else {
            return 0;
        };
        let row = self.calls.iter().rev();
        row.take_while(|step| is_equal(step, newest)).count() as u64
    }

    /// The most calls of the tool that may be meant, the present one included. Where one result is claimed, they share
    /// it: that of the present call, or, before it has run, that of any other.
    fn alike(&self, one_result: bool) -> u64 {
        let tool = self.calls.last().and_then(|newest| newest.tool.as_ref());
        let ended = self.calls[..self.ended].iter().copied();
        let ended: Vec<&Step> = ended.filter(|step| step.tool.as_ref() == tool).collect();
        let present = (self.calls.len() - self.ended) as u64;
        let shown = match self.to {
            To::Call => &ended[..],
            To::Result | To::Other => &ended[ended.len().saturating_sub(1)..],
        };
        let sharing = |shown: &&Step| {
            let counts = |step: &&&Step| !one_result || has_same_result(step, shown);
            ended.iter().filter(counts).count() as u64
        };
        present + shown.iter().map(sharing).max().unwrap_or(0)
    }

    /// Whether an equal call was made before.
    fn is_known(&self, at: usize) -> bool {
        self.calls[..at]
            .iter()
            .any(|step| is_equal(step, self.calls[at]))
    }

    /// Whether the last equal call returned exactly the same.
    fn brings_the_same(&self, at: usize) -> bool {
        let call = self.calls[at];
        let before = self.calls[..at].iter().rev();
        before
            .into_iter()
            .find(|step| is_equal(step, call))
            .is_some_and(|step| step.result_mark() == call.result_mark())
    }
}

fn is_equal(one: &Step, other: &Step) -> bool {
    let args = |step: &Step| {
        let raw = step.args.as_ref()?;
        serde_json::from_str::<serde_json::Value>(raw.get()).ok()
    };
    one.tool == other.tool
        && match (&one.args_sha, &other.args_sha) {
            (None, None) => args(one) == args(other),
            (one, other) => one == other,
        }
}

/// Whether two results are the same but for times, counters, addresses and other numbers.
fn has_same_result(one: &Step, other: &Step) -> bool {
    one.result_mark() == other.result_mark() || without_numbers(one) == without_numbers(other)
}

fn without_numbers(step: &Step) -> Vec<String> {
    let text = step.result.as_ref().map_or("", |raw| raw.get());
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.contains(|character: char| character.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

impl Step {
    /// What tells the whole result from others.
    fn result_mark(&self) -> Option<&str> {
        let sha = self.result_sha.as_deref();
        sha.or_else(|| self.result.as_ref().map(|raw| raw.get()))
    }
}

#[cfg(test)]
#[path = "claims_tests.rs"]
mod tests;
