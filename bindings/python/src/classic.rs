//! The classes of the founding systems, as Python classes.
//!
//! They take and return what `unstuck.classic` describes: names are those of the systems, in the spelling of Python. What a
//! class of the crate returns becomes a dictionary or a plain value here; the package adds the types.

mod breaker;
mod cycles;
mod economics;
mod loops;
mod steps;
mod tools;

pub(crate) use breaker::CallCircuitBreaker;
pub(crate) use cycles::{CycleDetector, SpecWindow};
pub(crate) use economics::SharedEconomicsState;
pub(crate) use loops::LoopDetector;
pub(crate) use steps::StepLoopDetector;
pub(crate) use tools::ToolLoopDetector;

use pyo3::prelude::*;

use crate::{failure::EngineError, shared::Shared};

impl<S: Send> Shared<S> {
    /// Runs `with`. A panic is an `EngineError`.
    fn run_or_raise<T: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        with: impl FnOnce(&mut S) -> T + Send,
    ) -> PyResult<T> {
        self.run(py, bytes, with).map_err(EngineError::new_err)
    }
}
