//! What can go wrong, each kind with a word that JavaScript sees as `error.code`.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use unstuck::{EventError, JsonError, SnapshotError};
use unstuck_config::Errors;

/// A fault of the caller, or one of this program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The options of a guard or of a class.
    #[error("{0}")]
    Settings(String),
    /// A value that has no canonical JSON.
    #[error("{0}")]
    Value(#[from] JsonError),
    /// A text that is not an event.
    #[error("{0}")]
    Event(#[from] EventError),
    /// Bytes that are not a snapshot of this version.
    #[error("{0}")]
    Snapshot(String),
    /// A panic. The event is not answered.
    #[error("fault in unstuck: {0}")]
    Fault(String),
}

impl Error {
    /// The word for it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Settings(_) => "settings",
            Self::Value(_) => "value",
            Self::Event(_) => "event",
            Self::Snapshot(_) => "snapshot",
            Self::Fault(_) => "fault",
        }
    }

    /// The word and the message in one text, which is how it crosses into JavaScript.
    pub fn to_text(&self) -> String {
        format!("{}: {self}", self.code())
    }
}

impl From<Errors> for Error {
    fn from(errors: Errors) -> Self {
        Self::Settings(errors.to_string())
    }
}

impl From<SnapshotError> for Error {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error.to_string())
    }
}

/// Runs `work` and turns a panic into an error. What it worked on may be used again: the engine has no invariant on which
/// memory safety depends, and the worst that can be left is a call that is half counted.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let work = || {
        fault_of_a_test();
        work()
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Error::Fault(told(&*panic))))
}

/// The message of a panic.
fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}

/// Panics in a development build if a test asks for it.
fn fault_of_a_test() {
    #[cfg(debug_assertions)]
    assert!(
        std::env::var_os("UNSTUCK_TEST_FAULT").is_none(),
        "a test asked for this fault"
    );
}
