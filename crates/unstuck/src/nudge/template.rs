//! Templates: texts with placeholders in braces, checked when they are loaded.

use serde::{Deserialize, Serialize};

use super::quote;
use crate::{rules::Spotted, settings::Settings};

/// A text with placeholders such as `{count}`; `{{` and `}}` stand for the braces themselves.
///
/// ```
/// use unstuck::Template;
///
/// assert!(Template::new("{what} was called {count} times").is_ok());
/// let error = Template::new("called {times} times").unwrap_err();
/// assert!(error.to_string().contains("`{times}`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Template(String);

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A placeholder nobody fills.
    #[error("unknown placeholder `{{{0}}}`; known are {known}", known = KNOWN.join(", "))]
    UnknownPlaceholder(String),
    /// A brace that is never closed.
    #[error("a `{{` without its `}}`; write `{{{{` for the brace itself")]
    Unclosed,
    /// More than a message may have.
    #[error("the text has {0} characters, at most {max} are allowed", max = super::MAX_CHARS)]
    TooLong(usize),
    /// Nothing at all.
    #[error("the text is empty")]
    Empty,
}

/// The placeholders, in alphabetical order.
const KNOWN: [&str; 14] = [
    "block", "count", "laps", "limit", "outcome", "pattern", "period", "rule", "seconds", "tool",
    "used", "what", "window", "workers",
];

/// What the placeholders stand for.
pub(super) struct Values<'a> {
    spotted: &'a Spotted,
    settings: &'a Settings,
}

/// A piece of a text.
enum Piece<'t> {
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
        if characters > super::MAX_CHARS {
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

    pub(super) fn render(&self, values: &Values<'_>, out: &mut String) {
        render(&self.0, values, out);
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

/// Appends the text with its placeholders filled.
pub(super) fn render(text: &str, values: &Values<'_>, out: &mut String) {
    for piece in pieces(text).flatten() {
        match piece {
            Piece::Words(words) => out.push_str(words),
            Piece::Placeholder(name) => out.push_str(&values.get(name)),
        }
    }
}

/// Cuts a text to so many characters; what is left ends in an ellipsis.
pub(super) fn cut(text: &mut String, characters: usize) {
    if let Some((at, _)) = text.char_indices().nth(characters) {
        let keep = text[..at]
            .char_indices()
            .next_back()
            .map_or(0, |(last, _)| last);
        text.truncate(keep);
        text.push('…');
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

impl<'a> Values<'a> {
    pub(super) fn new(settings: &'a Settings, spotted: &'a Spotted) -> Self {
        Self { spotted, settings }
    }

    fn get(&self, name: &str) -> String {
        let finding = &self.spotted.finding;
        let facts = &self.spotted.facts;
        let ladder = self.settings.rules.ladder(finding.rule);
        let burst = &self.settings.rules.call_burst;
        match name {
            "block" => ladder
                .halt
                .count()
                .or(ladder.deny.count())
                .unwrap_or(0)
                .to_string(),
            "count" => facts.count.unwrap_or(finding.repeats).to_string(),
            "laps" => finding.repeats.to_string(),
            "limit" => match &facts.budget {
                Some((_, limit)) => limit.to_string(),
                None => burst.limit.to_string(),
            },
            "outcome" => facts
                .outcome
                .as_deref()
                .map_or_else(String::new, quote::quote),
            "pattern" => self.pattern(),
            "period" => finding.period.to_string(),
            "rule" => finding.rule.to_string(),
            "seconds" => (burst.window_ms / 1_000).to_string(),
            "tool" => facts
                .tool
                .as_deref()
                .map_or_else(|| "the tool".to_owned(), quote::name),
            "used" => facts
                .budget
                .as_ref()
                .map_or_else(String::new, |(used, _)| used.to_string()),
            "what" => {
                let label = finding.pattern.first().map(|label| &**label);
                quote::quote(label.or(facts.tool.as_deref()).unwrap_or("this step"))
            }
            "window" => facts.window.to_string(),
            "workers" => facts.workers.to_string(),
            _ => String::new(),
        }
    }

    /// The members of the pattern, numbered, one a line.
    fn pattern(&self) -> String {
        let members = self.spotted.finding.pattern.iter().enumerate();
        members.fold(String::new(), |list, (at, member)| {
            format!("{list}\n  {}. {}", at + 1, quote::quotable(member))
        })
    }
}
