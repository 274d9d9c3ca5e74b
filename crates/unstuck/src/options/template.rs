//! Templates: texts with placeholders in braces, checked when they are loaded.

use serde::{Deserialize, Serialize};

use crate::marker::MAX_CHARS;

/// A text with placeholders such as `{count}`; `{{` and `}}` stand for the braces themselves.
///
/// ```
/// use unstuck::settings::Template;
///
/// assert!(Template::new("{what} was called {count} times").is_ok());
/// let error = Template::new("called {times} times").unwrap_err();
/// assert!(error.to_string().contains("`{times}`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Template(String);

/// Reason why a text is not a valid template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// An unknown placeholder.
    #[error("unknown placeholder `{{{0}}}`; known are {known}", known = KNOWN.join(", "))]
    UnknownPlaceholder(String),
    /// A brace that is never closed.
    #[error("a `{{` without its `}}`; write `{{{{` for the brace itself")]
    Unclosed,
    /// A text longer than a message may be.
    #[error("the text has {0} characters, at most {max} are allowed", max = MAX_CHARS)]
    TooLong(usize),
    /// An empty text.
    #[error("the text is empty")]
    Empty,
}

/// The placeholders, in alphabetical order.
const KNOWN: [&str; 14] = [
    "block", "count", "laps", "limit", "outcome", "pattern", "period", "rule", "seconds", "tool",
    "used", "what", "window", "workers",
];

/// A piece of a text.
pub(crate) enum Piece<'t> {
    Words(&'t str),
    Placeholder(&'t str),
}

impl Template {
    /// The placeholders that are filled, without their braces.
    pub const PLACEHOLDERS: &[&str] = &KNOWN;

    /// Checks a text.
    pub fn new(text: impl Into<String>) -> Result<Self, TemplateError> {
        let text = text.into();
        if text.trim().is_empty() {
            return Err(TemplateError::Empty);
        }
        let characters = text.chars().count();
        if characters > MAX_CHARS {
            return Err(TemplateError::TooLong(characters));
        }
        for piece in pieces(&text) {
            match piece.ok_or(TemplateError::Unclosed)? {
                Piece::Placeholder(name) if !KNOWN.contains(&name) => {
                    return Err(TemplateError::UnknownPlaceholder(name.to_owned()));
                }
                Piece::Placeholder(_) | Piece::Words(_) => {}
            }
        }
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pieces of the text.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        Piece::of(&self.0)
    }
}

impl TryFrom<String> for Template {
    type Error = TemplateError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(text)
    }
}

impl From<Template> for String {
    fn from(template: Template) -> Self {
        template.0
    }
}

impl<'t> Piece<'t> {
    /// The pieces of a text, up to a brace that is never closed.
    pub(crate) fn of(text: &'t str) -> impl Iterator<Item = Self> {
        pieces(text).flatten()
    }
}

/// The pieces of a text; `None` for a brace that is never closed.
fn pieces(text: &str) -> impl Iterator<Item = Option<Piece<'_>>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let brace = rest.find(['{', '}']).unwrap_or(rest.len());
        let (piece, after) = if brace > 0 {
            (Piece::Words(&rest[..brace]), &rest[brace..])
        } else if let Some(after) = rest.strip_prefix("{{") {
            (Piece::Words("{"), after)
        } else if let Some(after) = rest.strip_prefix("}}") {
            (Piece::Words("}"), after)
        } else if let Some((name, after)) = rest
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
        {
            (Piece::Placeholder(name), after)
        } else {
            rest = "";
            return Some(None);
        };
        rest = after;
        Some(Some(piece))
    })
}
