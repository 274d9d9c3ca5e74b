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

mod decision;
mod engine;
mod failure;
mod guard;
mod requests;
mod scan;
mod settings;
mod value;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
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
