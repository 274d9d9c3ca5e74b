//! One transcript that is being read.

use crate::{
    format::{Format, Reader},
    sink::{Problem, Sink},
};

/// What is known of a transcript besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The session, where the transcript names none: usually the name of its file, without the ending.
    pub session: Box<str>,
}

/// A format that is read line by line.
pub(crate) trait Lines {
    /// One line, without its end.
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>>;

    /// There are no more lines.
    fn end(&mut self, sink: &mut dyn Sink) {
        let _ = sink;
    }
}

/// A format that is read as a whole.
pub(crate) type Document = fn(&Origin, &[u8], &mut dyn Sink) -> Result<(), Box<str>>;

/// One transcript that is being read.
///
/// ```
/// use unstuck::Event;
/// use unstuck_transcript::{Format, Origin, Problem, Sink, Transcript, Usage};
///
/// #[derive(Default)]
/// struct Count(usize);
///
/// impl Sink for Count {
///     fn event(&mut self, _: Event) {
///         self.0 += 1;
///     }
///     fn usage(&mut self, _: Usage) {}
///     fn problem(&mut self, _: Problem) {}
/// }
///
/// let line = br#"{"event":"call","id":"1","tool":"bash","args":{"command":"ls"}}"#;
/// let format = Format::detect(line).expect("these are events");
/// let mut transcript = Transcript::new(format, &Origin::default());
/// let mut count = Count::default();
/// transcript.line(1, line, &mut count);
/// transcript.end(&mut count);
/// assert_eq!(count.0, 1);
/// ```
pub struct Transcript {
    format: Format,
    origin: Origin,
    reader: Reader,
}

impl Transcript {
    /// Begins one.
    pub fn new(format: Format, origin: &Origin) -> Self {
        Self {
            format,
            origin: origin.clone(),
            reader: format.reader(origin),
        }
    }

    /// One line of a format that has [`Layout::Lines`](crate::Layout::Lines), without its end. Blank lines are passed over.
    pub fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) {
        let Reader::Lines(reader) = &mut self.reader else {
            return self.document(line, sink);
        };
        if line.trim_ascii().is_empty() {
            return;
        }
        if let Err(message) = reader.line(number, line, sink) {
            sink.problem(Problem {
                line: Some(number),
                message,
            });
        }
    }

    /// All of a format that has [`Layout::Document`](crate::Layout::Document).
    pub fn document(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        match &mut self.reader {
            Reader::Document(read) => {
                if let Err(message) = read(&self.origin, bytes, sink) {
                    sink.problem(Problem {
                        line: None,
                        message,
                    });
                }
            }
            Reader::Lines(_) => {
                for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
                    self.line(number, line, sink);
                }
            }
        }
    }

    /// There is no more: what was held back is told now.
    pub fn end(&mut self, sink: &mut dyn Sink) {
        if let Reader::Lines(reader) = &mut self.reader {
            reader.end(sink);
        }
    }

    /// What is being read.
    pub fn format(&self) -> Format {
        self.format
    }
}
