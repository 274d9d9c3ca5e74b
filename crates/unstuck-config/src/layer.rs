//! The text of one configuration file.

use std::ops::Range;

use unstuck_text::acts_unseen;

use crate::diagnostic::{Diagnostic, Errors, Place};

/// Characters of a line that are shown.
const EXCERPT: usize = 160;

/// The text of one configuration file, and its name in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layer {
    /// The name of the file in messages.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

impl Layer {
    /// A layer from its text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }

    /// A layer from the bytes of a file, which must be UTF-8.
    ///
    /// ```
    /// use unstuck_config::Layer;
    ///
    /// let errors = Layer::from_bytes("unstuck.toml", b"mode = \"\xff\"".to_vec()).unwrap_err();
    /// assert!(errors.to_string().contains("unstuck.toml:1:9"));
    /// ```
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Errors> {
        let name = name.into();
        String::from_utf8(bytes)
            .map(|text| Self {
                name: name.clone(),
                text,
            })
            .map_err(|error| {
                let valid = error.utf8_error().valid_up_to();
                let lossy = Self::new(name, String::from_utf8_lossy(error.as_bytes()));
                let place = lossy.place(&(valid..valid + 1));
                let error = Diagnostic::error("the file is not UTF-8")
                    .at(place)
                    .help(Some("save it with the encoding UTF-8".into()));
                Errors {
                    diagnostics: vec![error],
                }
            })
    }

    /// The place of a range of bytes. A range that goes over several lines ends with its first.
    pub(crate) fn place(&self, span: &Range<usize>) -> Place {
        let text = self.text.as_str();
        let start = floor(text, span.start);
        let end = floor(text, span.end.max(start));
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let column = text[line_start..start].chars().count();
        let meant = text[start..end.min(line_end)].trim_end().chars().count();
        let skipped = column.saturating_sub(EXCERPT / 2);
        let excerpt = line.chars().skip(skipped).take(EXCERPT);
        let before = column - skipped;
        Place {
            file: self.name.clone(),
            line: text[..line_start].matches('\n').count() + 1,
            column: column + 1,
            // One column each, so that the mark below points at the right one.
            excerpt: excerpt
                .map(|c| {
                    if c.is_control() || acts_unseen(c) {
                        ' '
                    } else {
                        c
                    }
                })
                .collect(),
            before,
            width: meant.min(EXCERPT - before).max(1),
        }
    }
}

/// The start of the character at a byte.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}
