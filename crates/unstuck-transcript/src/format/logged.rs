//! What agents print as JSON, within a log: behind a prefix such as a time and a level, or over many lines. Lines that
//! hold no JSON are those of other programs.

use std::cell::OnceCell;

use crate::{
    head::{Glance, Head},
    objects::{Lost, Object, Objects},
    sink::{Problem, Sink},
    transcript::Lines,
};

const NO_END: &str = "the JSON object that begins on this line has no end";

/// Reads the objects of a log as the lines of another format.
pub(crate) struct Reader<L> {
    objects: Objects,
    inner: L,
}

impl<L: Lines> Reader<L> {
    pub(crate) fn new(inner: L) -> Self {
        Self {
            objects: Objects::default(),
            inner,
        }
    }
}

impl<L: Lines> Lines for Reader<L> {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let inner = &mut self.inner;
        let read = self.objects.line(number, line, &mut |object| {
            if let Err(message) = inner.line(object.line, object.text, sink) {
                sink.problem(Problem {
                    line: Some(object.line),
                    message,
                });
            }
        });
        match read {
            Ok(()) => Ok(()),
            Err(Lost { line }) if line == number => Err(NO_END.into()),
            Err(Lost { line }) => {
                sink.problem(Problem {
                    line: Some(line),
                    message: NO_END.into(),
                });
                Ok(())
            }
        }
    }

    /// An object that begins on the last line may be half-written, as a line of JSON may be.
    fn tail(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        self.line(number, line, sink)?;
        self.objects.forget(number);
        Ok(())
    }

    fn reason(&self, _: &[u8], message: Box<str>) -> Box<str> {
        message
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        if let Some(Lost { line }) = self.objects.end() {
            sink.problem(Problem {
                line: Some(line),
                message: NO_END.into(),
            });
        }
        self.inner.end(sink);
    }
}

/// The objects at the beginning of a log, found when they are first asked for.
#[derive(Default)]
pub(crate) struct Wrapped(OnceCell<Vec<Glance>>);

impl Wrapped {
    fn of(&self, bytes: &[u8]) -> &[Glance] {
        self.0.get_or_init(|| {
            let mut glances = Vec::new();
            let mut objects = Objects::default();
            let mut is_open = false;
            for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
                let line = line.trim_ascii();
                // Most files are lines of JSON, which need no closer look.
                if line.is_empty() || !is_open && line.starts_with(b"{") && line.ends_with(b"}") {
                    continue;
                }
                let each = &mut |object: Object<'_>| {
                    if object.is_wrapped {
                        glances.push(Glance::of(object.text));
                    }
                };
                // A broken object is reported when the log is read.
                let _ = objects.line(number, line, each);
                is_open = objects.is_open();
            }
            glances
        })
    }
}

/// Whether this is a log with objects that this other format has as its lines.
pub(crate) fn recognises(head: &Head<'_>, inner: fn(&Head<'_>) -> bool) -> bool {
    let wrapped = head.wrapped.of(head.bytes);
    !wrapped.is_empty() && inner(&head.with_lines(wrapped))
}

/// Whether these are the lines of a format, and not those of a log.
pub(crate) fn is_plain(head: &Head<'_>, recognises_lines: fn(&Head<'_>) -> bool) -> bool {
    recognises_lines(head) && !recognises(head, recognises_lines)
}

#[cfg(test)]
#[path = "logged_tests.rs"]
mod tests;
