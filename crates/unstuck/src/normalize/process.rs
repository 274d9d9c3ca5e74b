//! What the operating system hands out: process ids and ephemeral ports. And what hosts count in their wrappers.

use crate::vocab::phrases::{replies, texts};

use super::{
    Kind, Recognised,
    text::{ScannedText, ends_with_word, is_word},
};

/// What hosts write before what they count.
const HOST_NUMBERS: [&str; 3] = texts(&replies::HOST_NUMBERS);

/// Ports from here on are handed out, not chosen.
const EPHEMERAL: u32 = 32_768;

/// How far behind a time of day a program's name and process id may stand.
const LOG_PREFIX: usize = 80;

/// What the number from `start` to `end`, with its label, may be.
pub(super) fn find(
    text: &ScannedText<'_>,
    start: usize,
    end: usize,
    label: &[u8],
) -> Option<Recognised> {
    let after = text.at(end);
    if is_word(after) || (matches!(after, b'.' | b',') && text.at(end + 1).is_ascii_digit()) {
        return labelled(text, start, text.word_end(end), label);
    }
    let kind = match text.before(start) {
        b'[' if after == b']' && is_log_process(text, start, end) => Kind::Process,
        b':' if is_ephemeral(text, start, end) && follows_host(text, start - 1) => Kind::Port,
        b' ' if text.is_line_end(end) && is_job(text, start) => Kind::Process,
        b' ' | b'=' | b':' => return labelled(text, start, end, label),
        _ => return None,
    };
    Some(Recognised { start, end, kind })
}

/// A number, or an identifier, that its label gives away.
pub(super) fn labelled(
    text: &ScannedText<'_>,
    start: usize,
    end: usize,
    label: &[u8],
) -> Option<Recognised> {
    let last = label.last()?.to_ascii_lowercase();
    let digits = text.digits_end(start) == end;
    let kind = match last {
        b'd' if digits
            && [&b"pid"[..], b"ppid", b"pgid"]
                .iter()
                .any(|known| ends_with_word(label, known)) =>
        {
            Kind::Process
        }
        b't' if ends_with_word(label, b"port") && is_ephemeral(text, start, end) => Kind::Port,
        b't' if digits && text.said(start, HOST_NUMBERS[0].as_bytes()) => Kind::Process,
        b'd' if text.said(start, HOST_NUMBERS[1].as_bytes()) => Kind::Identifier,
        b'd' if digits && text.said(start, HOST_NUMBERS[2].as_bytes()) => Kind::Process,
        _ => return None,
    };
    Some(Recognised { start, end, kind })
}

/// `[1234] ` where a log line starts, or `sshd[1234]: ` right behind a time of day.
fn is_log_process(text: &ScannedText<'_>, start: usize, end: usize) -> bool {
    let open = start - 1;
    if end - start >= 3 && text.is_line_start(open) {
        return true;
    }
    text.clock == text.floor
        && open - text.floor < LOG_PREFIX
        && text.at(end + 1) == b':'
        && is_word(text.before(open))
}

/// `[1] ` before the number, where a line starts: a job the shell put into the background.
fn is_job(text: &ScannedText<'_>, start: usize) -> bool {
    if !text.said(start, b"] ") {
        return false;
    }
    let close = start - 2;
    let job = text.start_of(close, 2, |byte| byte.is_ascii_digit());
    job < close && text.before(job) == b'[' && text.is_line_start(job - 1)
}

fn is_ephemeral(text: &ScannedText<'_>, start: usize, end: usize) -> bool {
    if end - start != 5 {
        return false;
    }
    let digits = text.bytes[start..end].iter();
    let port = digits.fold(0, |port, digit| {
        port * 10 + u32::from(digit.wrapping_sub(b'0'))
    });
    (EPHEMERAL..=65_535).contains(&port)
}

/// Whether a host that can only be an address ends at `end`.
fn follows_host(text: &ScannedText<'_>, end: usize) -> bool {
    if text.said(end, b"localhost") || text.said(end, b"[::1]") || text.said(end, b"[::]") {
        return true;
    }
    let start = text.start_of(end, 15, |byte| byte.is_ascii_digit() || byte == b'.');
    let dots = text.bytes[start..end].iter().filter(|&&byte| byte == b'.');
    dots.count() == 3 && end - start >= 7
}
