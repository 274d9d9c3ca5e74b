//! Recording of a result in the state of an agent.

use super::{
    CallStreak, CompletedCall, FileStep, MadeCall, Novelty, Overlap, State, call_streak::Since,
    ledger::Credit, test_runs::TestRuns,
};
use crate::{
    facts::{Command, Effect, Ending, Needs, ResultFacts, TestOutcome},
    vocab::tools::ToolWords,
};

impl State {
    /// Records a result. `own_ladder` is whether the tool has a first threshold of its own.
    ///
    /// The steps depend on each other in this order: novelty, file, ledger, streaks, tests, matrix.
    pub(crate) fn record_result(
        &mut self,
        call: MadeCall,
        result: ResultFacts,
        needs: Needs,
        own_ladder: bool,
    ) -> CompletedCall {
        let adjacency = self.adjacency(call.facts.exact);
        let streak = self.exact.get(call.facts.exact);
        let seen_before = streak.is_some();
        let novelty = match streak {
            Some(streak) if streak.goes_on(&result, adjacency) => Novelty::Known,
            _ => Novelty::New,
        };
        let certain = call.facts.polling.is_certain();
        let mut done = CompletedCall {
            exact: None,
            near: None,
            novelty,
            adjacency,
            step: FileStep::Unknown,
            progress: None,
            test_failed: false,
            epoch: self.counters.ledger.epoch(),
            waits: needs.polls && certain,
            may_wait: needs.polls && (certain || result.waits.is_some()),
            own_ladder,
            call,
            result,
        };
        if done.call.lost {
            let facts = &done.call.facts;
            self.exact
                .update(facts.exact, CallStreak::take_back_unknown);
            self.near.update(facts.near, CallStreak::take_back_unknown);
        }
        self.counters.endings.record(done.result.ending, novelty);
        if !done.settled() {
            return done;
        }
        done.step = self.record_change(&done);
        let credit = self.credit(&done);
        done.epoch = self.counters.ledger.epoch();
        self.record_streaks(&mut done, needs);
        if done.call.facts.command == Command::ShowsChanges
            && novelty == Novelty::New
            && seen_before
        {
            // Something changed the files, whatever it was.
            self.counters.ledger.advance();
        }
        self.record_test(&mut done);
        self.record_pair(&mut done, seen_before, credit, needs);
        done
    }

    /// Effect of a call on a file: by its result, by its arguments, or by the known state of the file.
    fn record_change(&mut self, done: &CompletedCall) -> FileStep {
        let change = done.call.facts.change;
        if done.result.no_op || change.is_some_and(|change| change.is_no_op()) {
            return FileStep::NoOp;
        }
        match change {
            Some(change) if done.result.ending == Ending::Success => {
                self.files.record(change, done.call.line)
            }
            _ => FileStep::Unknown,
        }
    }

    /// Credits progress. A call's own progress starts its streak and does not end it.
    fn credit(&mut self, done: &CompletedCall) -> Credit {
        let facts = &done.call.facts;
        let counters = &mut *self.counters;
        let credit = if done.step == FileStep::NoOp {
            Credit::None
        } else {
            let change = (facts.effect, facts.scope);
            counters.ledger.credit(change, &done.result, done.novelty)
        };
        counters.last_call = facts.exact;
        let learned = done.result.ending == Ending::Success && done.novelty == Novelty::New;
        if learned && done.step != FileStep::NoOp {
            counters.news = counters.news.wrapping_add(1);
            if facts.effect != Effect::Reads && !ToolWords::of(&facts.tool).say(ToolWords::THINKS) {
                counters.acts = counters.acts.wrapping_add(1);
            }
        }
        credit
    }

    fn record_streaks(&mut self, done: &mut CompletedCall, needs: Needs) {
        let facts = &done.call.facts;
        let since = Since {
            epoch: self.epoch_for(facts),
            news: self.counters.news,
            acts: self.counters.acts,
            adjacency: done.adjacency,
        };
        if needs.outcomes {
            let streak = self.exact.entry(facts.exact, CallStreak::default);
            done.exact = streak.record(&done.call, done.call.overlap, &done.result, since);
            done.waits |= needs.polls && streak.waits();
            done.may_wait |= done.waits;
        }
        if needs.near {
            let streak = self.near.entry(facts.near, CallStreak::default);
            done.near = streak.record(&done.call, done.call.near_overlap, &done.result, since);
        }
    }

    fn record_test(&mut self, done: &mut CompletedCall) {
        if done.call.facts.command == Command::Bisects && done.result.ending == Ending::Success {
            // What runs next is about another commit.
            self.counters.tests = TestRuns::default();
            self.counters.ledger.advance();
        }
        if done.call.facts.command == Command::TestRun
            && let Some(test) = done.result.test
        {
            done.test_failed = test == TestOutcome::Failed;
            let counters = &mut *self.counters;
            if counters.tests.record(test, &done.call, &done.result) {
                counters.ledger.advance();
            }
        }
    }

    /// Enters a call with its result into the matrix of approaches and outcomes, unless a rule about repeats or polls
    /// judges it.
    fn record_pair(
        &mut self,
        done: &mut CompletedCall,
        seen_before: bool,
        credit: Credit,
        needs: Needs,
    ) {
        if !needs.matrix.is_some_and(|matrix| matrix.calls) {
            return;
        }
        // A call that works now and returned something else before: the world has changed.
        let works_now = done.exact.is_some()
            && seen_before
            && done.novelty == Novelty::New
            && done.result.ending == Ending::Success;
        if credit == Credit::Progress || works_now {
            self.counters.matrix.advance();
            return;
        }
        let repeated =
            |streak: &Option<CallStreak>| streak.as_ref().is_some_and(|streak| streak.count() > 1);
        let facts = &done.call.facts;
        // A parallel twin is entered in place of this call.
        if done.may_wait
            || done.call.near_overlap == Overlap::Parallel
            || self.is_one_of_many(done)
            || repeated(&done.exact)
            || (repeated(&done.near) && !facts.is_reworded())
        {
            return;
        }
        let (approach, outcome, line) = (facts.exact, done.result.outcome, done.call.line);
        done.progress = Some(self.classify(approach, outcome, line));
    }

    /// Whether the call says nothing and is one of many of its kind: a change that is acknowledged, or a silent command or
    /// search like one before. Silence over calls of different kinds is one answer to all of them.
    fn is_one_of_many(&mut self, done: &CompletedCall) -> bool {
        if !done.result.silent && !done.result.little {
            return false;
        }
        let facts = &done.call.facts;
        let silent = &mut self.counters.silent;
        if silent.contains(&facts.shape) {
            return true;
        }
        silent.push(facts.shape);
        done.result.silent && facts.command == Command::None && facts.effect != Effect::Reads
    }
}
