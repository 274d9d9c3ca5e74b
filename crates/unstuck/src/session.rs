//! One agent of one session: events in, judgements out.

use serde::{Deserialize, Serialize};

use crate::{
    decision::{Decision, Finding, Level, Reason, Verdict, Wasted},
    event::{Call, Event, EventKind, Outcome, Step, Text, Timestamp, Usage},
    fingerprint::{Fingerprint, Mark},
    identity::{self, Action, Identifier},
    nudge,
    policy::{Judgement, Warned},
    rules::{Moment, RuleName, Scene, Spotted, Subject, Telling},
    settings::{Mode, Settings, SwarmCount, ToolSettings},
    swarm::{Delta, SwarmStore, Tally, Worker},
    timeline::{Line, Timeline},
};

/// The status of a run that was halted.
pub(crate) const LOOP_DETECTED: &str = "LOOP_DETECTED";

/// Settings, with what is worked out from them once.
pub(crate) struct Rulebook {
    pub(crate) settings: Settings,
    pub(crate) identifier: Identifier,
    /// Whether snapshots hold arguments of calls that were seen once.
    pub(crate) first_arguments: FirstArguments,
    /// The rules that are on, in order, and what each looks at.
    rules: Vec<(RuleName, Subject)>,
}

/// What snapshots hold of a call that was seen once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstArguments {
    /// Its tool and the argument that tells most, on one line of at most 80 bytes without secrets.
    Kept,
    /// Its tool only.
    Dropped,
}

impl Rulebook {
    pub(crate) fn new(settings: Settings) -> Self {
        let rules = RuleName::ALL.iter().copied();
        Self {
            identifier: Identifier::new(&settings),
            first_arguments: FirstArguments::Kept,
            rules: rules
                .filter(|rule| settings.rules.is_enabled(*rule))
                .map(|rule| (rule, rule.subject()))
                .collect(),
            settings,
        }
    }
}

/// Everything that is known about one agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Session {
    timeline: Timeline,
    warned: Warned,
    /// Set by a halt, lifted by a reset.
    halted: Option<Box<Halt>>,
    /// Denied calls whose result would mean that they ran after all: call line, rule and pattern.
    denied: Vec<(Line, RuleName, Mark)>,
}

/// Why a run was halted; told again until it is reset.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Halt {
    reason: Reason,
    finding: Finding,
}

/// Who and where: what goes into every decision.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) line: u64,
    pub(crate) session: &'a str,
    pub(crate) agent: &'a str,
    pub(crate) swarm: &'a str,
}

impl Session {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            timeline: Timeline::new(settings),
            warned: Warned::new(settings),
            halted: None,
            denied: Vec::new(),
        }
    }

    /// State that was stored under other settings, within the bounds of these.
    pub(crate) fn fit(self, settings: &Settings) -> Self {
        Self {
            timeline: self.timeline.fit(settings),
            warned: self.warned.fit(settings),
            ..self
        }
    }

    pub(crate) fn is_halted(&self) -> bool {
        self.halted.is_some()
    }

    /// Takes an event in and answers it.
    pub(crate) fn observe(
        &mut self,
        event: Event,
        line: u64,
        book: &Rulebook,
        store: &mut dyn SwarmStore,
    ) -> Decision {
        let Event {
            session,
            agent,
            swarm,
            at,
            kind,
            ..
        } = event;
        let place = Place {
            line,
            session: &session,
            agent: &agent,
            swarm: swarm.as_deref().unwrap_or(&session),
        };
        let mut decision = self.decide(kind, at, place, book, store);
        // Every decision carries the names; moving them there saves copying them for each event.
        decision.session = session;
        decision.agent = agent;
        decision
    }

    fn decide(
        &mut self,
        kind: EventKind,
        at: Option<Timestamp>,
        place: Place<'_>,
        book: &Rulebook,
        store: &mut dyn SwarmStore,
    ) -> Decision {
        self.timeline.tick(at);
        if let EventKind::Reset = kind {
            self.timeline.reset(&book.settings);
            self.warned = Warned::new(&book.settings);
            self.halted = None;
            self.denied.clear();
            return place.allow();
        }
        if let Some(halt) = &self.halted {
            return halt.decision(place, book.settings.mode);
        }
        match kind {
            EventKind::Call(call) => self.call(call, place, book, store),
            EventKind::Result(outcome) => self.result(&outcome, place, book, store),
            EventKind::Step(step) => self.step(&step, place, book),
            EventKind::Turn(usage) => self.turn(usage, place, book, store),
            EventKind::User => {
                self.timeline.user(&book.settings);
                place.allow()
            }
            EventKind::Retry => {
                self.timeline.retry();
                place.allow()
            }
            EventKind::Text(text) => self.text(&text, place, book),
            EventKind::Compaction | EventKind::Resume | EventKind::Reset => place.allow(),
        }
    }

    /// What would be said to this call now? Nothing is counted.
    pub(crate) fn check(&self, call: &Call, place: Place<'_>, book: &Rulebook) -> Decision {
        if let Some(halt) = &self.halted {
            return halt.decision(place, book.settings.mode);
        }
        let tool = book.settings.tool(&call.tool);
        if tool.is_some_and(|tool| tool.exempt) {
            return place.allow();
        }
        let action = self.identify(call, tool, book);
        let (spotted, judgement) = self.judge(&Moment::Call(&action), None, place.line, book);
        decide(spotted, &judgement, place, book)
    }

    fn identify(&self, call: &Call, tool: Option<&ToolSettings>, book: &Rulebook) -> Action {
        let mut action = book.identifier.action(call, tool);
        if let Some(group) = self.timeline.lookalikes.group(&action) {
            action.near = group;
        }
        if book.first_arguments == FirstArguments::Kept || self.timeline.knows(&action) {
            action.label.store_whole();
        }
        action
    }

    fn call(
        &mut self,
        call: Call,
        place: Place<'_>,
        book: &Rulebook,
        store: &mut dyn SwarmStore,
    ) -> Decision {
        let tool = book.settings.tool(&call.tool);
        if tool.is_some_and(|tool| tool.exempt) {
            return place.allow();
        }
        let action = self.identify(&call, tool, book);
        let (mut spotted, mut judgement) =
            self.judge(&Moment::Call(&action), None, place.line, book);
        // A call that is denied never reaches the swarm's tally.
        if judgement.verdict < Verdict::Deny
            && let Some(tally) = place.count(SwarmCount::EveryCall, action.coarse, book, store)
        {
            (spotted, judgement) =
                self.judge(&Moment::Call(&action), Some(&tally), place.line, book);
        }
        self.remember(&spotted, &judgement, book);
        self.timeline.streaks.critical = match judgement.verdict {
            Verdict::Nudge => judgement.level == Some(Level::Critical),
            // A denied call ends nothing: the next equal one is denied as well.
            Verdict::Deny => self.timeline.streaks.critical,
            Verdict::Allow | Verdict::Halt => false,
        };
        let line = short(place.line);
        self.timeline.volatility.used_in(call.args.as_str());
        if judgement.verdict >= Verdict::Deny {
            let deciding = judgement.by.and_then(|by| spotted.get(by));
            let rule = deciding.map(|spotted| spotted.finding.rule);
            if let Some(spotted) = deciding {
                self.remember_denied(line, spotted, book);
            }
            if rule == Some(RuleName::CallBurst) {
                self.timeline.open_breaker(&action, &book.settings);
            }
            self.timeline
                .record_denied(action, call.id, line, &book.settings);
        } else {
            self.timeline
                .record_call(action, call.id, line, &book.settings);
        }
        self.answer(spotted, &judgement, place, book)
    }

    fn remember_denied(&mut self, line: Line, spotted: &Spotted, book: &Rulebook) {
        if self.denied.len() >= book.settings.memory.pending.max(1) as usize {
            self.denied.remove(0);
        }
        self.denied.push((line, spotted.finding.rule, spotted.key));
    }

    fn result(
        &mut self,
        outcome: &Outcome,
        place: Place<'_>,
        book: &Rulebook,
        store: &mut dyn SwarmStore,
    ) -> Decision {
        let Some(mut call) = self.timeline.pending.take(&outcome.id) else {
            return place.allow();
        };
        if let Some(label) = &outcome.label {
            call.label.complete(label);
        }
        if call.denied
            && let Some(at) = self.denied.iter().position(|(line, ..)| *line == call.line)
        {
            let (_, rule, pattern) = self.denied.remove(at);
            self.warned.take_back_denial(rule, pattern);
        }
        let tool = book.settings.tool(&call.tool);
        let timeline = &mut self.timeline;
        let sight = book
            .identifier
            .sight(outcome, &call, tool, |mark, meaning| {
                timeline.learn(call.exact, mark, meaning)
            });
        let done = self.timeline.record_result(call, sight, &book.settings);
        let tally = if done.fruitless {
            place.count(SwarmCount::Fruitless, done.call.coarse, book, store)
        } else {
            None
        };
        let (mut spotted, judgement) =
            self.judge(&Moment::Result(&done), tally.as_ref(), place.line, book);
        if let Some(each) = judgement.by.and_then(|by| spotted.get_mut(by)) {
            each.facts.outcome = identity::excerpt(outcome.output.as_ref());
        }
        self.remember(&spotted, &judgement, book);
        self.answer(spotted, &judgement, place, book)
    }

    fn step(&mut self, step: &Step, place: Place<'_>, book: &Rulebook) -> Decision {
        let approach = book.identifier.approach(&step.code);
        let outcome = book.identifier.step_outcome(step.output.as_ref());
        let progress = self
            .timeline
            .record_step(approach, outcome, short(place.line));
        let (spotted, judgement) = self.judge(&Moment::Step(progress), None, place.line, book);
        self.remember(&spotted, &judgement, book);
        self.answer(spotted, &judgement, place, book)
    }

    fn text(&mut self, text: &Text, place: Place<'_>, book: &Rulebook) -> Decision {
        self.timeline
            .record_text(&text.text, text.role, short(place.line), &book.settings);
        let (spotted, judgement) = self.judge(&Moment::Text(text.role), None, place.line, book);
        self.remember(&spotted, &judgement, book);
        self.answer(spotted, &judgement, place, book)
    }

    fn turn(
        &mut self,
        usage: Usage,
        place: Place<'_>,
        book: &Rulebook,
        store: &mut dyn SwarmStore,
    ) -> Decision {
        self.timeline.record_turn(usage, short(place.line));
        let again = self.timeline.streaks.said.again.as_ref();
        let tally = again
            .filter(|_| book.settings.rules.relay.enabled)
            .map(|again| place.tally(book.identifier.said(again.mark), store));
        let (spotted, judgement) = self.judge(&Moment::Turn, tally.as_ref(), place.line, book);
        self.remember(&spotted, &judgement, book);
        self.answer(spotted, &judgement, place, book)
    }

    fn judge(
        &self,
        moment: &Moment<'_>,
        swarm: Option<&Tally>,
        line: u64,
        book: &Rulebook,
    ) -> (Vec<Spotted>, Judgement) {
        let scene = Scene {
            settings: &book.settings,
            timeline: &self.timeline,
            swarm,
            line,
        };
        let mut spotted: Vec<Spotted> = book
            .rules
            .iter()
            .filter(|(_, subject)| moment.concerns(*subject))
            .filter_map(|(rule, _)| rule.spot(moment, &scene))
            .collect();
        let judgement = self
            .warned
            .weigh(&spotted, moment, &self.timeline, &book.settings);
        if let Moment::Call(_) = moment {
            for each in &mut spotted {
                each.facts.ahead = true;
                if each.counts_attempts {
                    let denied = self.warned.denied(each);
                    each.finding.repeats = each.finding.repeats.saturating_add(denied);
                }
            }
            if let Some(each) = judgement.by.and_then(|by| spotted.get_mut(by)) {
                each.facts.outcome = self.warned.outcome(each).map(Into::into);
            }
        }
        (spotted, judgement)
    }

    fn remember(&mut self, spotted: &[Spotted], judgement: &Judgement, book: &Rulebook) {
        let calls = self.timeline.spent.steps;
        self.warned
            .remember(spotted, judgement, (calls, &book.settings));
    }

    /// Makes the decision, and keeps it where it is a halt.
    fn answer(
        &mut self,
        spotted: Vec<Spotted>,
        judgement: &Judgement,
        place: Place<'_>,
        book: &Rulebook,
    ) -> Decision {
        let deciding = judgement.by;
        let decision = decide(spotted, judgement, place, book);
        if judgement.verdict == Verdict::Halt
            && let (Some(reason), Some(by)) = (&decision.reason, deciding)
            && let Some(finding) = decision.findings.get(by)
        {
            self.halted = Some(Box::new(Halt {
                reason: (**reason).clone(),
                finding: finding.clone(),
            }));
        }
        decision
    }
}

fn decide(
    spotted: Vec<Spotted>,
    judgement: &Judgement,
    place: Place<'_>,
    book: &Rulebook,
) -> Decision {
    let reason = judgement.by.and_then(|by| spotted.get(by)).map(|deciding| {
        let finding = &deciding.finding;
        Box::new(Reason {
            level: judgement.level,
            rule: finding.rule,
            repeats: finding.repeats,
            period: finding.period,
            message: nudge::write(&book.settings, deciding, judgement.verdict, judgement.level),
            pattern: finding.pattern.clone(),
            status: (judgement.verdict == Verdict::Halt).then(|| LOOP_DETECTED.into()),
            wasted: Wasted {
                calls: match finding.rule {
                    // Words cost no call.
                    RuleName::Chant | RuleName::Relay => 0,
                    _ => u64::from(finding.repeats.saturating_sub(1)) * u64::from(finding.period),
                },
            },
        })
    });
    let mut decision = place.allow();
    decision.reason = reason;
    let told = spotted.into_iter().filter(|spotted| {
        spotted.telling != Telling::WithVerdict || judgement.verdict > Verdict::Allow
    });
    decision.findings = told.map(|spotted| spotted.finding).collect();
    decision.with_verdict(judgement.verdict, book.settings.mode)
}

impl Halt {
    fn decision(&self, place: Place<'_>, mode: Mode) -> Decision {
        let mut decision = place.allow();
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

impl Place<'_> {
    /// An answer of `allow`; the names are filled in by whoever has them.
    fn allow(&self) -> Decision {
        Decision::allow(self.line, "", "")
    }

    /// Adds a call to the swarm's tally, where this is what the tally counts.
    fn count(
        &self,
        count: SwarmCount,
        call: Fingerprint,
        book: &Rulebook,
        store: &mut dyn SwarmStore,
    ) -> Option<Tally> {
        let rule = &book.settings.rules.swarm_loop;
        (rule.enabled && rule.count == count).then(|| self.tally(call, store))
    }

    fn tally(&self, what: Fingerprint, store: &mut dyn SwarmStore) -> Tally {
        let worker = Worker::new(self.session, self.agent);
        store.apply(&Delta::new(self.swarm, what, worker))
    }
}

/// Line numbers within a session's memory.
fn short(line: u64) -> Line {
    Line::try_from(line).unwrap_or(Line::MAX)
}
