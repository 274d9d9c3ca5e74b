//! `StepLoopDetector` of `IronCurtain`.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyTuple},
};
use unstuck_classic::{StepThresholds, StepVerdict, Thresholds};

use crate::{shared::Shared, value::Value};

/// Judges steps by whether their code and their result have occurred before.
#[pyclass(frozen, subclass, module = "unstuck.classic")]
pub(crate) struct StepLoopDetector(Shared<unstuck_classic::StepLoopDetector>);

#[pymethods]
impl StepLoopDetector {
    #[new]
    #[pyo3(signature = (*, stagnation = None, stuck = None))]
    fn new(
        stagnation: Option<&Bound<'_, PyDict>>,
        stuck: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let usual = StepThresholds::default();
        let thresholds = StepThresholds {
            stagnation: given(stagnation, usual.stagnation)?,
            stuck: given(stuck, usual.stuck)?,
        };
        let detector = unstuck_classic::StepLoopDetector::with_thresholds(thresholds);
        Ok(Self(Shared::new(detector)))
    }

    /// Records a step that ran. Without a result, the missing result is the outcome.
    #[pyo3(signature = (code, *result))]
    fn analyze_step<'py>(
        &self,
        py: Python<'py>,
        code: &str,
        result: &Bound<'_, PyTuple>,
    ) -> PyResult<Bound<'py, PyDict>> {
        if result.len() > 1 {
            return Err(PyTypeError::new_err("a step has one result"));
        }
        let result = result.iter().next();
        let result = result.as_ref().map(Value::of).transpose()?;
        let bytes = code.len() + result.as_ref().map_or(0, Value::len);
        let verdict = self.0.run_or_raise(py, bytes, |detector| {
            let result = result.map(Value::into_json);
            detector.analyze_step(code, result.as_ref())
        })?;
        answer(py, &verdict)
    }

    /// The last verdict that blocked. `None` before the first one and after a reset.
    fn is_blocked<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let blocked = self
            .0
            .run_or_raise(py, 0, |detector| detector.is_blocked().cloned())?;
        blocked.map(|verdict| answer(py, &verdict)).transpose()
    }

    /// Forgets everything, including a block.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::StepLoopDetector::reset)
    }
}

/// Thresholds of one streak; those that are not given are as usual.
fn given(given: Option<&Bound<'_, PyDict>>, usual: Thresholds) -> PyResult<Thresholds> {
    let mut thresholds = usual;
    let members = given.map(|given| given.iter().collect::<Vec<_>>());
    for (name, value) in members.unwrap_or_default() {
        match &*name.extract::<String>()? {
            "warn" => thresholds.warn = value.extract()?,
            "block" => thresholds.block = value.extract()?,
            other => {
                return Err(PyTypeError::new_err(format!(
                    "unknown threshold `{other}`; known are warn and block"
                )));
            }
        }
    }
    Ok(thresholds)
}

fn answer<'py>(py: Python<'py>, verdict: &StepVerdict) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let (action, said) = match verdict {
        StepVerdict::Allow => ("allow", None),
        StepVerdict::Warn { message, category } => ("warn", Some((message, category))),
        StepVerdict::Block { message, category } => ("block", Some((message, category))),
    };
    answer.set_item("action", action)?;
    if let Some((message, category)) = said {
        answer.set_item("message", message)?;
        answer.set_item("category", category.as_str())?;
    }
    Ok(answer)
}
