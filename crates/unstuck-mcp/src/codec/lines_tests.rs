use std::io::Read;

use super::*;

/// Gives out its bytes in pieces of one size.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.0.len().min(self.1).min(buffer.len());
        buffer[..piece].copy_from_slice(&self.0[..piece]);
        self.0 = &self.0[piece..];
        Ok(piece)
    }
}

fn all(bytes: &[u8], piece: usize, longest: usize) -> Vec<Option<Vec<u8>>> {
    let mut lines = Lines::new(Pieces(bytes, piece), longest);
    let mut all = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        all.push(match line {
            Line::Whole(line) => Some(line.to_vec()),
            Line::TooLong { .. } => None,
        });
    }
    all
}

#[test]
fn lines_are_the_same_however_they_arrive() {
    let long = "x".repeat(200_000);
    let text = format!("a\n\nb\r\n{long}\nend");
    let expected: Vec<_> = ["a\n", "\n", "b\r\n", &format!("{long}\n"), "end"]
        .map(|line| Some(line.as_bytes().to_vec()))
        .into();
    for piece in [1, 2, 7, 4_096, 65_536, 1_000_000] {
        assert_eq!(all(text.as_bytes(), piece, 1 << 20), expected, "{piece}");
    }
}

#[test]
fn a_line_that_is_too_long_is_thrown_away_and_the_next_is_read() {
    let text = format!("a\n{}\nb\n{}", "x".repeat(300_000), "y".repeat(300_000));
    let expected = [Some(b"a\n".to_vec()), None, Some(b"b\n".to_vec()), None];
    for piece in [1_000, 65_536, 1_000_000] {
        assert_eq!(all(text.as_bytes(), piece, 100_000), expected, "{piece}");
    }
    assert_eq!(
        all(b"1234\n12345\n", 3, 4),
        [Some(b"1234\n".to_vec()), None]
    );
}

#[test]
fn two_lines_that_are_too_long_are_told_apart() {
    let text = format!("{}\n{}\nend\n", "x".repeat(9_000), "y".repeat(9_000));
    for piece in [1, 1_000, 10_000, 1_000_000] {
        let mut lines = Lines::new(Pieces(text.as_bytes(), piece), 100);
        for byte in [b'x', b'y'] {
            let Some(Line::TooLong { beginning, end }) = lines.next_line().unwrap() else {
                panic!("a long line");
            };
            assert_eq!((beginning[0], end[end.len() - 2]), (byte, byte), "{piece}");
        }
        assert_eq!(lines.next_line().unwrap(), Some(Line::Whole(b"end\n")));
    }
}

#[test]
fn lines_are_given_out_as_they_arrive() {
    let mut lines = Lines::new(Pieces(b"a\nbc\nd", 3), 10);
    assert_eq!(lines.next_ready(), None);
    lines.read_more().unwrap();
    assert_eq!(lines.next_ready(), Some(Line::Whole(b"a\n")));
    assert_eq!(lines.next_ready(), None);
    lines.read_more().unwrap();
    assert_eq!(lines.next_ready(), Some(Line::Whole(b"bc\n")));
    assert_eq!(lines.next_ready(), None);
    assert!(!lines.has_ended());
    lines.read_more().unwrap();
    assert!(lines.has_ended());
    assert_eq!(lines.next_ready(), Some(Line::Whole(b"d")));
    assert_eq!(lines.next_ready(), None);
}

#[test]
fn memory_stays_within_the_limit() {
    let mut text = vec![b'x'; 8 << 20];
    text.extend_from_slice(b"end");
    for piece in [1_000, 1 << 20] {
        let mut lines = Lines::new(Pieces(&text, piece), 1 << 20);
        let Some(Line::TooLong { beginning, end }) = lines.next_line().unwrap() else {
            panic!("a long line");
        };
        assert_eq!(beginning, &text[..KEPT_OF_LONG]);
        assert_eq!(end, &text[text.len() - KEPT_OF_LONG..]);
        assert!(lines.buffer.len() <= 4 << 20);
    }
}

#[test]
fn lines_that_are_there_are_known_to_be() {
    let mut lines = Lines::new(Pieces(b"a\nb\nc", 5), 10);
    lines.next_line().unwrap();
    assert!(lines.has_line());
    lines.next_line().unwrap();
    assert!(!lines.has_line());
}
