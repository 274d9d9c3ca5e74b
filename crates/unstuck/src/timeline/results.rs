//! What a result changes in an agent's memory.

use super::{Company, Done, Failed, PendingCall, Since, Step, Tally, Timeline, failures::Tested};
use crate::{
    identity::{Command, Effect, Ending, Sight, TestOutcome},
    ledger::{Credit, Novelty},
    settings::{CountCalls, CycleOf, JudgeSteps, Settings},
};

impl Timeline {
    /// What a call came back with.
    pub(crate) fn record_result(
        &mut self,
        call: PendingCall,
        sight: Sight,
        settings: &Settings,
    ) -> Done {
        let rules = &settings.rules;
        let settled = sight.verdict != Ending::Neither;
        let place = self.streaks.place(call.exact);
        let novelty = match self.exact.get(call.exact) {
            Some(tally) if tally.goes_on(&sight, place) => Novelty::Known,
            _ => Novelty::New,
        };
        let known = self.exact.get(call.exact).is_some();
        let mut done = Done {
            fruitless: settled && (sight.verdict == Ending::Failure || novelty == Novelty::Known),
            exact: None,
            near: None,
            polled: false,
            novelty,
            place,
            progress: None,
            test_failed: false,
            failed: Failed::No,
            step: Step::Unknown,
            again: None,
            call,
            sight,
        };
        if rules.call_burst.enabled {
            let (call, outcome) = (done.call.exact, done.sight.outcome);
            self.breaker
                .result(call, outcome, self.now(), &rules.call_burst);
        }
        if done.call.lost {
            self.exact.update(done.call.exact, Tally::take_back_unknown);
            self.near.update(done.call.near, Tally::take_back_unknown);
        }
        let lately = &mut self.streaks.lately;
        lately.record(done.sight.verdict, novelty);
        if !settled {
            return done;
        }
        done.step = self.record_change(&done);
        // What a call itself achieved is the start of its own streak, not the end of it.
        let credit = if done.step == Step::Idle {
            Credit::None
        } else {
            let ledger = &mut self.streaks.ledger;
            ledger.credit((done.call.effect, done.call.scope), &done.sight, novelty)
        };
        let epoch = self.streaks.ledger.epoch();
        if done.step == Step::Idle {
            self.streaks.idle.record(&done.call, epoch);
        }
        self.streaks.last_call = done.call.exact;
        let learned = done.sight.verdict == Ending::Success && novelty == Novelty::New;
        if learned && done.step != Step::Idle {
            self.streaks.news = self.streaks.news.wrapping_add(1);
        }
        let ledger = &self.streaks.ledger;
        let since = Since {
            epoch: ledger.epoch_for(done.call.effect, done.call.scope),
            news: self.streaks.news,
            place: done.place,
        };
        // Also without `exact-repeat`: what is new and what is known is told by these tallies.
        if rules.compare_outcomes() {
            let tally = self.exact.entry(done.call.exact, Tally::default);
            done.exact = tally.record(&done.call, done.call.company, &done.sight, since);
            done.polled = tally.waits();
        }
        if rules.near_repeat.enabled && rules.near_repeat.count == CountCalls::Outcomes {
            let tally = self.near.entry(done.call.near, Tally::default);
            done.near = tally.record(&done.call, done.call.near_company, &done.sight, since);
        }
        let waits = rules.poll.enabled && done.waits();
        if rules.cycle.enabled
            && rules.cycle.of == CycleOf::Steps
            && done.call.company == Company::Alone
            && !waits
        {
            let key = done.call.exact.join(done.sight.outcome);
            let label = done.call.label.clone();
            self.streaks.runs.push(
                key,
                done.call.exact,
                done.call.line,
                label,
                rules.cycle.longest,
            );
        }
        // Many things may be asked after, each of them once.
        let may_wait = rules.poll.enabled && done.may_wait();
        if done.call.company == Company::Alone
            && !may_wait
            && !settings.counts_its_own(&done.call.tool)
        {
            self.streaks.familiar.record(novelty, done.call.line);
            let failures = &mut self.streaks.failures;
            failures.record_fruit(novelty, done.sight.verdict);
            self.streaks.complaints.record(&done.call, &done.sight);
        }
        if done.call.command == Command::ShowsChanges && novelty == Novelty::New && known {
            // Something changed the files, whatever it was.
            self.streaks.ledger.advance();
        }
        self.record_read(&done);
        self.record_failures(&mut done);
        self.streaks.unknown.record(&done.call, &done.sight, epoch);
        self.streaks.invalid.record(&done.call, &done.sight);
        let told = &mut self.streaks.told;
        done.again = told.record(&done.call, &done.sight, done.fruitless, epoch);
        self.record_pair(&mut done, credit, settings);
        done
    }

    /// What a call did to a file: what it said, what it was bound to do, or what it did to the state that is known.
    fn record_change(&mut self, done: &Done) -> Step {
        if done.sight.idle || done.call.change.is_some_and(|change| change.is_idle()) {
            return Step::Idle;
        }
        match done.call.change {
            Some(change) if done.sight.verdict == Ending::Success => {
                self.files.record(change, done.call.line)
            }
            _ => Step::Unknown,
        }
    }

    fn record_read(&mut self, done: &Done) {
        let reads = &mut self.streaks.reads;
        if done.call.effect != Effect::Reads {
            reads.row = 0;
        } else if done.sight.verdict == Ending::Success && reads.last != done.call.exact {
            // The same call again reads on: a stream, a log.
            reads.last = done.call.exact;
            if reads.row == 0 {
                reads.from = done.call.line;
            }
            reads.row = reads.row.saturating_add(1);
        }
    }

    fn record_failures(&mut self, done: &mut Done) {
        let streaks = &mut self.streaks;
        done.failed = streaks.failures.record(&done.call, &done.sight);
        if done.call.command == Command::TestRun
            && let Some(test) = done.sight.test
        {
            done.test_failed = test == TestOutcome::Failed;
            if streaks.tests.record(test, &done.call, &done.sight) == Tested::Better {
                streaks.ledger.advance();
            }
        }
    }

    /// Calls with their results go into the progress matrix where no rule of repetition speaks for them.
    fn record_pair(&mut self, done: &mut Done, credit: Credit, settings: &Settings) {
        let Some((JudgeSteps::StepsAndCalls, _)) = settings.rules.matrix() else {
            return;
        };
        if credit == Credit::Progress {
            self.streaks.matrix.advance();
            return;
        }
        let repeated =
            |tally: &Option<Tally>| tally.as_ref().is_some_and(|tally| tally.count() > 1);
        // A twin made in parallel speaks for this call, and `poll` for one that waits.
        let may_wait = settings.rules.poll.enabled && done.may_wait();
        if may_wait
            || done.call.near_company == Company::Parallel
            || done.sight.acknowledgement
            || repeated(&done.exact)
            || (repeated(&done.near) && !done.call.is_reworded())
        {
            return;
        }
        let (approach, outcome, line) = (done.call.exact, done.sight.outcome, done.call.line);
        done.progress = Some(self.classify(approach, outcome, line));
    }
}
