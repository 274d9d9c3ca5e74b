//! Recordings that are not quite right.

use std::path::Path;

use unstuck_transcript::{Format, Layout, Origin, Tail, Transcript};

use crate::told::{Told, fixtures, told};

/// Is this recording read as a whole? Some formats are kept both ways.
fn is_document(format: Format, path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|ending| ending == "json");
    format.layout() == Layout::Document || is_json
}

/// Everything but the numbers of lines.
fn without_lines(told: &str) -> String {
    let lines = told.lines().filter_map(|line| line.split_once(' '));
    lines.flat_map(|(_, rest)| [rest, "\n"]).collect()
}

#[test]
fn marks_line_ends_blank_lines_and_nul_bytes_change_nothing() {
    for (format, path, bytes) in fixtures() {
        if is_document(format, &path) {
            continue;
        }
        let plain = told(format, &bytes);
        let mut odd = b"\xef\xbb\xbf".to_vec();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            odd.extend_from_slice(b"\r\n  \r\n\0\0");
            match line.strip_suffix(b"\n") {
                Some(line) => {
                    odd.extend_from_slice(line);
                    odd.extend_from_slice(b"\0\r\n");
                }
                None => odd.extend_from_slice(line),
            }
        }
        assert_eq!(
            without_lines(&plain),
            without_lines(&told(format, &odd)),
            "{}",
            path.display()
        );
    }
}

#[test]
fn a_recording_that_is_cut_anywhere_is_no_problem_and_never_tells_more() {
    for (format, path, bytes) in fixtures() {
        if is_document(format, &path) {
            continue;
        }
        let problems = |told: &str| {
            told.lines()
                .filter(|line| line.contains(" problem "))
                .count()
        };
        let whole = told(format, &bytes);
        for cut in (0..bytes.len()).step_by(37) {
            let told = told(format, &bytes[..cut]);
            // An object over several lines that has no end is reported with the line it begins on.
            let begun = told
                .lines()
                .any(|line| line.ends_with("begins on this line has no end"));
            assert!(
                problems(&told) <= problems(&whole) + usize::from(begun),
                "{} at {cut}:\n{told}",
                path.display()
            );
        }
    }
}

#[test]
fn a_tail_that_is_not_whole_tells_nothing_until_it_is() {
    let line = br#"{"event":"call","id":"1","tool":"bash","args":{"command":"ls"}}"#;
    let mut transcript = Transcript::new(Format::Events, &Origin::default());
    let mut told = Told::default();
    assert_eq!(transcript.tail(1, &line[..20], &mut told), Tail::Unfinished);
    assert_eq!(told.0, "");
    assert_eq!(transcript.tail(1, line, &mut told), Tail::Read);
    assert_eq!(
        told.0,
        "1 default/main - call 1 bash {\"command\":\"ls\"}\n"
    );
}

#[test]
fn a_line_that_nests_too_deep_is_a_problem_of_its_own() {
    for (format, path, bytes) in fixtures() {
        if is_document(format, &path) {
            continue;
        }
        let deep = format!("{{\"x\":{}{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
        let told = told(format, &[deep.as_bytes(), &bytes].concat());
        assert!(told.starts_with("1 problem "), "{}", path.display());
        assert!(told.lines().nth(1).is_some(), "{}", path.display());
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

#[test]
fn damaged_recordings_never_stop_a_reader() {
    let pieces: [&[u8]; 12] = [
        b"\"", b"\\", b"{", b"}", b"[", b"]", b"\n", b"\0", b"\xff", b"null", b"-1e999", b"\\ud800",
    ];
    let mut dice = Dice(1);
    for (own, _, bytes) in fixtures() {
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            for _ in 0..=dice.below(6) {
                let (at, length) = (dice.below(damaged.len()), dice.below(12));
                let end = (at + length).min(damaged.len());
                let piece = pieces[dice.below(pieces.len())];
                damaged.splice(at..end, piece.iter().copied());
            }
            told(own, &damaged);
            // Whoever is wrong about the format must not stop either.
            let other = Format::ALL[dice.below(Format::ALL.len())];
            told(other, &damaged);
            let _ = Format::detect(&damaged);
        }
    }
}

#[test]
fn a_document_that_is_cut_anywhere_tells_what_stands_before_the_cut() {
    let calls = |told: &str| told.lines().filter(|line| line.contains(" call ")).count();
    for (format, path, bytes) in fixtures() {
        if !is_document(format, &path) {
            continue;
        }
        let whole = calls(&told(format, &bytes));
        let mut most = 0;
        for cut in (0..bytes.len()).step_by(31) {
            let told = told(format, &bytes[..cut]);
            let here = calls(&told);
            assert!(here <= whole, "{} at {cut}:\n{told}", path.display());
            most = most.max(here);
        }
        // An archive is nothing without its end, and these two are read all or nothing.
        let all_or_nothing = bytes.starts_with(b"PK")
            || matches!(format, Format::GeminiCliDocument | Format::OpenCode);
        assert!(all_or_nothing || most + 2 >= whole, "{}", path.display());
    }
}

#[test]
fn hostile_nesting_is_survived_by_every_format() {
    const TIMES: usize = 5_000;
    let bricks = [
        "[",
        "{\"body\":",
        "{\"history\":[",
        "{\"messages\":[",
        "{\"steps\":[",
        "{\"attempts\":[",
    ];
    for format in Format::ALL {
        for brick in bricks {
            let open = brick.repeat(TIMES);
            let closed: String = open
                .chars()
                .rev()
                .filter_map(|bracket| match bracket {
                    '[' => Some(']'),
                    '{' => Some('}'),
                    _ => None,
                })
                .collect();
            for text in [
                open.clone(),
                format!("{open}1{closed}"),
                format!("[1,\n{open}1{closed}]"),
            ] {
                let told = told(*format, text.as_bytes());
                assert!(!told.contains(" call "), "{format}");
            }
        }
    }
}
