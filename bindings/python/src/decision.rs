//! Decisions as Python sees them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::{exceptions::PyValueError, prelude::*, types::PyTuple};
use unstuck::Verdict;

/// The answer to one event. It does not change.
#[pyclass(frozen, eq, module = "unstuck")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    judged: unstuck::Decision,
    call_id: Option<Box<str>>,
    error: Option<Box<str>>,
}

/// A pattern that one rule detected. It does not change.
#[pyclass(frozen, eq, get_all, module = "unstuck")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Name of the rule.
    rule: &'static str,
    /// Occurrences, the first one included.
    repeats: u32,
    /// Calls per lap; 1 for a plain repeat.
    period: u32,
    /// Number of the first event that belongs to it.
    first_line: u64,
    /// Number of the last event that belongs to it.
    last_line: u64,
    /// One readable line for each member of the pattern.
    pattern: Vec<String>,
}

impl Decision {
    pub(crate) fn new(decision: unstuck::Decision) -> Self {
        Self {
            judged: decision,
            call_id: None,
            error: None,
        }
    }

    /// `allow`, because the engine failed.
    pub(crate) fn failed_open(session: &str, agent: &str, error: String) -> Self {
        Self {
            error: Some(error.into()),
            ..Self::new(unstuck::Decision::allow(0, session, agent))
        }
    }

    /// The same decision, about a call with this id.
    pub(crate) fn with_call_id(mut self, call_id: Box<str>) -> Self {
        self.call_id = Some(call_id);
        self
    }

    pub(crate) fn inner(&self) -> &unstuck::Decision {
        &self.judged
    }

    /// The id of the call that the decision is about.
    pub(crate) fn call_id_of_call(&self) -> PyResult<&str> {
        self.call_id.as_deref().ok_or_else(|| {
            PyValueError::new_err("the decision is not about a call: pass that of `before_call`")
        })
    }

    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.judged)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Decision {
    /// `allow`, `nudge`, `deny` or `halt`.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.judged.verdict.as_str()
    }

    /// Whether the call may run, or the run may continue. A nudge permits.
    #[getter]
    fn permits(&self) -> bool {
        self.judged.permits()
    }

    /// Whether the run is to end.
    #[getter]
    fn halts(&self) -> bool {
        self.judged.verdict == Verdict::Halt
    }

    /// The text for the model, if there is one.
    #[getter]
    fn message(&self) -> Option<&str> {
        // In observe mode there is a reason, but nothing is to be said.
        self.judged
            .message()
            .filter(|_| self.judged.verdict > Verdict::Allow)
    }

    /// The answer that would have been given; only in observe mode.
    #[getter]
    fn would(&self) -> Option<&'static str> {
        self.judged.would.map(Verdict::as_str)
    }

    /// Name of the rule that decided.
    #[getter]
    fn rule(&self) -> Option<&'static str> {
        self.judged.rule().map(unstuck::RuleName::as_str)
    }

    /// How urgent a nudge is: 1, 2 or 3.
    #[getter]
    fn level(&self) -> Option<u8> {
        self.judged.level().map(u8::from)
    }

    /// Occurrences that the rule counted, the first one included.
    #[getter]
    fn repeats(&self) -> Option<u32> {
        Some(self.judged.reason.as_ref()?.repeats)
    }

    /// Calls per lap.
    #[getter]
    fn period(&self) -> Option<u32> {
        Some(self.judged.reason.as_ref()?.period)
    }

    /// One readable line for each member of the pattern.
    #[getter]
    fn pattern<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let reason = self.judged.reason.as_ref();
        PyTuple::new(
            py,
            reason
                .map_or(&[][..], |reason| &reason.pattern)
                .iter()
                .map(|line| &**line),
        )
    }

    /// `LOOP_DETECTED` on a halt.
    #[getter]
    fn status(&self) -> Option<&str> {
        self.judged.reason.as_ref()?.status.as_deref()
    }

    /// Repeats after the first.
    #[getter]
    fn wasted_calls(&self) -> u64 {
        self.judged
            .reason
            .as_ref()
            .map_or(0, |reason| reason.wasted.calls)
    }

    /// Milliseconds after which the same call is worth another try, where the rule knows it.
    #[getter]
    fn retry_after(&self) -> Option<u64> {
        self.judged.retry_after
    }

    /// What the host may do: `escalate`, `ask_user`, `summarise` or `collapse`.
    #[getter]
    fn advice(&self) -> Option<&'static str> {
        self.judged.advice.map(unstuck::Advice::as_str)
    }

    /// Patterns that rules detected, also those below the first threshold.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let findings = self.judged.findings.iter().map(|finding| Finding {
            rule: finding.rule.as_str(),
            repeats: finding.repeats,
            period: finding.period,
            first_line: finding.from,
            last_line: finding.to,
            pattern: finding.pattern.iter().map(ToString::to_string).collect(),
        });
        let findings: PyResult<Vec<_>> = findings.map(|finding| Bound::new(py, finding)).collect();
        PyTuple::new(py, findings?)
    }

    /// Number of the event, counted by the guard.
    #[getter]
    fn line(&self) -> u64 {
        self.judged.line
    }

    /// The session of the event.
    #[getter]
    fn session(&self) -> &str {
        &self.judged.session
    }

    /// The agent of the event.
    #[getter]
    fn agent(&self) -> &str {
        &self.judged.agent
    }

    /// The id that pairs the call with its result, on answers to calls and results.
    #[getter]
    fn call_id(&self) -> Option<&str> {
        self.call_id.as_deref()
    }

    /// What went wrong in the engine, where a guard that fails open answers `allow` without having judged.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Returns what the model should read in place of `output`: the message alone where the call was denied, `output` with the
    /// message behind it after a nudge, and otherwise `output`.
    #[pyo3(signature = (output = ""))]
    fn for_model(&self, output: &str) -> String {
        match self.message() {
            None => output.to_owned(),
            Some(message) if output.is_empty() || !self.permits() => message.to_owned(),
            Some(message) => format!("{output}\n\n{message}"),
        }
    }

    /// Returns the decision as the line of JSON that `unstuck check` prints.
    fn to_json(&self) -> PyResult<String> {
        self.json()
    }

    /// Returns the decision as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json()?,))
    }

    fn __repr__(&self) -> String {
        let verdict = self.verdict();
        match (&self.error, self.rule()) {
            (Some(error), _) => format!("<Decision {verdict}: the engine failed: {error}>"),
            (None, Some(rule)) => format!("<Decision {verdict}: {rule}>"),
            (None, None) => format!("<Decision {verdict}>"),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let Self {
            judged: decision,
            call_id,
            ..
        } = self;
        (decision.line, &decision.session, &decision.agent, call_id).hash(&mut hasher);
        hasher.finish()
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("<Finding {}: {} times>", self.rule, self.repeats)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.rule, self.repeats, self.first_line, self.last_line).hash(&mut hasher);
        hasher.finish()
    }
}
