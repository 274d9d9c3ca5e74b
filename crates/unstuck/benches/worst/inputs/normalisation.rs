//! Inputs of the part `normalisation`: texts of results that are normalised.

use super::{Input, members, of, repeat, repeat_array, said, said_json};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "normalisation";
    vec![
        of(PART, "one-long-word", |size| said(&"a1".repeat(size / 2))),
        of(PART, "words-just-not-identifiers", |size| {
            said(&repeat(&format!("{}_ ", "aB1".repeat(1_300)), size))
        }),
        of(PART, "digits-and-separators", |size| {
            said(&repeat("1:1.1-1/1,", size))
        }),
        of(PART, "time-prefixes", |size| {
            said(&repeat(
                "2026-11-15 2026-11-15T09:0 09:01: Nov 15 9:6 ",
                size,
            ))
        }),
        of(PART, "times", |size| said(&repeat("09:01:02 ", size))),
        of(PART, "dates-and-spaces", |size| {
            said(&repeat("2026-11-15                    ", size))
        }),
        of(PART, "long-durations", |size| {
            said(&repeat(&format!("1m {} ", "1".repeat(200)), size))
        }),
        of(PART, "nearly-bars", |size| {
            said(&repeat(&format!("{}1%", "-=".repeat(384)), size))
        }),
        of(PART, "nearly-temporary-paths", |size| {
            said(&repeat("/var/folders/a/b/c/abcdef/tmp/", size))
        }),
        of(PART, "long-temporary-paths", |size| {
            said(&repeat(&format!("/tmp/{}", "a-".repeat(64)), size))
        }),
        of(PART, "colours", |size| said(&repeat("\u{1b}[31m1", size))),
        of(PART, "overwritten-lines", |size| {
            said(&repeat("10%\r", size))
        }),
        of(PART, "backslashes", |size| {
            said(&repeat("\\\\\\\\\\\\1", size))
        }),
        of(PART, "one-run-of-backslashes", |size| {
            said(&format!("{}u001b", "\\".repeat(size)))
        }),
        of(PART, "line-breaks-and-notes", |size| {
            said(&repeat("\n\n\n[unstuck] 1\n  2\n", size))
        }),
        of(PART, "uuid-groups", |size| {
            said(&repeat("abcd-1bcd-", size))
        }),
        of(PART, "members", |size| said_json(&members("id", size))),
        of(PART, "volatile-members", |size| {
            said_json(&repeat_array(r#"{"requestId":"aaaaaaaaaaaaaaaa"}"#, size))
        }),
        of(PART, "members-in-text", |size| {
            said(&repeat(r#""id": "1","pid":  -"#, size))
        }),
    ]
}
