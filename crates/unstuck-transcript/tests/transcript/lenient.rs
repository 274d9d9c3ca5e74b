//! Recordings that are not quite right.

use unstuck_transcript::{Format, Layout, Origin, Tail, Transcript};

use crate::told::{Told, fixtures, told};

/// Everything but the numbers of lines.
fn without_lines(told: &str) -> String {
    let lines = told.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(_, rest)| format!("{rest}\n")).collect()
}

#[test]
fn marks_line_ends_blank_lines_and_nul_bytes_change_nothing() {
    for (format, path, bytes) in fixtures() {
        if format.layout() == Layout::Document {
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
        if format.layout() == Layout::Document {
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
            assert!(
                problems(&told) <= problems(&whole),
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
        if format.layout() == Layout::Document {
            continue;
        }
        let deep = format!("{{\"x\":{}{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
        let told = told(format, &[deep.as_bytes(), &bytes].concat());
        assert!(told.starts_with("1 problem "), "{}", path.display());
        assert!(told.lines().nth(1).is_some(), "{}", path.display());
    }
}
