//! The guard: an engine with names, a clock and a way to fail.

mod methods;

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::{exceptions::PyRuntimeWarning, prelude::*};
use unstuck::{Engine, Event, EventKind, Settings, Timestamp};
use unstuck_config::{Fail, Prices};

use crate::{clock::Clock, decision::Decision, failure::EngineError, shared::Shared};

/// Watches agents and answers every event. See the class of the same name in `unstuck`.
#[pyclass(frozen, subclass, module = "unstuck._native")]
pub(crate) struct Guard {
    engine: Shared<Engine>,
    settings: Settings,
    prices: Prices,
    fail: Fail,
    clock: Clock,
    session: Box<str>,
    agent: Box<str>,
    swarm: Option<Box<str>>,
    /// Calls that the guard made up an id for.
    ids: AtomicU64,
}

/// Names and time of an event; those of the guard where none are given.
#[derive(Default)]
struct Origin<'a> {
    session: Option<&'a str>,
    agent: Option<&'a str>,
    swarm: Option<&'a str>,
    at: Option<i64>,
}

impl Guard {
    /// Judges an event.
    fn judge(
        &self,
        py: Python<'_>,
        bytes: usize,
        origin: &Origin<'_>,
        kind: impl FnOnce() -> EventKind + Send,
    ) -> PyResult<Decision> {
        let session = origin.session.unwrap_or(&self.session);
        let agent = origin.agent.unwrap_or(&self.agent);
        let swarm = origin.swarm.or(self.swarm.as_deref());
        let at = match origin.at {
            Some(at) => Some(at),
            None => self.clock.now(py)?,
        };
        let answer = self.engine.run(py, bytes, move |engine| {
            let mut event = Event::of(session, agent, kind());
            event.swarm = swarm.map(Into::into);
            event.at = at.map(Timestamp);
            engine.observe(event)
        });
        self.answer(py, answer, session, agent)
    }

    fn answer(
        &self,
        py: Python<'_>,
        answer: Result<unstuck::Decision, String>,
        session: &str,
        agent: &str,
    ) -> PyResult<Decision> {
        match answer {
            Ok(decision) => Ok(Decision::new(decision)),
            Err(panic) => self.failed(py, panic, session, agent),
        }
    }

    /// Raises where the guard fails closed; otherwise warns and answers `allow`.
    fn failed(
        &self,
        py: Python<'_>,
        panic: String,
        session: &str,
        agent: &str,
    ) -> PyResult<Decision> {
        if self.fail == Fail::Closed {
            return Err(EngineError::new_err(panic));
        }
        let warning = format!("unstuck does not guard, its engine failed: {panic}");
        let warning = std::ffi::CString::new(warning).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &warning, 2)?;
        Ok(Decision::failed_open(session, agent, panic))
    }

    fn new_id(&self) -> Box<str> {
        let number = self.ids.fetch_add(1, Ordering::Relaxed);
        format!("python-{number}").into()
    }
}
