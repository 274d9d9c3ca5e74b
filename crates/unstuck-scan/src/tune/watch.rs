//! A recording, judged under some settings.

use std::rc::Rc;

use unstuck::{Event, RuleName, Settings};

use super::{
    alarm::Alarm,
    story::{Happening, What},
};
use crate::{OnHalt, Replay};

/// Alarms that are kept of one recording.
const MAX_ALARMS: usize = 4_096;

/// Judges one recording.
///
/// Every agent is judged as an attended one, so that all of a recording is judged.
pub(crate) struct Watch {
    replay: Replay,
    alarms: Vec<Alarm>,
    /// Alarms over the limit.
    pub(crate) dropped: u64,
}

impl Watch {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self::of(settings, OnHalt::Attend)
    }

    /// Also reports where a run would have been halted.
    pub(crate) fn with_halts(settings: &Settings) -> Self {
        Self::of(settings, OnHalt::AttendAndReport)
    }

    fn of(settings: &Settings, on_halt: OnHalt) -> Self {
        Self {
            replay: Replay::new(settings, on_halt),
            alarms: Vec::new(),
            dropped: 0,
        }
    }

    pub(crate) fn see(&mut self, event: &Event, happening: &Happening) {
        let decision = self.replay.observe(event.clone());
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
    pub(crate) fn finish(mut self, healthy: impl Fn(usize) -> bool) -> Vec<Alarm> {
        for alarm in &mut self.alarms {
            if healthy(alarm.agent) {
                alarm.sequel.mark_healthy();
            }
        }
        self.alarms
    }
}
