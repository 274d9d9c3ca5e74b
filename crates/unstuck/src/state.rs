//! State: the bounded memory of one agent that more than one rule reads.
//!
//! Everything is kept up to date event by event at a cost that does not grow with history. What only one rule reads is
//! in the file of that rule, or in a folder of the rule's name.

mod call_streak;
mod completed_call;
mod file_states;
mod ledger;
mod matrix;
mod recent_calls;
mod recent_endings;
mod record_result;
mod rewordings;
mod speech;
mod test_runs;
mod volatility;

use serde::{Deserialize, Serialize};

use crate::{
    event::{Line, Role, Timestamp, Usage},
    facts::{CallFacts, Needs},
    fingerprint::Mark,
    memory::{Last, PerTurn, Recent, Seen, memories},
    options::Room,
};

pub(crate) use call_streak::{Adjacency, CallStreak};
pub(crate) use completed_call::{CompletedCall, MadeCall, Novelty, Overlap};
pub(crate) use file_states::{FileStates, FileStep};
use ledger::Ledger;
use matrix::Matrix;
pub(crate) use matrix::Progress;
pub(crate) use recent_calls::RecentCalls;
use recent_endings::RecentEndings;
pub(crate) use rewordings::{Kinship, Rewordings};
pub(crate) use speech::{Chant, SaidAgain};
use speech::{Said, Voices};
use test_runs::TestRuns;
use volatility::Volatility;

/// Kinds of calls without a result that are remembered.
const SILENT_KINDS: usize = 8;

/// Bounded memory of one agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) clock: Option<Timestamp>,
    started: Option<Timestamp>,
    pub(crate) spent: Spent,
    /// Turns so far; calls of one turn are one parallel round.
    pub(crate) round: u32,
    pub(crate) counters: PerTurn<Counters>,
    /// Streaks of equal calls.
    pub(crate) exact: Recent<CallStreak>,
    /// Streaks of similar calls.
    pub(crate) near: Recent<CallStreak>,
    /// Groups of rephrased calls.
    pub(crate) rewordings: Rewordings,
    /// Parts of results that change from call to call without meaning.
    volatility: Volatility,
    pub(crate) files: FileStates,
    approaches: Seen,
    outcomes: Seen,
    /// Texts and thoughts of this turn.
    voices: Voices,
}

/// Counters that are small enough to be copied at every turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) ledger: Ledger,
    pub(crate) matrix: Matrix,
    pub(crate) endings: RecentEndings,
    pub(crate) tests: TestRuns,
    said: Said,
    /// Kinds of the last calls that returned nothing.
    silent: Last<Mark, SILENT_KINDS>,
    /// The call that returned last.
    last_call: Mark,
    /// Results so far that were new to the agent.
    news: u32,
    /// Calls so far that did more than read, worked, and were not made before with that result: they may have changed
    /// something.
    pub(crate) acts: u32,
    /// Calls in the turn that is running, denied ones included.
    calls: u32,
}

/// Consumption so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) steps: u64,
    pub(crate) tokens: u64,
    pub(crate) cost_micros: u64,
    pub(crate) milliseconds: u64,
}

memories!(State {
    per_turn: [
        counters, exact, near, rewordings, volatility, files, approaches, outcomes, voices
    ],
    lasting: [],
    plain: [clock, started, spent, round],
});

impl State {
    pub(crate) fn new(room: &Room) -> Self {
        Self {
            clock: None,
            started: None,
            spent: Spent::default(),
            round: 0,
            counters: PerTurn::default(),
            exact: Recent::new(room.calls, room.key),
            near: Recent::new(room.calls, room.key),
            rewordings: Rewordings::new(room.key),
            volatility: Volatility::new(room.key),
            files: FileStates::new(room.key),
            approaches: Seen::new(room.seen, room.key),
            outcomes: Seen::new(room.seen, room.key),
            voices: Voices::default(),
        }
    }

    /// Moves the clock. An earlier time leaves it where it is.
    pub(crate) fn tick(&mut self, at: Option<Timestamp>) {
        let Some(at) = at else { return };
        let now = self.clock.map_or(at, |clock| clock.max(at));
        let started = *self.started.get_or_insert(now);
        self.clock = Some(now);
        self.spent.milliseconds = now.since(started);
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.unwrap_or_default()
    }

    /// Whether this call, or a similar one, has a streak.
    pub(crate) fn knows(&self, call: &CallFacts) -> bool {
        self.exact.get(call.exact).is_some() || self.near.get(call.near).is_some()
    }

    /// The epoch of a call: repeats in another epoch were made before some progress.
    pub(crate) fn epoch_for(&self, call: &CallFacts) -> u32 {
        self.counters.ledger.epoch_for(call.effect, call.scope)
    }

    /// Whether the call follows an equal one directly.
    pub(crate) fn adjacency(&self, call: Mark) -> Adjacency {
        if self.counters.last_call == call {
            Adjacency::InARow
        } else {
            Adjacency::Apart
        }
    }

    /// Records a call that is let through.
    pub(crate) fn record_call(&mut self, args: &str) {
        self.volatility.used_in(args);
        self.counters.calls += 1;
        self.spent.steps += 1;
    }

    /// Records a call that was denied. It did not run, so only the count of denials changes.
    pub(crate) fn record_denied(&mut self, call: Mark, args: &str) {
        self.volatility.used_in(args);
        self.counters.calls += 1;
        self.counters.ledger.deny(call);
    }

    /// Whether the call is a new attempt after a denial: it was never made, and no call that ran has failed, or returned
    /// what was known, since. Other calls are not evidence about it until one does.
    pub(crate) fn is_new_attempt(&self, call: &CallFacts) -> bool {
        let denied = self.counters.ledger.denied();
        denied.is_some_and(|denied| denied != call.exact) && self.exact.get(call.exact).is_none()
    }

    /// Learns which parts of a result change without meaning. Returns the result without those parts, if any are known.
    /// Only calls with results that changed before are examined.
    pub(crate) fn learn(&mut self, call: Mark, outcome: Mark, meaning: &[u8]) -> Option<Vec<u8>> {
        let before = self.exact.get(call).map(|streak| streak.outcome);
        let changed = before.is_some_and(|before| before != outcome);
        if !changed && !self.volatility.tracks(call) {
            return None;
        }
        self.volatility.observe(call, meaning)
    }

    /// Records a compound step.
    pub(crate) fn record_step(&mut self, approach: Mark, outcome: Mark, line: Line) -> Progress {
        self.spent.steps += 1;
        self.classify(approach, outcome, line)
    }

    fn classify(&mut self, approach: Mark, outcome: Mark, line: Line) -> Progress {
        let old_approach = self.approaches.contains(approach);
        let old_outcome = self.outcomes.contains(outcome);
        self.approaches.insert(approach);
        self.outcomes.insert(outcome);
        self.counters.matrix.record(old_approach, old_outcome, line)
    }

    /// Records a text or a thought of the model.
    pub(crate) fn record_text(&mut self, text: &str, role: Role, line: Line, needs: Needs) {
        if needs.speech {
            let epoch = self.counters.ledger.epoch();
            self.voices.hear(text, role, line, epoch);
        }
    }

    /// Ends the model's turn. Returns whether it had any call.
    pub(crate) fn record_turn(&mut self, usage: Usage) -> bool {
        let counters = &mut *self.counters;
        let worked = counters.calls > 0;
        counters.calls = 0;
        let epoch = counters.ledger.epoch();
        counters.said.end_turn(&self.voices, epoch, worked);
        self.voices.clear();
        self.spent.tokens = self.spent.tokens.saturating_add(usage.tokens);
        self.spent.cost_micros = self.spent.cost_micros.saturating_add(usage.cost_micros);
        self.round = self.round.wrapping_add(1);
        worked
    }

    /// Counts a call that has no result at the end of its turn.
    pub(crate) fn record_unknown(&mut self, call: &CallFacts) {
        self.exact.update(call.exact, CallStreak::record_unknown);
        self.near.update(call.near, CallStreak::record_unknown);
    }

    /// Restarts all streaks after a message of a person.
    pub(crate) fn restart(&mut self) {
        let mut ledger = self.counters.ledger.clone();
        // What was repeated before the message and is repeated after it are two streaks.
        ledger.advance();
        self.counters.restart();
        self.counters.ledger = ledger;
        self.voices.clear();
        self.files.clear();
    }

    /// The chant in a stream of this turn, if there is one.
    pub(crate) fn chant(&self, role: Role) -> Option<&Chant> {
        self.voices.chant(role)
    }

    /// The text of the turn that has just ended, if it was repeated too often.
    pub(crate) fn said_too_often(&self) -> Option<&Chant> {
        self.counters.said.chant.as_ref()
    }

    /// The text of the turn that has just ended, if an earlier turn had it.
    pub(crate) fn said_again(&self) -> Option<&SaidAgain> {
        self.counters.said.again.as_ref()
    }
}
