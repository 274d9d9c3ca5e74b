//! `CycleDetector` and `SpecWindow` of attractor.

use pyo3::{prelude::*, types::PyDict};
use unstuck_classic::{CycleAction, CycleWarning};

use crate::{shared::Shared, value::Value};

/// Finds repeated sequences of one, two or three calls, and answers more strictly each time.
#[pyclass(frozen, subclass, module = "unstuck.classic")]
pub(crate) struct CycleDetector(Shared<unstuck_classic::CycleDetector>);

/// Reports whether the last calls, a whole window of them, repeat one sequence of one, two or three calls.
#[pyclass(frozen, subclass, module = "unstuck.classic")]
pub(crate) struct SpecWindow(Shared<unstuck_classic::SpecWindow>);

#[pymethods]
impl CycleDetector {
    #[new]
    fn new() -> Self {
        Self(Shared::new(unstuck_classic::CycleDetector::new()))
    }

    /// Records a call. Returns a warning if the call completes a lap.
    fn record<'py>(
        &self,
        py: Python<'py>,
        tool: &str,
        args: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let args = Value::of(args)?;
        let warning = self.0.run_or_raise(py, args.len(), |detector| {
            detector.record(tool, &args.into_json())
        })?;
        warning.map(|warning| answer(py, &warning)).transpose()
    }

    /// Records a message of the user: occurrences so far are forgotten, the calls are not.
    fn user_message(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::CycleDetector::user_message)
    }

    /// Forgets everything, including a stop.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::CycleDetector::reset)
    }
}

#[pymethods]
impl SpecWindow {
    #[new]
    #[pyo3(signature = (window = 10))]
    fn new(window: u32) -> Self {
        Self(Shared::new(unstuck_classic::SpecWindow::new(window)))
    }

    /// Records a call.
    fn record(&self, py: Python<'_>, tool: &str, args: &Bound<'_, PyAny>) -> PyResult<()> {
        let args = Value::of(args)?;
        self.0.run_or_raise(py, args.len(), |window| {
            window.record(tool, &args.into_json());
        })
    }

    /// Whether the window is full and consists of one repeated sequence.
    fn window_is_loop(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.run_or_raise(py, 0, |window| window.window_is_loop())
    }

    /// Forgets all calls.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::SpecWindow::reset)
    }
}

fn answer<'py>(py: Python<'py>, warning: &CycleWarning) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let action = match warning.action {
        CycleAction::Warn => "warn",
        CycleAction::WarnStrongly => "warn_strongly",
        CycleAction::ForceStop => "force_stop",
    };
    answer.set_item("action", action)?;
    answer.set_item("period", warning.period)?;
    answer.set_item("pattern", &warning.pattern)?;
    answer.set_item("occurrence", warning.occurrence)?;
    answer.set_item("count", warning.count)?;
    answer.set_item("message", &warning.message)?;
    answer.set_item("status", warning.status())?;
    Ok(answer)
}
