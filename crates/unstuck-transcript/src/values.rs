//! Formats that people keep both as JSON lines and as one document.

use unstuck::JsonError;

use crate::{
    elements::{End, Raw},
    readable::readable,
    sink::{Problem, Sink},
    transcript::Lines,
};

/// What one such format does with its values.
pub(crate) trait Values {
    /// One value: a line, or the document. It may be cut off, and then has what stands before the cut.
    fn value(&mut self, place: Place, value: Raw<'_>, sink: &mut dyn Sink);

    /// There are no more.
    fn end(&mut self, sink: &mut dyn Sink) {
        let _ = sink;
    }
}

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On this line, with all that is in it; 0 where lines mean nothing to a reader of the file, as in an archive.
    Line(u64),
    /// It is the document: what is in it stands on lines of its own.
    Document,
}

impl Place {
    /// Line of the file that an element begins on; 0 where there is none.
    pub(crate) fn line(self, element: Raw<'_>) -> u64 {
        match self {
            Self::Line(line) => line,
            Self::Document => element.line,
        }
    }

    /// Reports an element that could not be read.
    pub(crate) fn problem(
        self,
        element: Raw<'_>,
        what: &str,
        error: &JsonError,
        sink: &mut dyn Sink,
    ) {
        let line = match self {
            Self::Line(line) => line,
            Self::Document => element.line_at(error.offset().unwrap_or(0)),
        };
        sink.problem(Problem {
            line: (line > 0).then_some(line),
            message: match self {
                Self::Line(_) => error.to_string().into(),
                Self::Document => format!("this {what} cannot be read: {error}").into(),
            },
        });
    }
}

/// What is kept of a document at most; one that is larger is not read.
const LARGEST_DOCUMENT: usize = 256 << 20;

/// Reads either: lines where the first one is a value, else the whole as one document.
pub(crate) struct Either<V> {
    values: V,
    state: State,
}

enum State {
    /// Nothing was seen yet.
    New,
    /// One line, which is a value: the first of many, or the document.
    One(u64, Vec<u8>),
    /// Lines.
    Many,
    /// A document up to now: the numbers of its first and its last line, and the lines.
    Gathered(u64, u64, Vec<u8>),
    /// A document that is too large.
    TooLarge,
}

impl<V: Values> Either<V> {
    pub(crate) fn new(values: V) -> Self {
        Self {
            values,
            state: State::New,
        }
    }

    fn value(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let text = readable(line);
        let value = whole(&text)?;
        self.values.value(Place::Line(number), value, sink);
        Ok(())
    }

    fn document(&mut self, first: u64, bytes: &[u8], sink: &mut dyn Sink) {
        let text = readable(bytes);
        let (mut rest, mut line) = (&*text, first);
        while let Some((value, behind)) = Raw::first_from(rest, line) {
            self.values.value(Place::Document, value, sink);
            // A single line that is cut off is the last line of a file that is being written.
            let is_half_line = value.end == End::Cut && !bytes.contains(&b'\n');
            let problem = unfinished(value).filter(|_| !is_half_line);
            if let Some(problem) = problem {
                sink.incomplete(problem);
            }
            line = value.line_at(value.text.len());
            rest = behind;
        }
    }
}

impl<V: Values> Lines for Either<V> {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        match std::mem::replace(&mut self.state, State::Many) {
            State::Many => self.value(number, line, sink),
            State::New => {
                self.state = if is_one_value(&readable(line)) {
                    State::One(number, line.to_vec())
                } else {
                    State::Gathered(number, number, line.to_vec())
                };
                Ok(())
            }
            State::One(first, held) => {
                if let Err(message) = self.value(first, &held, sink) {
                    sink.problem(Problem {
                        line: Some(first),
                        message,
                    });
                }
                self.value(number, line, sink)
            }
            State::Gathered(first, _, held) if is_broken_line(&held, line) => {
                let message = whole(&readable(&held)).err().unwrap_or_default();
                sink.problem(Problem {
                    line: Some(first),
                    message,
                });
                self.value(number, line, sink)
            }
            State::Gathered(first, last, mut held) => {
                // Blank lines are not handed over, and still count.
                let between = usize::try_from(number.saturating_sub(last)).unwrap_or(usize::MAX);
                let longer = held.len().saturating_add(between);
                self.state = if longer.saturating_add(line.len()) < LARGEST_DOCUMENT {
                    held.resize(longer, b'\n');
                    held.extend_from_slice(line);
                    State::Gathered(first, number, held)
                } else {
                    State::TooLarge
                };
                Ok(())
            }
            State::TooLarge => {
                self.state = State::TooLarge;
                Ok(())
            }
        }
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        match std::mem::replace(&mut self.state, State::Many) {
            State::New | State::Many => {}
            State::One(first, held) | State::Gathered(first, _, held) => {
                self.document(first, &held, sink);
            }
            State::TooLarge => sink.incomplete(Problem {
                line: None,
                message: format!(
                    "the document has more than {} MiB and was not read",
                    LARGEST_DOCUMENT >> 20
                )
                .into(),
            }),
        }
        self.values.end(sink);
    }
}

/// Lines that the elements of a document's member begin on, without end: further elements have no line (0).
pub(crate) fn lines_of(member: &str, document: &[u8]) -> impl Iterator<Item = u64> + use<> {
    let text = readable(document);
    let list = Raw::first(&text).and_then(|(root, _)| root.get(member));
    let lines = list.into_iter().flat_map(Raw::elements);
    let lines: Vec<u64> = lines.map(|element| element.line).collect();
    lines.into_iter().chain(std::iter::repeat(0))
}

/// What to say of a document that has no right end.
pub(crate) fn unfinished(value: Raw<'_>) -> Option<Problem> {
    match value.end {
        End::Whole => None,
        End::Cut => Some(Problem {
            line: None,
            message: "the document is cut off; everything before that point was read".into(),
        }),
        End::Deep | End::Broken => {
            let error = value.json().err()?;
            Some(Problem {
                line: Some(value.line_at(error.offset().unwrap_or(0))),
                message: format!(
                    "the document is broken; everything before that point was read: {error}"
                )
                .into(),
            })
        }
    }
}

/// Is this one value, if not one that can be read?
fn is_one_value(text: &str) -> bool {
    Raw::first(text).is_some_and(|(value, rest)| value.has_end() && rest.trim().is_empty())
}

/// The one value of a line.
fn whole(text: &str) -> Result<Raw<'_>, Box<str>> {
    match Raw::first(text) {
        Some((value, rest)) if value.end == End::Whole => {
            if rest.trim().is_empty() {
                Ok(value)
            } else {
                let at = text.len() - rest.len();
                Err(JsonError::Trailing { at }.to_string().into())
            }
        }
        Some((value, _)) => Err(match value.json() {
            Err(error) => error.to_string().into(),
            Ok(_) => "not JSON".into(),
        }),
        None => Err("nothing".into()),
    }
}

/// The text from where it can be told what it is: without the first line, if that is a broken one among lines.
pub(crate) fn beginning(text: &str) -> &str {
    let text = text.trim_start();
    match text.split_once('\n') {
        Some((first, rest)) => {
            let second = rest.lines().find(|line| !line.trim().is_empty());
            let second = second.unwrap_or_default();
            let is_broken =
                whole(first).is_err() && is_broken_line(first.as_bytes(), second.as_bytes());
            if is_broken { rest } else { text }
        }
        None => text,
    }
}

/// Is the first line a broken one among lines, rather than how a document begins?
fn is_broken_line(first: &[u8], second: &[u8]) -> bool {
    first.len() > 2 && !first.contains(&b'\n') && whole(&readable(second)).is_ok_and(Raw::is_object)
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
