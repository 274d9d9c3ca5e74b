//! Changes of a run or of a circuit breaker, as data.

use serde::{Deserialize, Serialize};

/// A change of the run or of a circuit breaker.
///
/// A run goes from running to halted, and back with a reset. The breaker of `call-burst` has one state per distinct
/// call: a transition is about the call of its event. A reset drops all breakers without reporting them.
///
/// ```
/// use unstuck::{Engine, Event, EventKind, Phase, Preset, Settings};
///
/// let mut engine = Engine::new(Settings::of(Preset::ToolLoopDetector));
/// for id in 1..=3 {
///     let call = format!(r#"{{"event":"call","id":{id},"tool":"read_file","args":{{}}}}"#);
///     engine.observe(Event::parse(call.as_bytes())?);
/// }
/// let halt = engine.observe(Event::turn());
/// let [change] = &*halt.transitions else { panic!("one transition") };
/// assert_eq!((change.from, change.to, &*change.of), (Phase::Running, Phase::Halted, "run"));
///
/// let reset = engine.observe(Event::new(EventKind::Reset));
/// assert_eq!(reset.transitions[0].to, Phase::Running);
/// # Ok::<(), unstuck::EventError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Transition {
    /// The phase before the event.
    pub from: Phase,
    /// The phase after the event.
    pub to: Phase,
    /// The subject: `run`, or the name of the rule that has the breaker.
    pub of: Box<str>,
}

/// A phase of a run or of a circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Phase {
    /// Of a run: events are judged.
    Running,
    /// Of a run: every event is answered with `halt` until a reset.
    Halted,
    /// Of a breaker: calls pass.
    Closed,
    /// Of a breaker: calls are denied.
    Open,
    /// Of a breaker: one call passed as a probe, and others are denied until its result arrives.
    HalfOpen,
}

impl Transition {
    /// A change of the run.
    pub(crate) fn of_run(from: Phase, to: Phase) -> Self {
        Self {
            from,
            to,
            of: "run".into(),
        }
    }

    /// A change of the breaker of a rule.
    pub(crate) fn of_breaker(rule: &str, from: Phase, to: Phase) -> Self {
        Self {
            from,
            to,
            of: rule.into(),
        }
    }
}
