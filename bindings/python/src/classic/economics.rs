//! `SharedEconomicsState` of attocode.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use unstuck_classic::GlobalThresholds;

use crate::{shared::Shared, value::Value};

/// Counts calls across all workers of a swarm, and reports a global doom loop.
#[pyclass(frozen, subclass, module = "unstuck.classic")]
pub(crate) struct SharedEconomicsState(Shared<unstuck_classic::SharedEconomicsState>);

#[pymethods]
impl SharedEconomicsState {
    #[new]
    #[pyo3(signature = (*, threshold = 10, workers = 2))]
    fn new(threshold: u64, workers: usize) -> Self {
        let thresholds = GlobalThresholds {
            calls: threshold,
            workers,
        };
        let state = unstuck_classic::SharedEconomicsState::with_thresholds(thresholds);
        Self(Shared::new(state))
    }

    /// Counts a call of a worker. Returns the fingerprint of the call.
    fn record(
        &self,
        py: Python<'_>,
        worker: &str,
        tool: &str,
        args: &Bound<'_, PyAny>,
    ) -> PyResult<String> {
        let args = Value::of(args)?;
        self.0.run_or_raise(py, args.len(), |state| {
            state.record(worker, tool, &args.into_json())
        })
    }

    /// Counts a call of a worker by its fingerprint.
    fn record_fingerprint(&self, py: Python<'_>, worker: &str, fingerprint: &str) -> PyResult<()> {
        self.0.run_or_raise(py, fingerprint.len(), |state| {
            state.record_fingerprint(worker, fingerprint);
        })
    }

    /// Whether this call is a global doom loop.
    fn is_global_doom_loop(&self, py: Python<'_>, fingerprint: &str) -> PyResult<bool> {
        self.0
            .run_or_raise(py, 0, |state| state.is_global_doom_loop(fingerprint))
    }

    /// How often a call was made and by how many workers, or `None`.
    fn get_global_loop_info<'py>(
        &self,
        py: Python<'py>,
        fingerprint: &str,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let known = self
            .0
            .run_or_raise(py, 0, |state| state.global_loop_info(fingerprint))?;
        let Some(known) = known else { return Ok(None) };
        let answer = PyDict::new(py);
        answer.set_item("count", known.count)?;
        answer.set_item("worker_count", known.worker_count)?;
        Ok(Some(answer))
    }

    /// Fingerprints of all global doom loops, the one that was counted last first.
    fn get_global_loops(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.0.run_or_raise(py, 0, |state| {
            state.global_loops().map(str::to_owned).collect()
        })
    }

    /// Numbers of known calls and loops.
    fn get_stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = self.0.run_or_raise(py, 0, |state| state.stats())?;
        let answer = PyDict::new(py);
        answer.set_item("fingerprints", stats.fingerprints)?;
        answer.set_item("global_loops", stats.global_loops)?;
        Ok(answer)
    }

    /// Message for a worker that has just made this call, or `None`.
    fn prompt(&self, py: Python<'_>, fingerprint: &str) -> PyResult<Option<String>> {
        self.0
            .run_or_raise(py, 0, |state| state.prompt(fingerprint))
    }

    /// A checkpoint: `{"fingerprints": [{"fingerprint": …, "count": …, "workers": […]}]}`.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = self.0.run_or_raise(py, 0, |state| state.to_json())?;
        py.import("json")?.call_method1("loads", (json.as_str(),))
    }

    /// Restores counts from a checkpoint. Listed calls get its counts, other calls keep theirs.
    fn restore_from(&self, py: Python<'_>, checkpoint: &Bound<'_, PyAny>) -> PyResult<()> {
        let checkpoint = Value::of(checkpoint)?;
        let restored = self.0.run_or_raise(py, checkpoint.len(), |state| {
            state.restore_from(&checkpoint.into_json())
        })?;
        restored.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Forgets all calls.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.0
            .run_or_raise(py, 0, unstuck_classic::SharedEconomicsState::clear)
    }
}
