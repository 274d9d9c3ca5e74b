//! The latest calls of a run, as far as a loop needs them to know its members.

use std::{
    collections::{HashMap, VecDeque},
    hash::{DefaultHasher, Hash, Hasher as _},
};

use unstuck::{Call, Outcome, RuleName, Step};

use super::mark::Spent;

/// Bytes of arguments and of an outcome that are compared, together with their length.
const COMPARED: usize = 8 << 10;
/// Bytes of an output by which failures are compared that are not equal.
const OPENING: usize = 40;
/// Calls without a result that are remembered.
const MAX_WAITING: usize = 256;
/// Calls before the one a finding names as its first that may still belong to it: rules that count failures or known
/// outcomes among the latest calls name the beginning of the last row only.
const WINDOW: u64 = 32;
/// Likeness of a call that fits the rule by itself, and not only by where it was made.
const FITS: u32 = 4;

/// One call of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Made {
    /// Number of the call in its run, counted from one.
    pub number: u32,
    /// Number of its event in the run.
    pub event: u64,
    /// Number of its result's event; 0 while there is none.
    ended: u64,
    /// Line of the file; 0 where it is unknown.
    pub line: u32,
    /// Line of its result; its own line while there is none.
    pub end: u32,
    /// In milliseconds since 1970.
    pub at: Option<i64>,
    /// Number of its tool.
    pub tool: u16,
    /// Equal for equal calls.
    what: u64,
    /// Equal for equal outcomes.
    outcome: u64,
    /// Equal for outputs that begin alike.
    opening: u64,
    failed: bool,
    /// Its share of what its turn cost; nothing while the turn goes on.
    pub cost: Spent,
}

/// Equal for calls that are equal and had equal outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind(u64, u64);

impl Made {
    /// The kind of a call whose outcome is known.
    pub fn kind(&self) -> Option<Kind> {
        (self.ended > 0).then_some(Kind(self.what, self.outcome))
    }
}

impl Made {
    /// Equal for equal outcomes; `None` while there is no result.
    pub fn outcome(&self) -> Option<u64> {
        (self.ended > 0).then_some(self.outcome)
    }
}

/// The latest calls of a run.
#[derive(Debug, Default)]
pub struct RecentCalls {
    made: VecDeque<Made>,
    limit: usize,
    /// Calls without a result, by id.
    waiting: VecDeque<(Box<str>, u32)>,
    total: u32,
}

impl RecentCalls {
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Adds a call and returns its number.
    pub fn call(&mut self, call: &Call, place: (u64, u64), at: Option<i64>) -> u32 {
        if self.waiting.len() >= MAX_WAITING {
            self.waiting.pop_front();
        }
        let args = call.args.as_str();
        let what = mark(&(&call.tool, call.key.as_deref(), compared(args), args.len()));
        let number = self.push(what, place, at);
        self.waiting.retain(|(id, _)| *id != call.id);
        self.waiting.push_back((call.id.clone(), number));
        number
    }

    /// Adds the result of a call and returns the number of that call, where it is known.
    pub fn result(&mut self, outcome: &Outcome, place: (u64, u64)) -> Option<u32> {
        let at = self.waiting.iter().position(|(id, _)| *id == outcome.id)?;
        let (_, number) = self.waiting.remove(at)?;
        let output = outcome.output.as_ref().map(unstuck::Json::as_str);
        let print = mark(&(
            outcome.failed(),
            outcome.exit_code,
            output.map(|text| (compared(text), text.len())),
        ));
        let opening = output.map_or(0, opening);
        self.end(number, place, (print, opening, outcome.failed()));
        Some(number)
    }

    /// Adds a compound action, which has its outcome in it.
    pub fn step(&mut self, step: &Step, place: (u64, u64), at: Option<i64>) -> u32 {
        let number = self.push(mark(&compared(&step.code)), place, at);
        let output = step.output.as_ref().map(unstuck::Json::as_str);
        let print = mark(&output.map(|text| (compared(text), text.len())));
        let opening = output.map_or(0, opening);
        self.end(number, place, (print, opening, false));
        number
    }

    /// Sets the tool of the latest call.
    pub fn set_tool(&mut self, tool: u16) {
        if let Some(last) = self.made.back_mut() {
            last.tool = tool;
        }
    }

    /// Shares what a turn cost equally among its calls, which are those from `first` on. Whole tokens are shared such that
    /// nothing is lost.
    pub fn pay(&mut self, first: u32, cost: Spent) {
        let calls = self.total.saturating_sub(first).saturating_add(1);
        let share = |place: u32| {
            let part = u128::from(cost.tokens) * u128::from(place) / u128::from(calls);
            u64::try_from(part).unwrap_or(u64::MAX)
        };
        let latest = self.made.iter_mut().rev();
        for made in latest.take_while(|made| made.number >= first) {
            let place = made.number - first;
            made.cost = Spent {
                tokens: share(place + 1) - share(place),
                usd: cost.usd / f64::from(calls),
            };
        }
    }

    /// A call, if it is among those remembered.
    pub fn get(&self, number: u32) -> Option<&Made> {
        let oldest = self.made.front()?.number;
        self.made.get(number.checked_sub(oldest)? as usize)
    }

    /// Calls from one number to another, as far as they are remembered.
    pub fn between(&self, from: u32, to: u32) -> impl Iterator<Item = &Made> {
        let oldest = self.made.front().map_or(0, |made| made.number);
        let skipped = from.saturating_sub(oldest) as usize;
        self.made
            .iter()
            .skip(skipped)
            .take_while(move |made| made.number <= to)
    }

    /// The call that an event made or ended; for another event, the next call after it.
    pub fn at_event(&self, event: u64) -> Option<u32> {
        let next = self.made.partition_point(|made| made.event < event);
        let made = self.made.get(next);
        if made.is_some_and(|made| made.event == event) {
            return made.map(|made| made.number);
        }
        let before = self.made.iter().take(next).rev().take(MAX_WAITING);
        let ended = before.into_iter().find(|made| made.ended == event);
        ended.or(made).map(|made| made.number)
    }

    /// The latest call equal to the one that an event made.
    pub fn last_equal(&self, event: u64) -> Option<u32> {
        let first = self.get(self.at_event(event)?)?.what;
        let mut latest = self.made.iter().rev();
        latest
            .find(|made| made.what == first)
            .map(|made| made.number)
    }

    /// Whether two calls are known and equal.
    pub fn same_call(&self, one: u32, other: u32) -> bool {
        let both = self.get(one).zip(self.get(other));
        both.is_some_and(|(one, other)| one.what == other.what)
    }

    /// Whether the outcomes of two calls are known and equal.
    pub fn same_outcome(&self, one: u32, other: u32) -> bool {
        let known = |number| self.get(number).filter(|made| made.ended > 0);
        known(one)
            .zip(known(other))
            .is_some_and(|(one, other)| one.outcome == other.outcome)
    }

    /// The `wanted` calls before `now` that a rule counted together with it, from the call `first` on: those most like
    /// it in what the rule compares. In order, and fewer where there are not as many.
    pub fn alike(&self, rule: RuleName, wanted: usize, first: u32, now: u32) -> Vec<u32> {
        let known = |number| self.get(number).filter(|made| made.ended > 0);
        // While the outcome is open, the call that the engine names stands for it.
        let Some(last) = known(now).or(known(first)).or(self.get(now)) else {
            return Vec::new();
        };
        let mut ranked: Vec<(u32, u32)> = self
            .between(first, now.saturating_sub(1))
            .map(|made| (self.likeness(rule, made, last), made.number))
            .collect();
        if ranked.len() < wanted {
            let back = u64::from(now).saturating_sub(WINDOW.max(wanted as u64)) as u32;
            let earlier = self.between(back, first.min(now).saturating_sub(1));
            ranked.extend(
                earlier
                    .map(|made| (self.likeness(rule, made, last), made.number))
                    .filter(|(likeness, _)| *likeness >= FITS),
            );
        } else if let Some((likeness, _)) = ranked.iter_mut().find(|(_, one)| *one == first) {
            // The engine names it.
            *likeness = u32::MAX;
        }
        // Where a rule counts equal calls, another one was not counted, whatever the number says.
        if matches!(
            rule,
            RuleName::ExactRepeat | RuleName::Poll | RuleName::CallBurst
        ) {
            ranked.retain(|(likeness, _)| *likeness >= FITS);
        }
        // Which calls are the same in other words, only the engine knows; those that are equal are.
        if rule == RuleName::NearRepeat {
            self.prefer_repeated(&mut ranked);
        }
        best(ranked, wanted)
    }

    /// At most `wanted` calls from `from` to before `now` that belong to a loop as well: those that are like its call
    /// `like` in what the rule compares. Calls that it has are left out.
    pub fn fitting(
        &self,
        (rule, like): (RuleName, u32),
        wanted: usize,
        (from, now): (u32, u32),
        has: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let Some(like) = self.get(like).filter(|_| wanted > 0) else {
            return Vec::new();
        };
        let between = self.between(from, now.saturating_sub(1));
        let fitting = between
            .filter(|made| !has(made.number))
            .map(|made| (self.likeness(rule, made, like), made.number))
            .filter(|(likeness, _)| *likeness >= FITS);
        best(fitting.collect(), wanted)
    }

    /// Puts calls that were repeated before others that are as much alike.
    fn prefer_repeated(&self, ranked: &mut [(u32, u32)]) {
        let kind = |number: u32| self.get(number).and_then(Made::kind);
        let mut times: HashMap<Kind, u32> = HashMap::new();
        for kind in ranked.iter().filter_map(|(_, number)| kind(*number)) {
            *times.entry(kind).or_default() += 1;
        }
        for (likeness, number) in ranked {
            let times = kind(*number).map_or(1, |kind| times[&kind]);
            *likeness = likeness
                .saturating_mul(1 << 12)
                .saturating_add(times.min(1 << 10));
        }
    }

    /// The calls of laps that end with `now`: all of them, or where there were others in between, those that were made
    /// in every lap.
    pub fn in_laps(&self, (laps, period): (usize, usize), first: u32, now: u32) -> Vec<u32> {
        let span: Vec<&Made> = self.between(first, now).collect();
        let all = span.len() < (laps + 1).saturating_mul(period);
        let often = |made: &Made| span.iter().filter(|one| one.what == made.what).count() >= laps;
        let kept = span.iter().filter(|made| all || often(made));
        kept.map(|made| made.number).collect()
    }

    /// How much a call is like another one, by what the rule compares.
    fn likeness(&self, rule: RuleName, one: &Made, last: &Made) -> u32 {
        let call = one.what == last.what;
        let outcome = one.ended > 0 && last.ended > 0 && one.outcome == last.outcome;
        let tool = one.tool == last.tool;
        let (first, second, third) = match rule {
            RuleName::ExactRepeat | RuleName::Poll | RuleName::CallBurst | RuleName::SwarmLoop => {
                (call, outcome, tool)
            }
            RuleName::StuckOutcome if !last.failed => {
                (!one.failed && self.is_old(one), outcome, tool)
            }
            RuleName::StuckOutcome | RuleName::FailureCascade => {
                (one.failed, one.opening == last.opening, tool)
            }
            RuleName::TestFixCycle => (one.failed && tool, call, outcome),
            RuleName::Stagnation => (self.is_known(one), outcome, call),
            RuleName::EditRevert => (tool && !one.failed, call, outcome),
            _ => (outcome && tool, call, tool),
        };
        FITS * u32::from(first) + 2 * u32::from(second) + u32::from(third)
    }

    /// Whether an equal call had the same outcome before.
    fn is_known(&self, made: &Made) -> bool {
        let before = self.between(1, made.number.saturating_sub(1));
        made.ended > 0
            && before
                .into_iter()
                .any(|one| one.what == made.what && one.outcome == made.outcome && one.ended > 0)
    }

    /// Had any call the same outcome before?
    fn is_old(&self, made: &Made) -> bool {
        let mut before = self.between(1, made.number.saturating_sub(1));
        made.ended > 0 && before.any(|one| one.outcome == made.outcome && one.ended > 0)
    }

    fn push(&mut self, what: u64, (event, line): (u64, u64), at: Option<i64>) -> u32 {
        if self.made.len() >= self.limit {
            self.made.pop_front();
        }
        self.total = self.total.saturating_add(1);
        let line = u32::try_from(line).unwrap_or(0);
        self.made.push_back(Made {
            number: self.total,
            event,
            line,
            end: line,
            at,
            what,
            ..Made::default()
        });
        self.total
    }

    fn end(&mut self, number: u32, (event, line): (u64, u64), outcome: (u64, u64, bool)) {
        let Some(oldest) = self.made.front().map(|made| made.number) else {
            return;
        };
        let Some(at) = number.checked_sub(oldest).map(|at| at as usize) else {
            return;
        };
        if let Some(made) = self.made.get_mut(at) {
            made.ended = event;
            made.end = u32::try_from(line).unwrap_or(0);
            (made.outcome, made.opening, made.failed) = outcome;
        }
    }
}

/// The numbers of the best of (likeness, number), in order.
fn best(mut ranked: Vec<(u32, u32)>, wanted: usize) -> Vec<u32> {
    ranked.sort_unstable_by(|one, other| other.cmp(one));
    ranked.truncate(wanted);
    let mut chosen: Vec<u32> = ranked.into_iter().map(|(_, number)| number).collect();
    chosen.sort_unstable();
    chosen
}

/// The beginning of an output without digits: equal for errors that differ in a number or a name.
fn opening(text: &str) -> u64 {
    let letters = text.bytes().filter(|byte| !byte.is_ascii_digit());
    mark(&letters.take(OPENING).collect::<Vec<_>>())
}

fn compared(text: &str) -> &[u8] {
    let bytes = text.as_bytes();
    &bytes[..bytes.len().min(COMPARED)]
}

fn mark(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
