//! The methods that Python sees.

use std::{path::PathBuf, sync::atomic::AtomicU64};

use pyo3::{
    PyTraverseError, PyVisit,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyString, PyTuple},
};
use unstuck::{
    Call, Engine, Event, EventKind, EventReader, Mode, Outcome, Role, Status, Text, Usage,
};
use unstuck_config::Fail;

use super::{Guard, Origin};
use crate::{
    clock::Clock,
    decision::Decision,
    failure::EngineError,
    outcome::{error_value, status_of},
    requests::Request,
    scan,
    settings::settings as settings_of,
    shared::Shared,
    value::Value,
};

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
        let loaded = settings_of(preset, config, settings)?;
        Ok(Self {
            engine: Shared::new(Engine::new(loaded.settings.clone())),
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

    /// Asks whether a call may run, and counts it.
    ///
    /// `call` is the name of the tool, with its arguments in `args`; or a `Call`, a dictionary or an object that has both, as
    /// the APIs of models return them. The call may run if `permits` is true; give the decision back to `after_call`, or
    /// the model its `message` in place of a result. `key` replaces the arguments in every comparison, `read_only` says
    /// whether the tool changes anything, and `id` is the id of the call where it has one.
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

    /// Reports what a call returned: `output`, or the `error` that it failed with.
    ///
    /// `call` is what `before_call` returned, or the id of the call. `status` is `ok`, `error`, `denied`, `cancelled` or
    /// `pending`; an exception in `error` is its type and its text.
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
            (_, None, _) => Some(unstuck::Json::null().into()),
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

    /// Judges a call as if it were made now, without counting it.
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

    /// Reports a compound action with its outcome, judged as one: a program that the model wrote, and what it returned.
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

    /// Reports what the model wrote. Several texts within one turn are one stream.
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

    /// Reports the end of the model's turn: all its calls ran. `tokens` and `cost` are what it used, for budgets.
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

    /// Reports an event without content.
    #[pyo3(signature = (kind, *, session = None, agent = None, at = None))]
    fn event(
        &self,
        py: Python<'_>,
        kind: &str,
        session: Option<&str>,
        agent: Option<&str>,
        at: Option<i64>,
    ) -> PyResult<Decision> {
        let kind = match kind {
            "user" => EventKind::User,
            "retry" => EventKind::Retry,
            "compaction" => EventKind::Compaction,
            "resume" => EventKind::Resume,
            "reset" => EventKind::Reset,
            _ => {
                return Err(PyValueError::new_err(
                    "an event without content is `user`, `retry`, `compaction`, `resume` or `reset`",
                ));
            }
        };
        if matches!(kind, EventKind::Reset) && self.engine.is_broken(py) {
            self.engine.renew(py, Engine::new(self.settings.clone()));
        }
        let origin = Origin {
            session,
            agent,
            at,
            swarm: None,
        };
        self.judge(py, 0, &origin, move || kind)
    }

    /// Observes an event of the wire contract: a dictionary, or a line of JSON. Raises `ValueError` for what is not one.
    fn observe(&self, py: Python<'_>, event: &Bound<'_, PyAny>) -> PyResult<Decision> {
        let line = if let Ok(text) = event.cast::<PyString>() {
            text.to_str()?.as_bytes().to_vec()
        } else if let Ok(bytes) = event.cast::<PyBytes>() {
            bytes.as_bytes().to_vec()
        } else if event.is_instance_of::<PyDict>() {
            Value::of(event)?.into_json().as_str().as_bytes().to_vec()
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

    /// Returns the state of one agent as bytes that another guard can restore, or `None` for an agent without events.
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

    /// Replaces the state of one agent by that of a snapshot. Raises `ValueError` for one of another version, or damaged.
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
            self.engine.renew(py, Engine::new(self.settings.clone()));
        }
        let restored = self.engine.run(py, snapshot.len(), |engine| {
            engine.restore(session, agent, snapshot)
        });
        restored
            .map_err(EngineError::new_err)?
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Reads recordings under the settings of this guard and returns the report as text. Other threads run meanwhile.
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
