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

/// Whether the last line of a file could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Tail {
    /// It is whole and was read.
    Read,
    /// It is not yet whole, and nothing of it was reported.
    Unfinished,
}

const NOT_AN_OBJECT: &str = "not a JSON object";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A format that is read line by line.
pub(crate) trait Lines {
    /// One line, without its end and never blank. An error means that nothing of the line was reported.
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>>;

    /// The last line, without a line end: it may be half-written. An error means that nothing of the line was reported.
    fn tail(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        self.line(number, line, sink)
    }

    /// What to report of a line that could not be read.
    fn reason(&self, line: &[u8], message: Box<str>) -> Box<str> {
        if line.starts_with(b"{") {
            message
        } else {
            NOT_AN_OBJECT.into()
        }
    }

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

    /// One line of a format that has [`Layout::Lines`](crate::Layout::Lines), with or without its end. Blank lines are
    /// passed over.
    pub fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) {
        if let Err(message) = self.read_line(number, line, sink) {
            let line = content(line);
            let message = match &self.reader {
                Reader::Lines(reader) => reader.reason(line, message),
                Reader::Document(_) if line.starts_with(b"{") => message,
                Reader::Document(_) => NOT_AN_OBJECT.into(),
            };
            sink.problem(Problem {
                line: Some(number),
                message,
            });
        }
    }

    /// The last line of a file, where it has no line end. It may be half-written: if it cannot be read, that is not
    /// a [`Problem`], and it may be given again as a [`line`](Self::line) once it is whole.
    pub fn tail(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Tail {
        let line = content(line);
        let read = match &mut self.reader {
            Reader::Lines(reader) if !line.is_empty() => reader.tail(number, line, sink),
            _ => self.read_line(number, line, sink),
        };
        match read {
            Ok(()) => Tail::Read,
            Err(_) => Tail::Unfinished,
        }
    }

    /// All of a transcript at once. Events are reported as they are read; [`Self::end`] has still to be called.
    pub fn document(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        if let Reader::Document(read) = &self.reader {
            let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
            if let Err(message) = read(&self.origin, bytes, sink) {
                sink.incomplete(Problem {
                    line: None,
                    message,
                });
            }
            return;
        }
        let (mut number, mut start) = (1, 0);
        for end in memchr::memchr_iter(b'\n', bytes) {
            self.line(number, &bytes[start..end], sink);
            (number, start) = (number + 1, end + 1);
        }
        let _ = self.tail(number, &bytes[start..], sink);
    }

    /// There is no more: what was held back is reported now.
    pub fn end(&mut self, sink: &mut dyn Sink) {
        if let Reader::Lines(reader) = &mut self.reader {
            reader.end(sink);
        }
    }

    /// What is being read.
    pub fn format(&self) -> Format {
        self.format
    }

    fn read_line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let line = content(line);
        if line.is_empty() {
            return Ok(());
        }
        match &mut self.reader {
            Reader::Lines(reader) => reader.line(number, line, sink),
            Reader::Document(read) => read(&self.origin, line, sink),
        }
    }
}

/// The line without a byte order mark and blanks around it.
fn content(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    // A file system that lost power leaves NUL bytes where lines should be.
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let start = line.iter().position(|byte| !is_blank(byte));
    let end = line.iter().rposition(|byte| !is_blank(byte));
    match (start, end) {
        (Some(start), Some(end)) => &line[start..=end],
        _ => &[],
    }
}
