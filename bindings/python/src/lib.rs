//! The native module of the Python package `unstuck`.
//!
//! ```text
//!  Python value ─> value (JSON text) ─> guard (engine behind a lock) ─> Decision
//! ```
//!
//! The module holds no rule of its own: a guard is an engine with the settings of `unstuck-config`, a scan is that of
//! `unstuck-scan`, and the classes of the founding systems are those of `unstuck-classic`. `python/unstuck` adds what is
//! shorter in Python: the decorator, the context manager, and the types of the stubs.

#![forbid(unsafe_code)]

mod alone;
mod arrow;
mod classic;
mod clock;
mod decision;
mod failure;
mod guard;
mod outcome;
mod requests;
mod scan;
mod settings;
mod shared;
mod value;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        alone::_engine_alone,
        arrow::TableScan,
        classic::{
            CallCircuitBreaker, CycleDetector, LoopDetector, SharedEconomicsState, SpecWindow,
            StepLoopDetector, ToolLoopDetector,
        },
        decision::{Decision, Finding},
        failure::EngineError,
        guard::Guard,
        scan::scan_text,
        value::canonical,
    };

    use super::{Bound, PyModule, PyModuleMethods as _, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
