//! Errors and warnings about a configuration, with their places.

use std::fmt;

/// One mistake or remark.
///
/// Its [`Display`](fmt::Display) form has several lines: the message, the place, the offending line and a suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Whether it can be lived with.
    pub severity: Severity,
    /// The problem, in one line.
    pub message: String,
    /// The place, if it is known.
    pub place: Option<Place>,
    /// Suggestions for a correction.
    pub help: Option<String>,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// It has no effect, and probably should have one.
    Warning,
    /// It cannot be used.
    Error,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The layer's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The line itself, or the part of it around the place; without control characters.
    pub excerpt: String,
    /// Characters of the excerpt before the place.
    pub before: usize,
    /// Characters of the excerpt that are meant, at least 1.
    pub width: usize,
}

/// Why a configuration was refused: at least one error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", joined(.diagnostics))]
#[non_exhaustive]
pub struct Errors {
    /// The errors, in the order of the layers and of their lines.
    pub diagnostics: Vec<Diagnostic>,
}

impl Diagnostic {
    pub(crate) fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            message: message.into(),
            place: None,
            help: None,
        }
    }

    /// A warning without a place.
    ///
    /// ```
    /// use unstuck_config::Diagnostic;
    ///
    /// let warning = Diagnostic::warning("unstuck.toml is ignored", "run `unstuck config trust`");
    /// assert_eq!(
    ///     warning.to_string(),
    ///     "warning: unstuck.toml is ignored\n = help: run `unstuck config trust`"
    /// );
    /// ```
    pub fn warning(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message).help(Some(help.into()))
    }

    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    pub(crate) fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    pub(crate) fn help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.message)?;
        let mut margin = String::new();
        if let Some(place) = &self.place {
            let Place {
                file,
                line,
                column,
                excerpt,
                before,
                width,
            } = place;
            let number = line.to_string();
            margin = " ".repeat(number.len());
            let indent = " ".repeat(*before);
            let carets = "^".repeat(*width);
            write!(f, "\n{margin}--> {file}:{line}:{column}")?;
            write!(
                f,
                "\n{margin} |\n{number} | {excerpt}\n{margin} | {indent}{carets}"
            )?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n{margin} = help: {help}")?;
        }
        Ok(())
    }
}

fn joined(diagnostics: &[Diagnostic]) -> String {
    let texts: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    texts.join("\n\n")
}
