//! One agent of one session: events in, decisions out.

use serde::{Deserialize, Serialize};
use unstuck_json::Json;

use super::{
    compiled::{Compiled, FirstArguments},
    decide::{Halt, Origin, decide},
    pending::{PendingCall, PendingCalls},
};
use crate::{
    decision::{Decision, Verdict},
    event::{Call, EventKind, Outcome, Step, Text, Timestamp, Usage},
    facts::{self, CallFacts, Ending, Extractor, Sketch},
    fingerprint::Fingerprint,
    memory::{Memory as _, memories},
    options::{OnUser, ToolSettings},
    policy::{Judgement, Warned},
    rules::{Found, Happened, IncomingCall, RuleFacts, RuleStates, Trigger},
    state::{CompletedCall, Kinship, MadeCall, Progress, State},
    swarm::{Delta, Tally},
    transition::{Phase, Transition},
};

/// Everything that is known about one agent.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(super) state: State,
    pub(super) rules: RuleStates,
    pub(super) rest: Rest,
}

/// What is stored beside the state and the private state of rules.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Rest {
    pub(super) warned: Warned,
    pending: PendingCalls,
    /// Set by a halt, lifted by a reset.
    pub(super) halted: Option<Box<Halt>>,
}

/// An answer, or a count of a swarm that is needed first.
pub(super) enum Answer {
    Decided(Decision),
    Asks(Delta, Unjudged),
}

/// What is judged once the count of the swarm is known.
pub(super) enum Unjudged {
    /// A call that is not recorded yet.
    Call(Box<NewCall>),
    /// A result that is recorded.
    Result(Box<RecordedResult>),
    /// The end of a turn, recorded.
    Turn(Vec<Transition>),
}

/// A recorded result with everything that is needed to judge it.
pub(super) struct RecordedResult {
    done: CompletedCall,
    facts: RuleFacts,
    output: Option<Json>,
    transitions: Vec<Transition>,
}

/// A call with everything that is needed to record it.
pub(super) struct NewCall {
    id: Box<str>,
    args: Json,
    incoming: IncomingCall,
    facts: RuleFacts,
    /// The sketch of its words and what it is to the rewordings that are remembered.
    kinship: Option<(Box<Sketch>, Kinship)>,
}

impl Unjudged {
    /// What recording the event has changed so far.
    fn into_transitions(self) -> Vec<Transition> {
        match self {
            Self::Call(_) => Vec::new(),
            Self::Result(result) => result.transitions,
            Self::Turn(transitions) => transitions,
        }
    }
}

impl Rest {
    /// What a swarm compares the calls under way by.
    pub(super) fn swarm_prints(&self, extractor: &Extractor) -> Vec<Option<Fingerprint>> {
        self.pending.swarm_prints(extractor)
    }

    /// The same, from stored state.
    pub(super) fn restore_swarm_prints(&mut self, prints: Vec<Option<Fingerprint>>) {
        self.pending.restore_swarm_prints(prints);
    }
}

memories!(Rest {
    per_turn: [warned],
    lasting: [pending],
    plain: [halted],
});

memories!(Session {
    per_turn: [state, rules, rest],
    lasting: [],
    plain: [],
});

impl Session {
    pub(super) fn new(compiled: &Compiled) -> Self {
        let room = &compiled.room;
        Self {
            state: State::new(room),
            rules: RuleStates::new(&compiled.settings.rules, room),
            rest: Rest {
                warned: Warned::new(room),
                pending: PendingCalls::new(room),
                halted: None,
            },
        }
    }

    pub(super) fn is_halted(&self) -> bool {
        self.rest.halted.is_some()
    }

    /// Takes an event in.
    pub(super) fn begin(
        &mut self,
        kind: EventKind,
        at: Option<Timestamp>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Answer {
        self.state.tick(at);
        if let EventKind::Reset = kind {
            let clock = self.state.clock;
            let was_halted = self.is_halted();
            *self = Self::new(compiled);
            self.state.clock = clock;
            let mut decision = origin.allow();
            if was_halted {
                let lifted = Transition::of_run(Phase::Halted, Phase::Running);
                decision.transitions.push(lifted);
            }
            return Answer::Decided(decision);
        }
        if let Some(halt) = &self.rest.halted {
            return Answer::Decided(halt.decision(origin, compiled.settings.mode));
        }
        match kind {
            EventKind::Call(call) => self.call(call, origin, compiled),
            EventKind::Result(outcome) => self.result(outcome, origin, compiled),
            EventKind::Step(step) => Answer::Decided(self.step(&step, origin, compiled)),
            EventKind::Turn(usage) => self.turn(usage, origin, compiled),
            EventKind::User => {
                self.user(compiled.settings.policy.on_user);
                Answer::Decided(origin.allow())
            }
            EventKind::Retry => {
                self.rollback();
                self.rest.pending.forget_round(self.state.round);
                Answer::Decided(origin.allow())
            }
            EventKind::Text(text) => Answer::Decided(self.text(&text, origin, compiled)),
            EventKind::Compaction | EventKind::Resume | EventKind::Reset => {
                Answer::Decided(origin.allow())
            }
        }
    }

    /// Answers what a count of the swarm was asked for. Without a count, the agent is judged alone.
    pub(super) fn finish(
        &mut self,
        unjudged: Unjudged,
        tally: Option<&Tally>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Decision {
        if let Some(halt) = &self.rest.halted {
            let mut decision = halt.decision(origin, compiled.settings.mode);
            decision.transitions = unjudged.into_transitions();
            return decision;
        }
        match unjudged {
            Unjudged::Call(call) => {
                let trigger = Trigger::Call(&call.incoming);
                let (found, judgement) =
                    self.judge(&trigger, &call.facts, tally, origin.line, compiled);
                self.record_call(*call, found, &judgement, origin, compiled)
            }
            Unjudged::Result(result) => self.judge_result(*result, tally, origin, compiled),
            Unjudged::Turn(transitions) => {
                self.judge_and_answer(&Trigger::Turn, tally, transitions, origin, compiled)
            }
        }
    }

    /// Judges a call as if it were made now. Nothing is counted.
    pub(super) fn check(&self, call: &Call, origin: Origin<'_>, compiled: &Compiled) -> Decision {
        if let Some(halt) = &self.rest.halted {
            return halt.decision(origin, compiled.settings.mode);
        }
        let tool = compiled.settings.tool(&call.tool);
        if tool.is_some_and(|tool| tool.exempt) {
            return origin.allow();
        }
        let (incoming, facts, _) = self.identify(call, tool, compiled);
        let trigger = Trigger::Call(&incoming);
        let (found, judgement) = self.judge(&trigger, &facts, None, origin.line, compiled);
        decide(found, &judgement, origin, compiled)
    }

    fn identify(
        &self,
        call: &Call,
        tool: Option<&ToolSettings>,
        compiled: &Compiled,
    ) -> (IncomingCall, RuleFacts, Option<(Box<Sketch>, Kinship)>) {
        let rules = &compiled.settings.rules;
        let view = compiled.extractor.view(call);
        let (mut facts, sketch) = compiled.extractor.call(&view, tool);
        let own = rules.extract(&view);
        let kinship = sketch.map(|sketch| {
            let kinship = self.state.rewordings.find(&sketch);
            if let Kinship::Of(group) = kinship {
                facts.near = group;
            }
            (sketch, kinship)
        });
        if compiled.first_arguments == FirstArguments::Kept || self.knows(&facts, compiled) {
            facts.label.store_whole();
        }
        let (overlap, near_overlap) = self.rest.pending.overlaps(&facts, self.state.round);
        let incoming = IncomingCall {
            overlap,
            near_overlap,
            own_ladder: tool.is_some_and(|tool| tool.ladder.nudge.is_some()),
            facts,
        };
        (incoming, own, kinship)
    }

    fn knows(&self, call: &CallFacts, compiled: &Compiled) -> bool {
        self.state.knows(call) || self.rules.know(&compiled.settings.rules, call)
    }

    fn call(&mut self, call: Call, origin: Origin<'_>, compiled: &Compiled) -> Answer {
        let tool = compiled.settings.tool(&call.tool);
        if tool.is_some_and(|tool| tool.exempt) {
            return Answer::Decided(origin.allow());
        }
        let (incoming, facts, kinship) = self.identify(&call, tool, compiled);
        let trigger = Trigger::Call(&incoming);
        let (found, judgement) = self.judge(&trigger, &facts, None, origin.line, compiled);
        // A call that is denied never reaches the count of the swarm.
        let asked = (judgement.verdict < Verdict::Deny)
            .then(|| self.ask_swarm(&trigger, origin, compiled))
            .flatten();
        let call = NewCall {
            id: call.id,
            args: call.args,
            incoming,
            facts,
            kinship,
        };
        match asked {
            Some(delta) => Answer::Asks(delta, Unjudged::Call(Box::new(call))),
            None => Answer::Decided(self.record_call(call, found, &judgement, origin, compiled)),
        }
    }

    fn record_call(
        &mut self,
        call: NewCall,
        found: Vec<Found>,
        judgement: &Judgement,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Decision {
        let settings = &compiled.settings;
        self.remember(&found, judgement, origin, settings);
        self.rest.warned.remember_call(judgement);
        let made = MadeCall {
            facts: call.incoming.facts,
            at: self.state.now(),
            line: origin.short_line(),
            round: self.state.round,
            overlap: call.incoming.overlap,
            near_overlap: call.incoming.near_overlap,
            lost: false,
        };
        let mut pending = PendingCall::new(call.id, made, call.facts);
        let happened = if judgement.verdict >= Verdict::Deny {
            let deciding = judgement.by.and_then(|by| found.get(by));
            pending.denied = deciding.map(|found| (found.rule, found.detection.key));
            let exact = pending.call.facts.exact;
            self.state.record_denied(exact, call.args.as_str());
            Happened::Denied(&pending.call, deciding.map(|found| found.rule))
        } else {
            self.state.record_call(call.args.as_str());
            if let Some((sketch, kinship)) = call.kinship {
                let coarse = pending.call.facts.coarse;
                self.state.rewordings.record(kinship, &sketch, coarse);
            }
            Happened::Call(&pending.call)
        };
        let transitions = self.rules.record(&settings.rules, &happened, &self.state);
        self.rest.pending.push(pending);
        self.answer(found, judgement, transitions, origin, compiled)
    }

    fn result(&mut self, outcome: Outcome, origin: Origin<'_>, compiled: &Compiled) -> Answer {
        let Some(pending) = self.rest.pending.take(&outcome.id) else {
            return Answer::Decided(origin.allow());
        };
        let PendingCall {
            mut call,
            facts,
            denied,
            ..
        } = pending;
        if let Some(label) = &outcome.label {
            call.facts.label.complete(label);
        }
        if let Some((rule, pattern)) = &denied {
            self.rest.warned.take_back_denial(*rule, *pattern);
        }
        let settings = &compiled.settings;
        let tool = settings.tool(&call.facts.tool);
        let output = Extractor::output(&outcome, tool);
        let read = compiled
            .extractor
            .result(&outcome, output.as_ref(), &call.facts);
        let mut result = read.facts;
        if read.learnable
            && let Some(rest) = self
                .state
                .learn(call.facts.exact, result.outcome, &read.meaning)
        {
            result.outcome = compiled.extractor.outcome_of(&outcome, &rest);
        }
        let own_ladder = tool.is_some_and(|tool| tool.ladder.nudge.is_some());
        let done = self
            .state
            .record_result(call, result, compiled.needs, own_ladder);
        let in_vain =
            done.result.ending == Ending::Failure || done.progress == Some(Progress::Stuck);
        if denied.is_none() && in_vain {
            self.state.counters.ledger.tried_in_vain();
        }
        let happened = Happened::Result(&done, &facts);
        let transitions = self.rules.record(&settings.rules, &happened, &self.state);
        let delta = self.ask_swarm(&Trigger::Result(&done), origin, compiled);
        let recorded = RecordedResult {
            done,
            facts,
            output: outcome.output,
            transitions,
        };
        match delta {
            Some(delta) => Answer::Asks(delta, Unjudged::Result(Box::new(recorded))),
            None => Answer::Decided(self.judge_result(recorded, None, origin, compiled)),
        }
    }

    fn judge_result(
        &mut self,
        result: RecordedResult,
        tally: Option<&Tally>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Decision {
        let trigger = Trigger::Result(&result.done);
        let (mut found, judgement) =
            self.judge(&trigger, &result.facts, tally, origin.line, compiled);
        if let Some(found) = judgement.by.and_then(|by| found.get_mut(by)) {
            found.detection.facts.outcome = facts::excerpt(result.output.as_ref());
        }
        self.remember(&found, &judgement, origin, &compiled.settings);
        self.answer(found, &judgement, result.transitions, origin, compiled)
    }

    fn step(&mut self, step: &Step, origin: Origin<'_>, compiled: &Compiled) -> Decision {
        let approach = compiled.extractor.approach(&step.code);
        let outcome = compiled.extractor.step_outcome(step.output.as_ref());
        let progress = self
            .state
            .record_step(approach, outcome, origin.short_line());
        let trigger = Trigger::Step(progress);
        self.judge_and_answer(&trigger, None, Vec::new(), origin, compiled)
    }

    fn text(&mut self, text: &Text, origin: Origin<'_>, compiled: &Compiled) -> Decision {
        let line = origin.short_line();
        self.state
            .record_text(&text.text, text.role, line, compiled.needs);
        let happened = Happened::Text(&text.text, text.role);
        let rules = &compiled.settings.rules;
        let transitions = self.rules.record(rules, &happened, &self.state);
        let trigger = Trigger::Text(text.role);
        self.judge_and_answer(&trigger, None, transitions, origin, compiled)
    }

    fn turn(&mut self, usage: Usage, origin: Origin<'_>, compiled: &Compiled) -> Answer {
        for call in self.rest.pending.end_round(self.state.round) {
            self.state.record_unknown(&call.facts);
        }
        self.state.record_turn(usage);
        let happened = Happened::Turn(origin.short_line());
        let rules = &compiled.settings.rules;
        let transitions = self.rules.record(rules, &happened, &self.state);
        self.commit();
        let trigger = Trigger::Turn;
        if let Some(delta) = self.ask_swarm(&trigger, origin, compiled) {
            return Answer::Asks(delta, Unjudged::Turn(transitions));
        }
        Answer::Decided(self.judge_and_answer(&trigger, None, transitions, origin, compiled))
    }

    fn user(&mut self, on_user: OnUser) {
        if on_user == OnUser::RestartStreaks {
            self.state.restart();
        }
        self.rules.user(on_user);
        self.rest.warned.user(on_user);
        if on_user != OnUser::Keep {
            // A replay of the turn that answers must not restore what the message has cleared.
            self.commit();
        }
    }
}
