//! `CallCircuitBreaker` of `IronCurtain`.

use pyo3::{prelude::*, types::PyDict};
use unstuck_classic::{BreakerConfig, CallVerdict};

use crate::{clock::Clock, shared::Shared, value::Value};

/// Allows a number of identical calls within a sliding window, and denies the next one.
#[pyclass(frozen, subclass, module = "unstuck.classic")]
pub(crate) struct CallCircuitBreaker(Shared<unstuck_classic::CallCircuitBreaker>);

#[pymethods]
impl CallCircuitBreaker {
    #[new]
    #[pyo3(signature = (*, window_ms = 60_000, threshold = 20, worker_count = 1))]
    fn new(window_ms: u64, threshold: u32, worker_count: u32) -> Self {
        let config = BreakerConfig {
            window_ms,
            threshold,
            worker_count,
        };
        Self(Shared::new(
            unstuck_classic::CallCircuitBreaker::with_config(config),
        ))
    }

    /// Whether this call may be made now, as `{"allowed": True}` or `{"allowed": False, "reason": …}`.
    #[pyo3(signature = (tool, args, now_ms = None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        tool: &str,
        args: &Bound<'_, PyAny>,
        now_ms: Option<i64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let args = Value::of(args)?;
        let now = match now_ms {
            Some(now) => now,
            None => Clock::System.now(py)?.unwrap_or_default(),
        };
        let verdict = self.0.run_or_raise(py, args.len(), |breaker| {
            breaker.check(tool, &args.into_json(), now)
        })?;
        let answer = PyDict::new(py);
        answer.set_item("allowed", verdict.is_allowed())?;
        if let CallVerdict::Denied { reason } = verdict {
            answer.set_item("reason", reason)?;
        }
        Ok(answer)
    }

    /// Empties all windows.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::CallCircuitBreaker::reset)
    }
}
