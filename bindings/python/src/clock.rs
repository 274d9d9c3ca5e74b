//! Where the time of events comes from.

use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::{exceptions::PyTypeError, prelude::*};

/// Where the time of events comes from.
pub(crate) enum Clock {
    /// Events have no time unless the caller gives one.
    Absent,
    System,
    /// A callable that returns milliseconds.
    Given(Py<PyAny>),
}

impl Clock {
    /// The clock for an argument: `None` is that of the system, `False` none.
    pub(crate) fn of(clock: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match clock {
            None => Ok(Self::System),
            Some(clock) if clock.is_callable() => Ok(Self::Given(clock.clone().unbind())),
            Some(clock) if clock.extract::<bool>().is_ok_and(|wanted| !wanted) => Ok(Self::Absent),
            Some(_) => Err(PyTypeError::new_err(
                "a clock is a function that returns milliseconds, or False for none",
            )),
        }
    }

    /// The present time in milliseconds.
    pub(crate) fn now(&self, py: Python<'_>) -> PyResult<Option<i64>> {
        match self {
            Self::Absent => Ok(None),
            Self::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH);
                Ok(since
                    .ok()
                    .and_then(|since| i64::try_from(since.as_millis()).ok()))
            }
            Self::Given(clock) => Ok(Some(clock.call0(py)?.extract(py)?)),
        }
    }
}
