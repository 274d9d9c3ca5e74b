//! One file, from its bytes to a sink.

use std::io;

use unstuck_transcript::{Format, Layout, Origin, Problem, Sink, Transcript};

use super::{
    content::Content,
    cut::Cut,
    database,
    find::Candidate,
    input::{self, Input, Meter},
};
use crate::lines::{End, Line, Lines};

/// What is shown to the recognisers of formats.
const HEAD: usize = 256 << 10;
/// Documents have to be in memory as a whole.
const LARGEST_DOCUMENT: usize = 256 << 20;
/// Lines between two looks at whether to stop.
const PATIENCE: u64 = 256;

/// How reading a file ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// It was read, to its end or until the scan was stopped.
    Read(Format),
    /// It is in a format that was not asked for.
    Unwanted(Format),
    /// It is not a transcript of a known format.
    Unknown(Content),
    /// It cannot be read, or not to its end; what comes before that was read where the format is known.
    Failed(Option<Format>, String),
}

/// Which formats are wanted.
pub(crate) type Wanted<'a> = &'a (dyn Fn(Format) -> bool + Sync);

/// Reads a file. What the sink got before a failure stays valid.
pub(crate) fn read(
    candidate: &Candidate,
    wanted: Wanted<'_>,
    meter: &Meter,
    sink: &mut dyn Sink,
) -> Ending {
    let origin = Origin {
        session: input::stem(&candidate.source).into(),
    };
    let opened = match input::open(&candidate.source, meter) {
        Ok(opened) => opened,
        Err(error) => return Ending::Failed(None, format!("cannot open it: {error}")),
    };
    match opened {
        Input::Database => database::read(&candidate.source, wanted, meter, sink),
        Input::Bytes(bytes, cut) => {
            let ending = bytes_of(Lines::new(bytes), &origin, wanted, meter, sink);
            up_to_cut(ending, &cut)
        }
    }
}

/// Takes into account that packed data may have ended too early.
fn up_to_cut(ending: Ending, cut: &Cut) -> Ending {
    match (ending, cut.sentence()) {
        (Ending::Read(format), Some(sentence)) => Ending::Failed(Some(format), sentence),
        (Ending::Unknown(_), Some(sentence)) => Ending::Failed(None, sentence),
        (ending, _) => ending,
    }
}

fn bytes_of<R: io::Read>(
    mut lines: Lines<R>,
    origin: &Origin,
    wanted: Wanted<'_>,
    meter: &Meter,
    sink: &mut dyn Sink,
) -> Ending {
    let (head, skipped) = match head(&mut lines) {
        Ok(head) => head,
        Err(error) => return Ending::Failed(None, format!("cannot read it: {error}")),
    };
    let Some(format) = Format::detect(head) else {
        return Ending::Unknown(Content::of(head));
    };
    if !wanted(format) {
        return Ending::Unwanted(format);
    }
    let mut transcript = Transcript::new(format, origin);
    let read = match format.layout() {
        Layout::Lines => all_lines(&mut lines, skipped, &mut transcript, meter, sink),
        Layout::Document => document(lines, skipped, &mut transcript, meter, sink),
    };
    transcript.end(sink);
    match read {
        Ok(()) => Ending::Read(format),
        Err(error) => Ending::Failed(Some(format), format!("cannot read it: {error}")),
    }
}

/// What the format is recognised by, and how many blank lines come before it. Only where there are very many they are
/// passed over first.
fn head<R: io::Read>(lines: &mut Lines<R>) -> io::Result<(&[u8], u64)> {
    let head = lines.head(HEAD)?;
    let is_blank = head.len() == HEAD && head.iter().all(u8::is_ascii_whitespace);
    let skipped = if is_blank { lines.skip_blank()? } else { 0 };
    Ok((lines.head(HEAD)?, skipped))
}

fn document<R: io::Read>(
    lines: Lines<R>,
    skipped: u64,
    transcript: &mut Transcript,
    meter: &Meter,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let _turn = meter.turn();
    let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
    let limit = LARGEST_DOCUMENT.saturating_sub(skipped);
    let Some(mut document) = lines.rest(limit)? else {
        let largest = LARGEST_DOCUMENT >> 20;
        return Err(io::Error::other(format!(
            "it is one document of more than {largest} MiB"
        )));
    };
    // So that its lines keep their numbers.
    document.splice(
        0..0,
        std::iter::repeat_n(b'\n', skipped.min(LARGEST_DOCUMENT)),
    );
    transcript.document(&document, sink);
    Ok(())
}

fn all_lines<R: io::Read>(
    lines: &mut Lines<R>,
    skipped: u64,
    transcript: &mut Transcript,
    meter: &Meter,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let mut number = skipped;
    while let Some(line) = lines.next()? {
        number += 1;
        match line {
            Line::Text(text, End::Ended) => transcript.line(number, text, sink),
            // A transcript that is being written ends in the middle of a line. That is no problem, and there is no more.
            Line::Text(text, End::CutOff) => {
                let _ = transcript.tail(number, text, sink);
            }
            Line::TooLong(length) => sink.problem(too_long(number, length)),
        }
        if number.is_multiple_of(PATIENCE) && meter.is_stopped() {
            break;
        }
    }
    Ok(())
}

/// What is said of a line over the limit.
pub(crate) fn too_long(number: u64, length: usize) -> Problem {
    let limit = unstuck::event::MAX_LINE_BYTES >> 20;
    let message = format!("a line of {length} bytes, more than {limit} MiB, was left out");
    Problem {
        line: Some(number),
        message: message.into(),
    }
}
