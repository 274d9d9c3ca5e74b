//! A recording, judged under some settings.

use std::rc::Rc;

use unstuck::{Engine, Event, Mode, RuleName, Settings, Verdict, settings::Attendance};

use super::{
    alarm::Alarm,
    story::{Happening, What},
};

/// Alarms that are kept of one recording.
const MAX_ALARMS: usize = 4_096;

/// Judges one recording.
///
/// A recorded run went on whatever the answers would have been. So that everything in it is judged, a halt does not end
/// it here; where it would have come is asked of a second engine.
pub struct Watch {
    judge: Engine,
    halts: Option<Engine>,
    alarms: Vec<Alarm>,
    /// Agents that would have been halted.
    halted: Vec<usize>,
    /// Alarms over the limit.
    pub dropped: u64,
}

impl Watch {
    pub fn new(settings: &Settings) -> Self {
        let mut settings = settings.clone();
        settings.mode = Mode::Enforce;
        settings.attendance = Attendance::Attended;
        Self {
            judge: Engine::with_index_key(settings, unstuck_session::index_key::random()),
            halts: None,
            alarms: Vec::new(),
            halted: Vec::new(),
            dropped: 0,
        }
    }

    /// Also tells where a run would have been halted.
    pub fn with_halts(settings: &Settings) -> Self {
        let mut watch = Self::new(settings);
        if settings.attendance == Attendance::Unattended {
            let mut settings = settings.clone();
            settings.mode = Mode::Enforce;
            watch.halts = Some(Engine::with_index_key(
                settings,
                unstuck_session::index_key::random(),
            ));
        }
        watch
    }

    pub fn see(&mut self, event: &Event, happening: &Happening) {
        let mut decision = self.judge.observe(event.clone());
        if let Some(engine) = &mut self.halts {
            let enforced = engine.observe(event.clone());
            // A halt is answered to every later event too; the first is the one that counts.
            if enforced.verdict == Verdict::Halt && !self.halted.contains(&happening.agent) {
                self.halted.push(happening.agent);
                decision = enforced;
            }
        }
        let agent = happening.agent;
        for finding in &decision.findings {
            if let Some(at) = self.find(agent, finding.rule, finding.from) {
                let alarm = &mut self.alarms[at];
                alarm.last = happening.number;
                alarm.peak = alarm.peak.max(finding.repeats);
                alarm.sequel.again();
            }
        }
        let (tool, call) = match &happening.what {
            What::Called(made) | What::Came(made, _) => {
                (Some(Rc::clone(&made.tool)), Some(made.mark))
            }
            What::Stepped(code, _) => (None, Some(*code)),
            What::Person | What::Other => (None, None),
        };
        if let Some(raised) = Alarm::raised(&decision, (agent, tool, call)) {
            self.raise(raised);
        }
        for alarm in &mut self.alarms {
            if alarm.agent == agent && alarm.last < happening.number {
                alarm.sequel.see(happening);
            }
        }
    }

    fn raise(&mut self, raised: Alarm) {
        match self.find(raised.agent, raised.rule, raised.from) {
            Some(at) => self.alarms[at].told_again(raised.verdict(), raised.told),
            None if self.alarms.len() >= MAX_ALARMS => self.dropped += 1,
            None => self.alarms.push(raised),
        }
    }

    fn find(&self, agent: usize, rule: RuleName, from: u64) -> Option<usize> {
        let same = |alarm: &Alarm| alarm.agent == agent && alarm.is_same_pattern(rule, from);
        self.alarms.iter().rposition(same)
    }

    /// The alarms in the order they were raised in; those of healthy agents are marked so.
    pub fn finish(mut self, healthy: impl Fn(usize) -> bool) -> Vec<Alarm> {
        for alarm in &mut self.alarms {
            if healthy(alarm.agent) {
                alarm.sequel.mark_healthy();
            }
        }
        self.alarms
    }
}
