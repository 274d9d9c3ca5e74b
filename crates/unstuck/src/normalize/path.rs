//! Temporary paths: the part of them that was drawn at random. The names people gave stay.

use super::{Kind, Recognised, text::ScannedText, text::is_word};

/// Names of temporary directories are never longer than this.
const LONGEST: usize = 128;

/// The random part of the temporary path that starts with the slash at `at`.
pub(super) fn temporary(text: &ScannedText<'_>, at: usize) -> Option<Recognised> {
    let start = if text.says(at, b"/tmp/") {
        at + 5
    } else if text.says(at, b"/var/tmp/") {
        at + 9
    } else if text.says(at, b"/var/folders/") {
        // Two components name the user, `T` or `C` the kind.
        let mut end = at + 13;
        for _ in 0..3 {
            end = component_end(text, end)? + 1;
        }
        end
    } else {
        return None;
    };
    let end = component_end(text, start).unwrap_or_else(|| name_end(text, start));
    let name = text.bytes.get(start..end)?;
    let path = |start, end| {
        Some(Recognised {
            start,
            end,
            kind: Kind::Path,
        })
    };
    if text.says(at, b"/var/folders/") {
        let user = at + 13;
        return if is_random(name) || is_temporary(name) {
            path(user, end)
        } else {
            path(user, start.saturating_sub(1).max(user))
        };
    }
    if name.starts_with(b"pytest-of-") {
        let session = end + 1;
        let end = name_end(text, session);
        let digits = text.digits_end(session + 7);
        return (text.says(session, b"pytest-") && digits == end && end > session + 7).then_some(
            Recognised {
                start: session,
                end,
                kind: Kind::Path,
            },
        );
    }
    (is_random(name) || is_temporary(name)).then_some(Recognised {
        start,
        end,
        kind: Kind::Path,
    })
}

/// A word as `tempfile` makes it, wherever it stands.
pub(super) fn temporary_name(
    text: &ScannedText<'_>,
    start: usize,
    end: usize,
) -> Option<Recognised> {
    is_temporary(&text.bytes[start..end]).then_some(Recognised {
        start,
        end,
        kind: Kind::Path,
    })
}

/// Where the component at `start` ends, if a slash follows it.
fn component_end(text: &ScannedText<'_>, start: usize) -> Option<usize> {
    let end = name_end(text, start);
    (end > start && text.at(end) == b'/').then_some(end)
}

/// Where the file name at `start` ends.
fn name_end(text: &ScannedText<'_>, start: usize) -> usize {
    let mut end = start;
    while end - start < LONGEST
        && (is_word(text.at(end)) || matches!(text.at(end), b'-' | b'.' | b'+'))
    {
        end += 1;
    }
    // A full stop ends the sentence, not the name.
    while end > start && text.at(end - 1) == b'.' {
        end -= 1;
    }
    end
}

/// `tmp` and what Python's `tempfile` or `mktemp` draws.
fn is_temporary(name: &[u8]) -> bool {
    let Some(drawn) = name.strip_prefix(b"tmp") else {
        return false;
    };
    let drawn = drawn.strip_prefix(b".").unwrap_or(drawn);
    let digits = drawn.iter().any(u8::is_ascii_digit);
    let whole = drawn.iter().all(|&byte| is_word(byte));
    let plain = drawn.iter().all(u8::is_ascii_alphanumeric);
    whole
        && ((drawn.len() == 8 && (digits || plain))
            || (digits && plain && drawn.len() >= 6)
            || drawn.len() == 10)
}

/// Whether some part of a name, between dots and dashes, was drawn at random or is a process id.
fn is_random(name: &[u8]) -> bool {
    name.split(|byte| matches!(byte, b'-' | b'.' | b'_' | b'+'))
        .any(|part| {
            if part.iter().all(u8::is_ascii_digit) {
                return part.len() >= 5;
            }
            part.len() >= 6 && runs(part) >= 4 && part.iter().any(u8::is_ascii_digit)
        })
}

/// How often lower case, upper case and digits take turns.
fn runs(part: &[u8]) -> usize {
    let class = |byte: &u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    1 + part
        .windows(2)
        .filter(|pair| class(&pair[0]) != class(&pair[1]))
        .count()
}
