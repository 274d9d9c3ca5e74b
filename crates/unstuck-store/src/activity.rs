//! What an agent did last, for people who look at it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Calls that are remembered.
const MOVES: usize = 12;

/// Tools that are remembered; the one used least gives way.
const TOOLS: usize = 24;

/// Bytes that are kept of a tool's name and of a call's id.
const LONGEST: usize = 100;

/// Characters that are kept of a call's label and of its outcome.
const EXCERPT: usize = 80;

/// How much of calls and results is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// For state that is stored: labels of calls that were seen before, and outcomes of calls that the agent was warned
    /// of. Of other calls only the tool's name is kept.
    Repeats,
    /// For state that never leaves this process: everything.
    All,
}

/// The last calls of an agent, the tools it has used, and whether it goes round at the moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Activity {
    /// Its last calls, the newest last.
    pub moves: VecDeque<Move>,
    /// The tools it used.
    pub tools: Vec<Used>,
    /// What it repeats at the moment.
    pub streak: Option<Streak>,
    /// Calls that repeated something, in loops that were reported to it.
    pub wasted: u64,
    /// What it was last told, word for word.
    pub message: Box<str>,
    /// Wasted before the streak began.
    wasted_before: u64,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Finds the call when it comes back; empty where the host names none.
    id: Box<str>,
    /// One readable line about it; the tool's name where it was not seen before.
    pub label: Box<str>,
    /// Equal for calls with the same label.
    mark: u64,
    /// When it was made, in milliseconds since 1970.
    pub at: i64,
    /// How it ended.
    pub ended: Ended,
    /// The beginning of its outcome, where that is kept.
    pub said: Box<str>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// It has not come back.
    #[default]
    Running,
    /// It ran.
    Well,
    /// It failed.
    Badly,
    /// We refused it.
    Denied,
    /// The host or a person refused or cancelled it.
    CalledOff,
}

/// A tool, and how often it was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// The tool's name.
    pub tool: Box<str>,
    /// Calls of it.
    pub calls: u64,
}

/// What a rule sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The rule.
    pub rule: Box<str>,
    /// Occurrences, the first one included.
    pub repeats: u32,
    /// Calls that repeated something.
    pub wasted: u64,
    /// One readable line for each member of the pattern.
    pub pattern: Vec<Box<str>>,
}

/// Something that is being repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Streak {
    /// What the rules see of it, the one that sees most first.
    pub seen: Vec<Seen>,
    /// The strictest verdict about it that the agent got.
    pub told: Told,
    /// Results since the rules last saw it.
    quiet: u32,
    /// Most results between two sights of it: the rest of a lap.
    gap: u32,
}

impl Streak {
    /// Results without a sight of a loop after which it is over, at least.
    const PATIENCE: u32 = 3;

    /// Whether it has not been seen for longer than its laps take.
    fn is_over(&self) -> bool {
        self.quiet > Self::PATIENCE.max(self.gap.saturating_mul(2))
    }

    /// Whether it is the same trouble: a rule that counts on, or the same calls.
    fn is_continued_by(&self, seen: &[Seen]) -> bool {
        let same = |old: &Seen, new: &Seen| {
            (old.rule == new.rule && new.repeats > old.repeats)
                || old
                    .pattern
                    .iter()
                    .any(|member| new.pattern.contains(member))
        };
        self.seen
            .iter()
            .any(|old| seen.iter().any(|new| same(old, new)))
    }
}

/// How strictly an agent was answered, from nothing to the strictest.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Told {
    /// Nothing.
    #[default]
    Nothing,
    /// That it goes round.
    Nudged,
    /// That this call is not run.
    Denied,
    /// That the run is over.
    Halted,
}

impl Activity {
    /// A call is made.
    pub fn call(&mut self, id: &str, tool: &str, label: &str, at: i64, detail: Detail) {
        self.use_tool(cut(tool));
        let mark = mark(label);
        let known = detail == Detail::All || self.moves.iter().any(|one| one.mark == mark);
        if self.moves.len() >= MOVES {
            self.moves.pop_front();
        }
        self.moves.push_back(Move {
            id: cut(id),
            label: excerpt(if known { label } else { tool }),
            mark,
            at,
            ended: Ended::Running,
            said: "".into(),
        });
    }

    /// A call ended: the one of that id or, where the host names none, the oldest one with that label.
    pub fn result(&mut self, id: &str, label: &str, ended: Ended, said: &str, detail: Detail) {
        let (id, mark) = (cut(id), mark(label));
        let warned = |label: &str| {
            let streak = self.streak.as_ref().filter(|one| one.told > Told::Nothing);
            let mut patterns = streak
                .iter()
                .flat_map(|one| &one.seen)
                .flat_map(|seen| &seen.pattern);
            patterns.any(|member| *excerpt(member) == *label)
        };
        let warned: Vec<bool> = self
            .moves
            .iter()
            .map(|one| detail == Detail::All || warned(&one.label))
            .collect();
        let found = self.moves.iter_mut().zip(warned).find(|(one, _)| {
            let same = if id.is_empty() {
                one.mark == mark
            } else {
                one.id == id
            };
            same && one.ended == Ended::Running
        });
        if let Some((one, warned)) = found {
            one.ended = ended;
            one.said = if warned { excerpt(said) } else { "".into() };
        }
    }

    /// The newest call was not run.
    pub fn refuse(&mut self) {
        if let Some(one) = self.moves.back_mut() {
            one.ended = Ended::Denied;
        }
    }

    /// Takes in what the rules see with a result or a denial.
    ///
    /// A loop that the agent was warned of is not over because the rules do not see it with every call of its laps: an edit
    /// between two failing tests is part of the loop. It is over when as many results as two laps have come without it, or
    /// when the agent is warned of another pattern.
    pub fn see(&mut self, mut seen: Vec<Seen>, told: Told) {
        let continues = self
            .streak
            .as_ref()
            .is_some_and(|streak| streak.is_continued_by(&seen));
        if let Some(streak) = &mut self.streak
            && !continues
            && told == Told::Nothing
            && streak.told > Told::Nothing
        {
            streak.quiet = streak.quiet.saturating_add(1);
            if !streak.is_over() {
                return;
            }
            self.end_streak();
        }
        if seen.is_empty() {
            return self.end_streak();
        }
        seen.sort_by_key(|one| std::cmp::Reverse(one.wasted));
        let before = self.streak.take().filter(|_| continues);
        let (before, gap) = before.map_or((Told::Nothing, 0), |one| (one.told, one.gap));
        let told = told.max(before);
        if told > Told::Nothing {
            let repeated = seen.first().map_or(0, |one| one.wasted);
            self.wasted = self.wasted.max(self.wasted_before + repeated);
        }
        self.streak = Some(Streak {
            seen,
            told,
            quiet: 0,
            gap: gap.max(self.calls_since_the_same()),
        });
    }

    /// Calls between the newest one and the last equal one, of those that are remembered.
    fn calls_since_the_same(&self) -> u32 {
        let mut newest_first = self.moves.iter().rev();
        let Some(newest) = newest_first.next() else {
            return 0;
        };
        let since = newest_first.position(|one| one.mark == newest.mark);
        since.map_or(0, |since| u32::try_from(since).unwrap_or(u32::MAX))
    }

    /// The newest call is one more of a loop that was not stopped.
    pub fn go_round(&mut self) {
        if let Some(seen) = self
            .streak
            .as_mut()
            .and_then(|streak| streak.seen.first_mut())
        {
            seen.repeats = seen.repeats.saturating_add(1);
            seen.wasted += 1;
            self.wasted = self.wasted.max(self.wasted_before + seen.wasted);
        }
    }

    /// Nothing is being repeated any more.
    pub fn end_streak(&mut self) {
        self.streak = None;
        self.wasted_before = self.wasted;
    }

    /// A person lets the agent go on.
    pub fn lift(&mut self) {
        self.end_streak();
        self.message = "".into();
    }

    fn use_tool(&mut self, tool: Box<str>) {
        if let Some(used) = self.tools.iter_mut().find(|used| used.tool == tool) {
            used.calls += 1;
            return;
        }
        if self.tools.len() >= TOOLS {
            let least = (0..self.tools.len()).min_by_key(|at| self.tools[*at].calls);
            self.tools.remove(least.unwrap_or_default());
        }
        self.tools.push(Used { tool, calls: 1 });
    }
}

/// Not collision-resistant: labels are only told apart for display.
fn mark(label: &str) -> u64 {
    let hash = blake3::hash(label.as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

fn excerpt(text: &str) -> Box<str> {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => text[..end].into(),
        None => text.into(),
    }
}

fn cut(text: &str) -> Box<str> {
    text[..unstuck_text::floor_char_boundary(text, LONGEST)].into()
}

#[cfg(test)]
#[path = "activity_tests.rs"]
mod tests;
