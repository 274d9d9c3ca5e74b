//! `ToolLoopDetector` of `HackEurope26`.

use pyo3::prelude::*;

use crate::{shared::Shared, value::Value};

/// Reports whether any call occurs too often among the last ones.
#[pyclass(frozen, subclass, module = "unstuck.classic")]
pub(crate) struct ToolLoopDetector(Shared<unstuck_classic::ToolLoopDetector>);

#[pymethods]
impl ToolLoopDetector {
    #[new]
    #[pyo3(signature = (repeat_threshold = 3, history_size = 20))]
    fn new(repeat_threshold: u32, history_size: u32) -> Self {
        let detector = unstuck_classic::ToolLoopDetector::with(repeat_threshold, history_size);
        Self(Shared::new(detector))
    }

    /// Records a call, before it is made.
    fn record(
        &self,
        py: Python<'_>,
        tool_name: &str,
        tool_args: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let args = Value::with_types(tool_args)?;
        self.0.run_or_raise(py, args.len(), |detector| {
            detector.record(tool_name, &args.into_json());
        })
    }

    /// Whether any call occurs too often.
    fn is_stuck(&self, py: Python<'_>) -> PyResult<bool> {
        self.0.run_or_raise(py, 0, |detector| detector.is_stuck())
    }

    /// Forgets all calls.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::ToolLoopDetector::reset)
    }
}
