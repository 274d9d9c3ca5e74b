//! How calls end, in the words of Python.

use pyo3::{
    exceptions::{PyBaseException, PyValueError},
    prelude::*,
};
use unstuck::Status;

use crate::value::{Value, text_of};

/// The status that a word names.
pub(crate) fn status_of(word: &str) -> PyResult<Status> {
    word.parse().map_err(|_| {
        PyValueError::new_err("a status is `ok`, `error`, `denied`, `cancelled` or `pending`")
    })
}

/// An exception is its type and its text, anything else itself.
pub(crate) fn error_value(error: &Bound<'_, PyAny>) -> PyResult<Value> {
    if error.is_instance_of::<PyBaseException>() {
        let name = error.get_type().name()?;
        let mut text = name.to_string_lossy().into_owned();
        let said = text_of(error)?;
        if !said.is_empty() {
            text.push_str(": ");
            text.push_str(&said);
        }
        return Ok(unstuck::Json::string(&text).into());
    }
    Value::of(error)
}
