//! `LoopDetector` of attocode.

use pyo3::{prelude::*, types::PyDict};
use unstuck_classic::LoopStatus;

use crate::{outcome::status_of, shared::Shared, value::Value};

/// Finds consecutive calls that are equal, or differ only in arguments that do not matter.
#[pyclass(frozen, subclass, module = "unstuck.classic")]
pub(crate) struct LoopDetector(Shared<unstuck_classic::LoopDetector>);

#[pymethods]
impl LoopDetector {
    #[new]
    #[pyo3(signature = (threshold = 3, fuzzy_threshold = None))]
    fn new(threshold: u32, fuzzy_threshold: Option<u32>) -> Self {
        let fuzzy = fuzzy_threshold.unwrap_or_else(|| threshold.saturating_add(1));
        let detector = unstuck_classic::LoopDetector::with_thresholds(threshold, fuzzy);
        Self(Shared::new(detector))
    }

    /// Records a call. Returns `clear`, `detected` or `ongoing`.
    fn record_tool_call(
        &self,
        py: Python<'_>,
        tool: &str,
        args: &Bound<'_, PyAny>,
    ) -> PyResult<&'static str> {
        let args = Value::of(args)?;
        let status = self.0.run_or_raise(py, args.len(), |detector| {
            detector.record_tool_call(tool, &args.into_json())
        })?;
        Ok(match status {
            LoopStatus::Clear => "clear",
            LoopStatus::Detected => "detected",
            LoopStatus::Ongoing => "ongoing",
        })
    }

    /// Records the result of the last call. Returns a message for the model if one is due.
    #[pyo3(signature = (output = None, *, status = "ok"))]
    fn record_result(
        &self,
        py: Python<'_>,
        output: Option<&Bound<'_, PyAny>>,
        status: &str,
    ) -> PyResult<Option<String>> {
        let status = status_of(status)?;
        let output = output.map(Value::of).transpose()?;
        let bytes = output.as_ref().map_or(0, Value::len);
        self.0.run_or_raise(py, bytes, |detector| {
            let output = output.map(Value::into_json);
            detector.record_result(status, output.as_ref())
        })
    }

    /// Records a turn of text without a call. Returns a message for the model if one is due.
    fn record_text_only_turn(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::LoopDetector::record_text_only_turn)
    }

    /// Message for the model about the present doom loop.
    fn prompt(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.0.run_or_raise(py, 0, |detector| detector.prompt())
    }

    /// The present state, as a dictionary.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self
            .0
            .run_or_raise(py, 0, |detector| detector.state().clone())?;
        let answer = PyDict::new(py);
        answer.set_item("doom_loop_detected", state.doom_loop_detected)?;
        answer.set_item("last_tool", state.last_tool.as_deref())?;
        answer.set_item("consecutive_count", state.consecutive_count)?;
        answer.set_item("threshold", state.threshold)?;
        answer.set_item("fuzzy_threshold", state.fuzzy_threshold)?;
        answer.set_item("last_warning_time", state.last_warning_time)?;
        Ok(answer)
    }

    /// Failing test runs since the last one that passed.
    #[getter]
    fn test_failures(&self, py: Python<'_>) -> PyResult<u32> {
        self.0
            .run_or_raise(py, 0, |detector| detector.test_failures())
    }

    /// Failing shell commands since the last one that succeeded.
    #[getter]
    fn bash_failures(&self, py: Python<'_>) -> PyResult<u32> {
        self.0
            .run_or_raise(py, 0, |detector| detector.bash_failures())
    }

    /// Turns of text since the last call.
    #[getter]
    fn text_only_turns(&self, py: Python<'_>) -> PyResult<u32> {
        self.0
            .run_or_raise(py, 0, |detector| detector.text_only_turns())
    }

    /// Forgets everything but the thresholds.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::LoopDetector::reset)
    }

    /// What similar calls are compared by, as readable text.
    #[staticmethod]
    fn fingerprint(tool: &str, args: &Bound<'_, PyAny>) -> PyResult<String> {
        let args = Value::of(args)?.into_json();
        Ok(unstuck_classic::LoopDetector::fingerprint(tool, &args))
    }
}
