//! The guard: an engine with names, a clock and a way to fail.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use pyo3::{
    PyTraverseError, PyVisit,
    exceptions::{PyBaseException, PyRuntimeWarning, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyString, PyTuple},
};
use unstuck::{
    Call, Event, EventKind, EventReader, Mode, Outcome, Role, Settings, Status, Text, Timestamp,
    Usage,
};
use unstuck_config::{Fail, Prices};

use crate::{
    decision::Decision,
    engine::SharedEngine,
    failure::EngineError,
    requests::Request,
    scan,
    settings::settings,
    value::{Value, Writer},
};

/// Watches agents and answers every event. See the class of the same name in `unstuck`.
#[pyclass(frozen, subclass, module = "unstuck._native")]
pub(crate) struct Guard {
    engine: SharedEngine,
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

/// Where the time of events comes from.
enum Clock {
    /// Events have no time unless the caller gives one.
    Absent,
    System,
    /// A callable that returns milliseconds.
    Given(Py<PyAny>),
}

/// Names and time of an event; those of the guard where none are given.
#[derive(Default)]
struct Origin<'a> {
    session: Option<&'a str>,
    agent: Option<&'a str>,
    swarm: Option<&'a str>,
    at: Option<i64>,
}

#[pymethods]
impl Guard {
    #[new]
    #[pyo3(signature = (preset = None, *, config = None, session = "default", agent = "main", swarm = None, clock = None, **settings))]
    fn new(
        preset: Option<&str>,
        config: Option<PathBuf>,
        session: &str,
        agent: &str,
        swarm: Option<&str>,
        clock: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let loaded = self::settings(preset, config, settings)?;
        Ok(Self {
            engine: SharedEngine::new(loaded.settings.clone()),
            settings: loaded.settings,
            prices: loaded.prices,
            fail: loaded.fail.unwrap_or(Fail::Open),
            clock: Clock::of(clock)?,
            session: session.into(),
            agent: agent.into(),
            swarm: swarm.map(Into::into),
            ids: AtomicU64::new(0),
        })
    }

    #[pyo3(signature = (call, args = None, *, id = None, key = None, read_only = None, session = None, agent = None, swarm = None, at = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn before_call(
        &self,
        py: Python<'_>,
        call: &Bound<'_, PyAny>,
        args: Option<&Bound<'_, PyAny>>,
        id: Option<&str>,
        key: Option<String>,
        read_only: Option<bool>,
        session: Option<&str>,
        agent: Option<&str>,
        swarm: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        let request = Request::of(call, args)?;
        let id: Box<str> = match (id, request.id) {
            (Some(id), _) => id.into(),
            (None, Some(id)) => id.into(),
            (None, None) => self.new_id(),
        };
        let origin = Origin {
            session,
            agent,
            swarm,
            at,
        };
        let (tool, args) = (request.tool, request.args);
        let call_id = id.clone();
        let decision = self.judge(py, args.len(), &origin, move || {
            let mut call = Call::new(id, tool, args.into_json());
            call.key = key.map(Into::into);
            call.read_only = read_only;
            EventKind::Call(call)
        })?;
        Ok(decision.with_call_id(call_id))
    }

    #[pyo3(signature = (call, output = None, *, status = None, error = None, exit_code = None, session = None, agent = None, swarm = None, at = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn after_call(
        &self,
        py: Python<'_>,
        call: &Bound<'_, PyAny>,
        output: Option<&Bound<'_, PyAny>>,
        status: Option<&str>,
        error: Option<&Bound<'_, PyAny>>,
        exit_code: Option<i64>,
        session: Option<&str>,
        agent: Option<&str>,
        swarm: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        let before = call.cast::<Decision>().ok().map(Bound::get);
        let id: Box<str> = match before {
            Some(before) => before.call_id_of_call()?.into(),
            None => match call.cast::<PyString>() {
                Ok(id) => id.to_string_lossy().into(),
                Err(_) => {
                    return Err(PyTypeError::new_err(
                        "`call` is the decision that `before_call` returned, or the id of the call",
                    ));
                }
            },
        };
        let status = match (status, error) {
            (Some(word), _) => status_of(word)?,
            (None, Some(_)) => Status::Error,
            (None, None) => Status::Ok,
        };
        let output = match (error, output, status) {
            (Some(error), None, _) => Some(error_value(error)?),
            (_, None, Status::Denied | Status::Cancelled | Status::Pending) => None,
            (_, None, _) => Some(Value::Done(unstuck::Json::null())),
            (_, Some(output), _) => Some(Value::of(output)?),
        };
        let origin = Origin {
            session: session.or(before.map(|before| &*before.inner().session)),
            agent: agent.or(before.map(|before| &*before.inner().agent)),
            swarm,
            at,
        };
        let call_id = id.clone();
        let bytes = output.as_ref().map_or(0, Value::len);
        let decision = self.judge(py, bytes, &origin, move || {
            let mut outcome = Outcome::new(id, status);
            outcome.output = output.map(Value::into_json);
            outcome.exit_code = exit_code;
            EventKind::Result(outcome)
        })?;
        Ok(decision.with_call_id(call_id))
    }

    #[pyo3(signature = (call, args = None, *, key = None, read_only = None, session = None, agent = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn check(
        &self,
        py: Python<'_>,
        call: &Bound<'_, PyAny>,
        args: Option<&Bound<'_, PyAny>>,
        key: Option<String>,
        read_only: Option<bool>,
        session: Option<&str>,
        agent: Option<&str>,
    ) -> PyResult<Decision> {
        let request = Request::of(call, args)?;
        let session = session.unwrap_or(&self.session);
        let agent = agent.unwrap_or(&self.agent);
        let checked = self.engine.run(py, request.args.len(), |engine| {
            let mut call = Call::new("", request.tool, request.args.into_json());
            call.key = key.map(Into::into);
            call.read_only = read_only;
            engine.check(session, agent, &call)
        });
        self.answer(py, checked, session, agent)
    }

    #[pyo3(signature = (code, *output, session = None, agent = None, swarm = None, at = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn step(
        &self,
        py: Python<'_>,
        code: &Bound<'_, PyString>,
        output: &Bound<'_, PyTuple>,
        session: Option<&str>,
        agent: Option<&str>,
        swarm: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        if output.len() > 1 {
            return Err(PyTypeError::new_err("a step has one output"));
        }
        let output = output.iter().next();
        let output = output.as_ref().map(Value::of).transpose()?;
        let code = code.to_string_lossy().into_owned();
        let origin = Origin {
            session,
            agent,
            swarm,
            at,
        };
        let bytes = code.len() + output.as_ref().map_or(0, Value::len);
        self.judge(py, bytes, &origin, move || {
            Event::step(code, output.map(Value::into_json)).kind
        })
    }

    #[pyo3(signature = (text, *, role = "assistant", session = None, agent = None, swarm = None, at = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn text(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyString>,
        role: &str,
        session: Option<&str>,
        agent: Option<&str>,
        swarm: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        let role = match role {
            "assistant" => Role::Assistant,
            "thinking" => Role::Thinking,
            _ => return Err(PyValueError::new_err("a role is `assistant` or `thinking`")),
        };
        let text = text.to_string_lossy().into_owned();
        let origin = Origin {
            session,
            agent,
            swarm,
            at,
        };
        self.judge(py, text.len(), &origin, move || {
            EventKind::Text(Text::new(text, role))
        })
    }

    #[pyo3(signature = (*, tokens = 0, cost = 0.0, session = None, agent = None, swarm = None, at = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments")]
    fn turn(
        &self,
        py: Python<'_>,
        tokens: u64,
        cost: f64,
        session: Option<&str>,
        agent: Option<&str>,
        swarm: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        let origin = Origin {
            session,
            agent,
            swarm,
            at,
        };
        let mut usage = Usage::default();
        usage.tokens = tokens;
        #[expect(clippy::cast_sign_loss, reason = "a negative cost counts as none")]
        {
            usage.cost_micros = (cost * 1e6).round() as u64;
        }
        self.judge(py, 0, &origin, move || EventKind::Turn(usage))
    }

    #[pyo3(signature = (*, session = None, agent = None, at = None))]
    fn user(
        &self,
        py: Python<'_>,
        session: Option<&str>,
        agent: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        self.plain(py, EventKind::User, session, agent, at)
    }

    #[pyo3(signature = (*, session = None, agent = None, at = None))]
    fn retry(
        &self,
        py: Python<'_>,
        session: Option<&str>,
        agent: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        self.plain(py, EventKind::Retry, session, agent, at)
    }

    #[pyo3(signature = (*, session = None, agent = None, at = None))]
    fn compaction(
        &self,
        py: Python<'_>,
        session: Option<&str>,
        agent: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        self.plain(py, EventKind::Compaction, session, agent, at)
    }

    #[pyo3(signature = (*, session = None, agent = None, at = None))]
    fn resume(
        &self,
        py: Python<'_>,
        session: Option<&str>,
        agent: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        self.plain(py, EventKind::Resume, session, agent, at)
    }

    #[pyo3(signature = (*, session = None, agent = None, at = None))]
    fn reset(
        &self,
        py: Python<'_>,
        session: Option<&str>,
        agent: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        if self.engine.is_broken(py) {
            self.engine.renew(py, self.settings.clone());
        }
        self.plain(py, EventKind::Reset, session, agent, at)
    }

    fn observe(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<Decision> {
        let line = if let Ok(text) = event.cast::<PyString>() {
            text.to_str()?.as_bytes().to_vec()
        } else if let Ok(bytes) = event.cast::<PyBytes>() {
            bytes.as_bytes().to_vec()
        } else if event.is_instance_of::<PyDict>() {
            let mut writer = Writer::default();
            writer.value(event)?;
            writer.into_text().into_bytes()
        } else {
            return Err(PyTypeError::new_err(
                "an event is a dictionary, or a line of JSON",
            ));
        };
        let answer = self.engine.run(py, line.len(), |engine| {
            EventReader::default()
                .read(&line)
                .map(|event| engine.observe(event))
        });
        match answer {
            Ok(Ok(decision)) => Ok(Decision::new(decision)),
            Ok(Err(error)) => Err(PyValueError::new_err(error.to_string())),
            Err(panic) => self.failed(py, panic, &self.session, &self.agent),
        }
    }

    #[pyo3(signature = (*, session = None, agent = None))]
    fn snapshot<'py>(
        &self,
        py: Python<'py>,
        session: Option<&str>,
        agent: Option<&str>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let session = session.unwrap_or(&self.session);
        let agent = agent.unwrap_or(&self.agent);
        let written = self
            .engine
            .run(py, 0, |engine| engine.snapshot(session, agent));
        let bytes = written.map_err(EngineError::new_err)?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    #[pyo3(signature = (snapshot, *, session = None, agent = None))]
    fn restore(
        &self,
        py: Python<'_>,
        snapshot: &[u8],
        session: Option<&str>,
        agent: Option<&str>,
    ) -> PyResult<()> {
        let session = session.unwrap_or(&self.session);
        let agent = agent.unwrap_or(&self.agent);
        if self.engine.is_broken(py) {
            self.engine.renew(py, self.settings.clone());
        }
        let restored = self.engine.run(py, snapshot.len(), |engine| {
            engine.restore(session, agent, snapshot)
        });
        restored
            .map_err(EngineError::new_err)?
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    #[pyo3(signature = (*paths, format = "json"))]
    fn scan_text(&self, py: Python<'_>, paths: Vec<PathBuf>, format: &str) -> PyResult<String> {
        let (settings, prices) = (self.settings.clone(), self.prices.clone());
        scan::rendered(py, settings, prices, paths, format)
    }

    /// Agents that are watched, as pairs of session and agent, in alphabetical order.
    fn agents(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let names = self.engine.run(py, 0, |engine| {
            let names = engine.agents();
            let names = names.map(|(session, agent)| (session.to_owned(), agent.to_owned()));
            let mut names: Vec<_> = names.collect();
            names.sort_unstable();
            names
        });
        names.map_err(EngineError::new_err)
    }

    /// Name of the preset.
    #[getter]
    fn preset(&self) -> &'static str {
        self.settings.preset.as_str()
    }

    /// `enforce`, `observe` or `off`.
    #[getter]
    fn mode(&self) -> &'static str {
        match self.settings.mode {
            Mode::Observe => "observe",
            Mode::Off => "off",
            _ => "enforce",
        }
    }

    /// `open` or `closed`: what becomes of events when the engine fails.
    #[getter]
    fn fail(&self) -> &'static str {
        self.fail.as_str()
    }

    /// Session of events that name none.
    #[getter]
    fn session(&self) -> &str {
        &self.session
    }

    /// Agent of events that name none.
    #[getter]
    fn agent(&self) -> &str {
        &self.agent
    }

    /// Panics within the engine, for tests of what a program does when its guard fails.
    fn _panic(&self, py: Python<'_>) -> PyResult<Decision> {
        let panicked = self.engine.run(py, 0, |_| -> unstuck::Decision {
            std::panic::panic_any("a panic for a test");
        });
        self.answer(py, panicked, &self.session, &self.agent)
    }

    fn __repr__(&self) -> String {
        format!("<Guard {} {}>", self.preset(), self.mode())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.clock {
            Clock::Given(clock) => visit.call(clock),
            Clock::Absent | Clock::System => Ok(()),
        }
    }
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

    fn plain(
        &self,
        py: Python<'_>,
        kind: EventKind,
        session: Option<&str>,
        agent: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        let origin = Origin {
            session,
            agent,
            at,
            swarm: None,
        };
        self.judge(py, 0, &origin, move || kind)
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

impl Clock {
    /// The clock for an argument: `None` is that of the system, `False` none.
    fn of(clock: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match clock {
            None => Ok(Self::System),
            Some(clock) if clock.is_callable() => Ok(Self::Given(clock.clone().unbind())),
            Some(clock) if clock.extract::<bool>().is_ok_and(|wanted| !wanted) => Ok(Self::Absent),
            Some(_) => Err(PyTypeError::new_err(
                "a clock is a function that returns milliseconds, or False for none",
            )),
        }
    }

    fn now(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        match self {
            Self::Absent => Ok(None),
            Self::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH);
                Ok(since
                    .ok()
                    .and_then(|since| i64::try_from(since.as_millis()).ok()))
            }
            Self::Given(clock) => Ok(Some(clock.call0(py)?.extract(py)?)),
        }
    }
}

fn status_of(word: &str) -> PyResult<Status> {
    match word {
        "ok" => Ok(Status::Ok),
        "error" => Ok(Status::Error),
        "denied" => Ok(Status::Denied),
        "cancelled" => Ok(Status::Cancelled),
        "pending" => Ok(Status::Pending),
        _ => Err(PyValueError::new_err(
            "a status is `ok`, `error`, `denied`, `cancelled` or `pending`",
        )),
    }
}

/// An exception is its type and its text, anything else itself.
fn error_value(error: &Bound<'_, PyAny>) -> PyResult<Value> {
    if error.is_instance_of::<PyBaseException>() {
        let name = error.get_type().name()?;
        let mut text = name.to_string_lossy().into_owned();
        let said = crate::value::text_of(error)?;
        if !said.is_empty() {
            text.push_str(": ");
            text.push_str(&said);
        }
        return Ok(Value::Done(unstuck::Json::string(&text)));
    }
    Value::of(error)
}
