//! Recorded events, judged.

use std::collections::HashSet;

use unstuck::{Decision, Engine, Event, EventKind, Mode, Settings, Verdict, settings::Attendance};

/// What a replay does where the engine would halt an agent. A recorded run continued whatever the answer would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnHalt {
    /// Returns the halt, resets the agent and judges its next events as those of a new run, so that all loops of a
    /// recording are found. For reports.
    Reset,
    /// Judges all agents as attended ones, which are denied and not halted, so that each pattern has one answer for all
    /// of its length. For comparing settings.
    Attend,
    /// The same, and the first halt of each agent is returned as well: a second engine with the given attendance finds it.
    AttendAndReport,
    /// Keeps the halt, as a live session does: later events of the agent are answered with it. The mode of the settings
    /// applies. For measuring what agents would have been told.
    Keep,
}

/// Judges recorded events.
///
/// ```
/// use unstuck::{Call, Event, EventKind, Json, Outcome, Settings, Verdict};
/// use unstuck_scan::{OnHalt, Replay};
///
/// let mut replay = Replay::new(&Settings::default(), OnHalt::Reset);
/// let mut worst = Verdict::Allow;
/// for n in 0..9 {
///     let call = Call::new(format!("{n}"), "search", Json::parse(r#"{"q":"salt"}"#)?);
///     let outcome = Outcome::ok(format!("{n}"), Json::parse(r#""no hits""#)?);
///     for kind in [EventKind::Call(call), EventKind::Result(outcome)] {
///         worst = worst.max(replay.observe(Event::new(kind)).verdict);
///     }
/// }
/// assert!(worst > Verdict::Allow);
/// # Ok::<(), unstuck::JsonError>(())
/// ```
#[derive(Debug)]
pub struct Replay {
    engine: Engine,
    on_halt: OnHalt,
    /// Finds halts where the first engine judges attended agents.
    unattended: Option<Unattended>,
}

#[derive(Debug)]
struct Unattended {
    engine: Engine,
    /// Agents that were halted, by session and agent.
    halted: HashSet<(Box<str>, Box<str>)>,
}

impl Replay {
    /// A replay under these settings. Except with [`OnHalt::Keep`] they are enforced, whatever their mode.
    pub fn new(settings: &Settings, on_halt: OnHalt) -> Self {
        let mut settings = settings.clone();
        let mut unattended = None;
        match on_halt {
            OnHalt::Reset => settings.mode = Mode::Enforce,
            OnHalt::Attend | OnHalt::AttendAndReport => {
                settings.mode = Mode::Enforce;
                if on_halt == OnHalt::AttendAndReport
                    && settings.attendance == Attendance::Unattended
                {
                    unattended = Some(Unattended {
                        engine: engine(settings.clone()),
                        halted: HashSet::new(),
                    });
                }
                settings.attendance = Attendance::Attended;
            }
            OnHalt::Keep => {}
        }
        Self {
            engine: engine(settings),
            on_halt,
            unattended,
        }
    }

    /// Judges the next event.
    pub fn observe(&mut self, event: Event) -> Decision {
        let halt = self
            .unattended
            .as_mut()
            .and_then(|other| other.first_halt(&event));
        let decision = self.engine.observe(event);
        if self.on_halt == OnHalt::Reset && decision.verdict == Verdict::Halt {
            let mut reset = Event::new(EventKind::Reset)
                .in_session(decision.session.clone())
                .by_agent(decision.agent.clone());
            reset.line = Some(decision.line);
            self.engine.observe(reset);
        }
        halt.unwrap_or(decision)
    }

    /// The settings that events are judged by.
    pub fn settings(&self) -> &Settings {
        self.engine.settings()
    }
}

impl Unattended {
    /// A halt is answered to every later event too; the first of each agent is returned.
    fn first_halt(&mut self, event: &Event) -> Option<Decision> {
        let decision = self.engine.observe(event.clone());
        let is_first = decision.verdict == Verdict::Halt
            && self
                .halted
                .insert((decision.session.clone(), decision.agent.clone()));
        is_first.then_some(decision)
    }
}

/// An engine that a recording cannot slow down by the names of its sessions.
fn engine(settings: Settings) -> Engine {
    // A page is only slowed down by what its own user gave it.
    #[cfg(target_family = "wasm")]
    let engine = Engine::new(settings);
    #[cfg(not(target_family = "wasm"))]
    let engine = Engine::with_index_key(settings, unstuck_session::index_key::random());
    engine
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
