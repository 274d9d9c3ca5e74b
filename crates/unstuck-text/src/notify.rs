//! Lines for the person who runs a program.

use std::{error::Error, fmt, fmt::Write as _, sync::Arc};

/// A line for the person who runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice<'a> {
    /// Something happened.
    Line(&'a str),
    /// Something is probably wrong.
    Warning(&'a str),
}

/// Where a library sends lines for the person who runs the program. The program decides how they are printed.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use unstuck_text::{Notice, Notify};
///
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let to = Arc::clone(&lines);
/// let notify = Notify::new(move |notice| {
///     if let Notice::Line(line) = notice {
///         to.lock().unwrap().push(line.to_owned());
///     }
/// });
/// notify.line("the log is written again");
/// assert_eq!(*lines.lock().unwrap(), ["the log is written again"]);
/// ```
#[derive(Clone)]
pub struct Notify(Arc<dyn Fn(Notice<'_>) + Send + Sync>);

impl Notify {
    /// Gives every notice to this function.
    pub fn new(print: impl Fn(Notice<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(print))
    }

    /// Drops all notices.
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    /// Sends a line.
    pub fn line(&self, line: impl fmt::Display) {
        (self.0)(Notice::Line(&line.to_string()));
    }

    /// Sends a warning.
    pub fn warning(&self, line: impl fmt::Display) {
        (self.0)(Notice::Warning(&line.to_string()));
    }
}

impl fmt::Debug for Notify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notify")
    }
}

/// An error and its causes, in one line.
///
/// ```
/// let error = std::io::Error::other("the disk is full");
/// assert_eq!(unstuck_text::with_causes(&error), "the disk is full");
/// ```
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}
