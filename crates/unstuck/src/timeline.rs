//! The timeline: bounded memory of one agent in one session.
//!
//! Everything that rules look at is here, kept up to date event by event at a cost that does not grow with history.
//! What a provider's retry must undo is either journaled (the larger memories) or small enough to copy at every turn.

mod chant;
mod complaints;
mod done;
mod failures;
mod familiar;
mod files;
mod lately;
mod lookalikes;
mod matrix;
mod pending;
mod refusals;
mod report;
mod results;
mod runs;
mod streaks;
mod tail;
mod tally;
mod told;

use serde::{Deserialize, Serialize};

use crate::{
    breaker::Breaker,
    event::{Role, Timestamp, Usage},
    fingerprint::Mark,
    identity::Action,
    memory::{Recent, Seen},
    settings::{CountCalls, CycleOf, OnUser, Settings},
    volatility::Volatility,
};

pub(crate) use chant::{Said, Voices};
pub(crate) use complaints::{Alike, Complaints};
pub(crate) use done::Done;
pub(crate) use failures::{Failed, Failures, Tests};
pub(crate) use familiar::Familiar;
pub(crate) use files::{Files, Idle, Step};
pub(crate) use lately::Lately;
pub(crate) use lookalikes::Lookalikes;
pub(crate) use matrix::{Matrix, Progress};
pub(crate) use pending::{PendingCall, PendingCalls};
pub(crate) use refusals::{InvalidCalls, UnknownTools};
pub(crate) use runs::{Pattern, Runs};
pub(crate) use streaks::{Spent, Streaks};
pub(crate) use tail::Tail;
use tally::Since;
pub(crate) use tally::{Company, Place, Tally};
pub(crate) use told::{Again, Told};

/// A line number, small enough to be kept with every call.
pub(crate) type Line = u32;

/// Bounded memory of one agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Timeline {
    pub(crate) clock: Option<Timestamp>,
    started: Option<Timestamp>,
    pub(crate) streaks: Streaks,
    /// The streaks as they were when the last turn ended.
    at_turn: Streaks,
    /// Outcomes of equal calls.
    pub(crate) exact: Recent<Tally>,
    /// Outcomes of similar calls.
    pub(crate) near: Recent<Tally>,
    /// Which calls are one in other words.
    pub(crate) lookalikes: Lookalikes,
    /// What changes in the answers to equal calls and means nothing.
    pub(crate) volatility: Volatility,
    /// How often each pattern of calls has come round.
    pub(crate) patterns: Recent<u32>,
    /// The states that files were in.
    pub(crate) files: Files,
    approaches: Seen,
    outcomes: Seen,
    pub(crate) pending: PendingCalls,
    /// What is being said and thought in this turn.
    pub(crate) voices: Voices,
    pub(crate) breaker: Breaker,
    pub(crate) spent: Spent,
    /// Turns so far; calls of one turn are one parallel round.
    pub(crate) round: u32,
}

impl Timeline {
    pub(crate) fn new(settings: &Settings) -> Self {
        let memory = &settings.memory;
        let seen = settings.rules.matrix().map_or(1, |(_, memory)| memory);
        Self {
            clock: None,
            started: None,
            streaks: Streaks::default(),
            at_turn: Streaks::default(),
            exact: Recent::new(memory.calls),
            near: Recent::new(memory.calls),
            lookalikes: Lookalikes::new(),
            volatility: Volatility::new(),
            patterns: Recent::new(memory.calls),
            files: Files::new(),
            approaches: Seen::new(seen),
            outcomes: Seen::new(seen),
            pending: PendingCalls::default(),
            voices: Voices::default(),
            breaker: Breaker::new(settings.rules.call_burst.keys),
            spent: Spent::default(),
            round: 0,
        }
    }

    /// State that was stored under other settings, within the bounds of these.
    pub(crate) fn fit(self, settings: &Settings) -> Self {
        let memory = &settings.memory;
        let seen = settings.rules.matrix().map_or(1, |(_, memory)| memory);
        Self {
            exact: self.exact.fit(memory.calls),
            near: self.near.fit(memory.calls),
            lookalikes: self.lookalikes.fit(),
            volatility: self.volatility.fit(),
            patterns: self.patterns.fit(memory.calls),
            files: self.files.fit(),
            approaches: self.approaches.fit(seen),
            outcomes: self.outcomes.fit(seen),
            breaker: self.breaker.fit(settings.rules.call_burst.keys),
            ..self
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

    /// Whether this call, or one like it, was seen lately.
    pub(crate) fn knows(&self, action: &Action) -> bool {
        self.exact.get(action.exact).is_some()
            || self.near.get(action.near).is_some()
            || self
                .streaks
                .tail
                .contains(action.exact, action.coarse.mark())
            || self.streaks.runs.contains(action.exact)
    }

    /// The epoch that counts for a call.
    pub(crate) fn epoch_for(&self, action: &Action) -> u32 {
        self.streaks.ledger.epoch_for(action.effect, action.scope)
    }

    /// Does the agent go round in a cycle of several calls, outcomes included?
    pub(crate) fn cycles(&self, settings: &Settings) -> bool {
        let cycle = &settings.rules.cycle;
        let current = self.streaks.runs.current();
        cycle.enabled
            && cycle.of == CycleOf::Steps
            && current.is_some_and(|pattern| pattern.period > 1)
    }

    /// A call that is let through.
    pub(crate) fn record_call(
        &mut self,
        action: Action,
        id: Box<str>,
        line: Line,
        settings: &Settings,
    ) {
        let rules = &settings.rules;
        self.count_call(line);
        self.spent.steps += 1;
        let calls_only = |count| count != CountCalls::Outcomes;
        let window = [
            (
                rules.exact_repeat.enabled && calls_only(rules.exact_repeat.count),
                rules.exact_repeat.window,
            ),
            (
                rules.near_repeat.enabled && calls_only(rules.near_repeat.count),
                rules.near_repeat.window,
            ),
        ];
        let window = window
            .into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, window)| window)
            .max();
        if let Some(window) = window {
            self.streaks.tail.push(&action, line, window);
        }
        if rules.cycle.enabled && rules.cycle.of == CycleOf::Calls {
            let pattern = self.streaks.runs.push(
                action.exact,
                action.exact,
                line,
                action.label.clone(),
                rules.cycle.longest,
            );
            if let Some(pattern) = pattern
                && pattern.completes_lap()
            {
                *self.patterns.entry(pattern.key, || 0) += 1;
            }
        }
        if rules.call_burst.enabled {
            self.breaker
                .pass(action.exact, self.now(), &rules.call_burst);
        }
        self.lookalikes.meet(&action);
        self.pending.push(
            PendingCall::new(action, id, line, self.round, self.now()),
            settings.memory.pending as usize,
        );
    }

    /// A call that the guard denied. It ran nowhere, so it feeds nothing; but it was a call, and its result may still
    /// come where the caller only observes.
    pub(crate) fn record_denied(
        &mut self,
        action: Action,
        id: Box<str>,
        line: Line,
        settings: &Settings,
    ) {
        self.count_call(line);
        self.streaks.ledger.deny();
        self.streaks.failures.start_afresh();
        self.pending.push(
            PendingCall::new(action, id, line, self.round, self.now()).denied(),
            settings.memory.pending as usize,
        );
    }

    /// The breaker itself denied a call. Denials of other rules say nothing about the window.
    pub(crate) fn open_breaker(&mut self, action: &Action, settings: &Settings) {
        let now = self.now();
        self.breaker
            .deny(action.exact, now, &settings.rules.call_burst);
    }

    fn count_call(&mut self, line: Line) {
        let turns = &mut self.streaks.turns;
        turns.calls += 1;
        turns.worked = true;
        turns.idle = 0;
        turns.unreported = 0;
        turns.from = line;
    }

    /// Learns from what a call came back with. Returns what is left of it without what means nothing, where that is
    /// known. Only calls that came back with something else before are worth the look.
    pub(crate) fn learn(&mut self, call: Mark, outcome: Mark, meaning: &[u8]) -> Option<Vec<u8>> {
        let before = self.exact.get(call).map(|tally| tally.outcome);
        let changed = before.is_some_and(|before| before != outcome);
        if !changed && !self.volatility.tracks(call) {
            return None;
        }
        self.volatility.observe(call, meaning)
    }

    /// A compound step.
    pub(crate) fn record_step(&mut self, approach: Mark, outcome: Mark, line: Line) -> Progress {
        self.spent.steps += 1;
        self.classify(approach, outcome, line)
    }

    fn classify(&mut self, approach: Mark, outcome: Mark, line: Line) -> Progress {
        let old_approach = self.approaches.contains(approach);
        let old_outcome = self.outcomes.contains(outcome);
        self.approaches.insert(approach);
        self.outcomes.insert(outcome);
        self.streaks.matrix.record(old_approach, old_outcome, line)
    }

    /// Words of the model.
    pub(crate) fn record_text(&mut self, text: &str, role: Role, line: Line, settings: &Settings) {
        if settings.rules.summary_loop.enabled && role == Role::Assistant {
            self.streaks.turns.reported |= report::reports_done(text);
        }
        if settings.rules.chant.enabled || settings.rules.relay.enabled {
            let epoch = self.streaks.ledger.epoch();
            self.voices.hear(text, role, line, epoch);
        }
    }

    /// The model's turn ended. What has no result by now has an unknown outcome.
    pub(crate) fn record_turn(&mut self, usage: Usage, line: Line) {
        let (exact, near) = (&mut self.exact, &mut self.near);
        self.pending.end_round(self.round, |call| {
            exact.update(call.exact, Tally::record_unknown);
            near.update(call.near, Tally::record_unknown);
        });
        let worked = self.streaks.turns.end(line);
        let epoch = self.streaks.ledger.epoch();
        self.streaks.said.end_turn(&self.voices, epoch, worked);
        self.voices.clear();
        self.spent.tokens = self.spent.tokens.saturating_add(usage.tokens);
        self.spent.cost_micros = self.spent.cost_micros.saturating_add(usage.cost_micros);
        self.round = self.round.wrapping_add(1);
        self.commit();
    }

    /// From here on a retry comes back to this point.
    fn commit(&mut self) {
        self.at_turn.clone_from(&self.streaks);
        self.exact.commit();
        self.near.commit();
        self.lookalikes.commit();
        self.volatility.commit();
        self.patterns.commit();
        self.files.commit();
        self.approaches.commit();
        self.outcomes.commit();
    }

    /// The provider replays: the calls since the last turn never happened, and their late results mean nothing.
    pub(crate) fn retry(&mut self) {
        self.streaks.clone_from(&self.at_turn);
        self.voices.clear();
        self.exact.rollback();
        self.near.rollback();
        self.lookalikes.rollback();
        self.volatility.rollback();
        self.patterns.rollback();
        self.files.rollback();
        self.approaches.rollback();
        self.outcomes.rollback();
        self.pending.forget_round(self.round);
    }

    /// A person spoke.
    pub(crate) fn user(&mut self, settings: &Settings) {
        match settings.policy.on_user {
            OnUser::Keep => {}
            OnUser::ClearPatterns => self.patterns.clear(),
            OnUser::RestartStreaks => {
                let ledger = self.streaks.ledger.clone();
                let worked = self.streaks.turns.worked;
                self.streaks = Streaks::default();
                self.streaks.turns.worked = worked;
                self.streaks.ledger = ledger;
                // What was repeated before the word and is repeated after it are two streaks.
                self.streaks.ledger.advance();
                self.voices.clear();
                self.patterns.clear();
                self.files.clear();
            }
        }
        if settings.policy.on_user != OnUser::Keep {
            // A replay of the turn that answers must not bring back what the word has cleared.
            self.commit();
        }
    }

    /// A person cleared the agent.
    pub(crate) fn reset(&mut self, settings: &Settings) {
        let clock = self.clock;
        *self = Self::new(settings);
        self.clock = clock;
    }
}
