//! One agent of one session: events in, decisions out.

use serde::{Deserialize, Serialize};
use unstuck_json::Json;

use super::{
    compiled::{Compiled, FirstArguments},
    pending::{PendingCall, PendingCalls},
};
use crate::{
    decision::{Decision, Finding, Reason, Verdict, Wasted},
    event::{Call, EventKind, Line, Outcome, Step, Text, Timestamp, Usage},
    facts::{self, CallFacts, Extractor, Sketch},
    memory::Journaled,
    message,
    options::{OnUser, ToolSettings},
    policy::{Judged, Judgement, Situation, Warned},
    rules::{
        Context, Found, Happened, IncomingCall, Reporting, RuleFacts, RuleStates, SwarmQuestion,
        Trigger,
    },
    settings::{Mode, Settings},
    state::{CompletedCall, Kinship, MadeCall, State},
    swarm::{Delta, Tally, Worker},
    transition::{Phase, Transition},
};

/// The status of a run that was halted.
const LOOP_DETECTED: &str = "LOOP_DETECTED";

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
    halted: Option<Box<Halt>>,
}

/// Why a run was halted; repeated until it is reset.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Halt {
    reason: Reason,
    finding: Finding,
}

/// Where an event comes from: what goes into every decision.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) line: u64,
    pub(super) session: &'a str,
    pub(super) agent: &'a str,
    pub(super) swarm: &'a str,
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
    /// State that was stored under other settings, within the bounds of these.
    pub(super) fn fit(self, settings: &Settings) -> Self {
        Self {
            warned: self.warned.fit(settings),
            ..self
        }
    }
}

impl Session {
    pub(super) fn new(compiled: &Compiled) -> Self {
        let settings = &compiled.settings;
        Self {
            state: State::new(&settings.memory, compiled.needs),
            rules: RuleStates::new(&settings.rules, &settings.memory),
            rest: Rest {
                warned: Warned::new(settings),
                pending: PendingCalls::default(),
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
                self.each(|part| part.rollback());
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
            self.state.record_denied(call.args.as_str());
            Happened::Denied(&pending.call, deciding.map(|found| found.rule))
        } else {
            self.state.record_call(call.args.as_str());
            if let Some((sketch, kinship)) = call.kinship {
                let coarse = pending.call.facts.coarse.mark();
                self.state.rewordings.record(kinship, &sketch, coarse);
            }
            Happened::Call(&pending.call)
        };
        let transitions = self.rules.record(&settings.rules, &happened, &self.state);
        self.rest.pending.push(pending, settings.memory.pending);
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
        if let Some((rule, pattern)) = denied {
            self.rest.warned.take_back_denial(rule, pattern);
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
        self.each(|part| part.commit());
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
            self.each(|part| part.commit());
        }
    }

    /// Applies to everything that follows turns.
    fn each(&mut self, apply: impl Fn(&mut dyn Journaled)) {
        apply(&mut self.state);
        apply(&mut self.rules);
        apply(&mut self.rest.warned);
    }

    fn ask_swarm(
        &self,
        trigger: &Trigger<'_>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Option<Delta> {
        let rules = &compiled.settings.rules;
        let fingerprint = match RuleStates::ask_swarm(rules, trigger, &self.state)? {
            SwarmQuestion::Call(fingerprint) => fingerprint,
            SwarmQuestion::Text(mark) => compiled.extractor.said(mark),
        };
        let worker = Worker::new(origin.session, origin.agent);
        Some(Delta::new(origin.swarm, fingerprint, worker))
    }

    fn judge(
        &self,
        trigger: &Trigger<'_>,
        facts: &RuleFacts,
        swarm: Option<&Tally>,
        line: u64,
        compiled: &Compiled,
    ) -> (Vec<Found>, Judgement) {
        let rules = &compiled.settings.rules;
        let context = Context {
            shared: &self.state,
            facts,
            claims: self.rules.claims(rules),
            swarm,
            line: short(line),
        };
        let mut found = self.rules.detect(rules, trigger, &context);
        if found.is_empty() {
            return (found, Judgement::default());
        }
        let about = match trigger {
            Trigger::Call(_) => Judged::Call,
            Trigger::Result(_) => Judged::Result,
            Trigger::Step(_) | Trigger::Text(_) | Trigger::Turn => Judged::Other,
        };
        let situation = Situation {
            about,
            steps: self.state.spent.steps,
            denials: self.state.counters.ledger.denials(),
        };
        let warned = &self.rest.warned;
        let judgement = warned.weigh(&found, situation, &compiled.settings, |rule| {
            compiled.rank(rule)
        });
        if about == Judged::Call {
            for each in &mut found {
                each.detection.facts.ahead = true;
                if each.detection.counts_attempts {
                    let denied = warned.denied(each);
                    let repeats = &mut each.detection.repeats;
                    *repeats = repeats.saturating_add(denied);
                }
            }
            if let Some(each) = judgement.by.and_then(|by| found.get_mut(by)) {
                each.detection.facts.outcome = warned.outcome(each).map(Into::into);
            }
        }
        (found, judgement)
    }

    fn judge_and_answer(
        &mut self,
        trigger: &Trigger<'_>,
        swarm: Option<&Tally>,
        transitions: Vec<Transition>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Decision {
        let facts = RuleFacts::default();
        let (found, judgement) = self.judge(trigger, &facts, swarm, origin.line, compiled);
        self.remember(&found, &judgement, origin, &compiled.settings);
        self.answer(found, &judgement, transitions, origin, compiled)
    }

    fn remember(
        &mut self,
        found: &[Found],
        judgement: &Judgement,
        origin: Origin<'_>,
        settings: &Settings,
    ) {
        let now = (self.state.spent.steps, origin.line);
        self.rest.warned.remember(found, judgement, now, settings);
    }

    /// Makes the decision, and keeps it where it is a halt.
    fn answer(
        &mut self,
        found: Vec<Found>,
        judgement: &Judgement,
        transitions: Vec<Transition>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Decision {
        let deciding = judgement.by;
        let mut decision = decide(found, judgement, origin, compiled);
        decision.transitions = transitions;
        // A halt reports all findings, so the index is that of the deciding one.
        if judgement.verdict == Verdict::Halt
            && let (Some(reason), Some(by)) = (&decision.reason, deciding)
            && let Some(finding) = decision.findings.get(by)
        {
            self.rest.halted = Some(Box::new(Halt {
                reason: (**reason).clone(),
                finding: finding.clone(),
            }));
            let halted = Transition::of_run(Phase::Running, Phase::Halted);
            decision.transitions.push(halted);
        }
        decision
    }
}

fn decide(
    found: Vec<Found>,
    judgement: &Judgement,
    origin: Origin<'_>,
    compiled: &Compiled,
) -> Decision {
    let settings = &compiled.settings;
    let mut decision = origin.allow();
    if found.is_empty() {
        return decision;
    }
    let reason = judgement.by.and_then(|by| found.get(by)).map(|deciding| {
        let (rule, detection) = (deciding.rule, &deciding.detection);
        let repeated = u64::from(detection.repeats.saturating_sub(1));
        Box::new(Reason {
            level: judgement.level,
            rule,
            repeats: detection.repeats,
            period: detection.period,
            message: message::write(settings, deciding, judgement.verdict, judgement.level),
            pattern: detection.pattern.clone(),
            status: (judgement.verdict == Verdict::Halt).then(|| LOOP_DETECTED.into()),
            wasted: Wasted {
                calls: if rule.wastes_calls() {
                    repeated * u64::from(detection.period)
                } else {
                    0
                },
            },
        })
    });
    decision.reason = reason;
    if matches!(judgement.verdict, Verdict::Nudge | Verdict::Deny) {
        let deciding = judgement.by.and_then(|by| found.get(by));
        decision.retry_after = deciding.and_then(|found| found.detection.retry_after);
    }
    decision.findings = found
        .into_iter()
        .filter(|found| {
            found.detection.reporting != Reporting::WithVerdict
                || judgement.verdict > Verdict::Allow
        })
        .map(|found| Finding {
            rule: found.rule,
            repeats: found.detection.repeats,
            period: found.detection.period,
            from: found.detection.from.into(),
            to: origin.line,
            pattern: found.detection.pattern,
        })
        .collect();
    decision.with_verdict(judgement.verdict, settings.mode)
}

impl Halt {
    fn decision(&self, origin: Origin<'_>, mode: Mode) -> Decision {
        let mut decision = origin.allow();
        decision.reason = Some(Box::new(self.reason.clone()));
        decision.findings = vec![self.finding.clone()];
        decision.with_verdict(Verdict::Halt, mode)
    }
}

impl Decision {
    fn with_verdict(mut self, verdict: Verdict, mode: Mode) -> Self {
        match mode {
            Mode::Observe if verdict > Verdict::Allow => self.would = Some(verdict),
            Mode::Observe | Mode::Off => {}
            Mode::Enforce => self.verdict = verdict,
        }
        self
    }
}

impl Origin<'_> {
    /// An answer of `allow`; the engine fills in the names.
    fn allow(&self) -> Decision {
        Decision::allow(self.line, "", "")
    }

    fn short_line(&self) -> Line {
        short(self.line)
    }
}

/// A line number as it is kept within a session's memory.
fn short(line: u64) -> Line {
    Line::try_from(line).unwrap_or(Line::MAX)
}
