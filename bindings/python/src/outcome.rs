//! How calls end, in the words of Python.

use pyo3::{
    exceptions::{PyBaseException, PyValueError},
    prelude::*,
};
use unstuck::Status;

use crate::value::{Value, text_of};

/// The status that a word names.
pub(crate) fn status_of(word: &str) -> PyResult<Status> {
    match word {
        "ok" => Ok(Status::Ok),
        "error" => Ok(Status::Error),
        "denied" => Ok(Status::Denied),
        "cancelled" => Ok(Status::Cancelled),
        "pending" => Ok(Status::Pending),
        _ => Err(PyValueError::new_err(
            "a status is `ok`, `error`, `denied`, `cancelled` or `pending`",
        )),
    }
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
        return Ok(Value::Done(unstuck::Json::string(&text)));
    }
    Value::of(error)
}
