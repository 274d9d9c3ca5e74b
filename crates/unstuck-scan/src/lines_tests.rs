use std::io::Cursor;

use super::*;

/// Gives its bytes in pieces of a fixed size, as a pipe may.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.1.min(self.0.len()).min(buffer.len());
        let (piece, rest) = self.0.split_at(size);
        buffer[..size].copy_from_slice(piece);
        self.0 = rest;
        Ok(size)
    }
}

fn all(input: impl Read) -> Vec<String> {
    let mut lines = Lines::new(input);
    let mut all = Vec::new();
    while let Some(line) = lines.next().unwrap() {
        all.push(match line {
            Line::Text(text, _) => String::from_utf8(text.to_vec()).unwrap(),
            Line::TooLong(length) => format!("too long: {length}"),
        });
    }
    all
}

#[test]
fn lines_are_the_same_however_they_arrive() {
    let text = b"one\n\ntwo\r\nthree, which is last and has no end";
    for size in 1..=text.len() {
        let lines = all(Pieces(text, size));
        assert_eq!(
            lines,
            ["one", "", "two\r", "three, which is last and has no end"],
            "{size}"
        );
    }
}

#[test]
fn nothing_has_no_lines() {
    assert_eq!(all(Cursor::new(b"")), Vec::<String>::new());
    assert_eq!(all(Cursor::new(b"\n")), [""]);
}

#[test]
fn a_line_longer_than_the_buffer_is_read_whole() {
    let long = "x".repeat(CHUNK * 3 + 7);
    let text = format!("{long}\nshort");
    assert_eq!(all(Cursor::new(text)), [long.as_str(), "short"]);
}

#[test]
fn waiting_is_told_from_having_more() {
    let mut lines = Lines::new(Cursor::new(b"one\ntwo\n"));
    assert!(lines.must_wait(), "nothing was read yet");
    lines.next().unwrap();
    assert!(!lines.must_wait(), "the second line is there");
}

#[test]
fn the_head_is_shown_and_still_read() {
    let mut lines = Lines::new(&b"one\ntwo\nthr"[..]);
    assert_eq!(lines.head(5).expect("a slice is read"), b"one\nt");
    assert_eq!(lines.head(99).expect("a slice is read"), b"one\ntwo\nthr");
    for expected in [End::Ended, End::Ended, End::CutOff] {
        let Some(Line::Text(_, end)) = lines.next().expect("a slice is read") else {
            panic!("a line was expected");
        };
        assert_eq!(end, expected);
    }
    assert!(lines.next().expect("a slice is read").is_none());
}

#[test]
fn the_rest_is_given_whole_or_not_at_all() {
    let rest = |limit| Lines::new(&b"one\ntwo"[..]).rest(limit).expect("read");
    assert_eq!(rest(7).as_deref(), Some(&b"one\ntwo"[..]));
    assert_eq!(rest(6), None);
}
