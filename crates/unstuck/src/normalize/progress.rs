//! Progress bars: a run of bar characters next to a percentage.

use super::{Kind, Recognised, text::ScannedText};

/// Fewer bar characters in a row are not a bar.
const SHORTEST: usize = 4;

/// No terminal is wider; three bytes a character.
const WIDEST: usize = 768;

/// The bar whose percentage goes from `start` to `end`.
pub(super) fn find(text: &ScannedText<'_>, start: usize, end: usize) -> Option<Recognised> {
    let mut end = end;
    if text.at(end) == b'.' && text.at(end + 1).is_ascii_digit() {
        end = text.digits_end(end + 1);
    }
    if text.at(end) != b'%' || !text.is_number_start(start) {
        return None;
    }
    end += 1;
    let found = |start, end| {
        Some(Recognised {
            start,
            end,
            kind: Kind::Progress,
        })
    };
    // ` 45%|████▌     | 45/100 [00:12<00:15, 3.51it/s]`, `45% [=====>   ]`
    let open = text.end_of(end, |byte| byte == b' ').min(end + 8);
    let inside = open + usize::from(matches!(text.at(open), b'|' | b'['));
    let bar = text.end_of(inside, is_bar);
    if is_long(&text.bytes[inside..bar]) {
        let mut end = bar;
        if matches!(text.at(end), b'|' | b']') && inside > open {
            end += 1;
            end = counts_end(text, end);
        }
        return found(start, end);
    }
    // `[=====>    ] 45%`, `━━━━━━━━━━ 45%`
    let close = text.start_of(start, 8, |byte| byte == b' ');
    let inside = close - usize::from(matches!(text.before(close), b'|' | b']'));
    let bar = text.start_of(inside, WIDEST, is_bar);
    // It may have come into the middle of a letter.
    let bar = text.end_of(bar, is_continuation).min(inside);
    if !is_long(&text.bytes[bar..inside]) {
        return None;
    }
    let framed = inside < close && matches!(text.before(bar), b'|' | b'[');
    found(bar - usize::from(framed), end)
}

/// The end of ` 45/100 [00:12<00:15, 3.51it/s]` behind a bar.
fn counts_end(text: &ScannedText<'_>, at: usize) -> usize {
    let count =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'/' | b'.' | b'k' | b'K' | b'M' | b'G');
    let end = text.end_of(text.end_of(at, |byte| byte == b' ').min(at + 8), count);
    if !text.says(end, b" [") {
        return at;
    }
    let mut inner = end + 2;
    while inner < end + 100 && !matches!(text.at(inner), b']' | b'"' | b'\\' | 0..=0x1f) {
        inner += 1;
    }
    if text.at(inner) == b']' {
        inner + 1
    } else {
        at
    }
}

/// Bar characters of ASCII, blanks inside a bar, and the bytes of the block elements and box drawings.
fn is_bar(byte: u8) -> bool {
    matches!(
        byte,
        b'=' | b'#' | b'>' | b'-' | b' ' | b'.' | b'*' | 0xe2 | 0x80..=0xbf
    )
}

/// Whether a run holds enough of one bar character in a row.
fn is_long(run: &[u8]) -> bool {
    let ascii = run.windows(SHORTEST).any(|window| {
        matches!(window[0], b'=' | b'#') && window.iter().all(|&byte| byte == window[0])
    });
    let started = matches!(run, [b'=' | b'#', b'=' | b'#' | b'>', ..]) && run.len() >= 2 * SHORTEST;
    // Box drawings, block elements, shapes and Braille patterns.
    let drawn = |pair: &&[u8]| matches!(pair, [0xe2, 0x94..=0x97 | 0xa0..=0xa3]);
    ascii || started || run.windows(2).filter(drawn).count() >= SHORTEST
}

/// Whether a byte is one of a character's other than the first.
fn is_continuation(byte: u8) -> bool {
    matches!(byte, 0x80..=0xbf)
}
