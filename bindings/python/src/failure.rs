//! What becomes of a failure of the engine itself.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use pyo3::{create_exception, exceptions::PyRuntimeError};

create_exception!(
    unstuck,
    EngineError,
    PyRuntimeError,
    "The engine failed. A guard that fails closed raises it; one that fails open has it in `Decision.error`."
);

/// Runs a part of the engine. Returns the message of a panic as an error.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}
