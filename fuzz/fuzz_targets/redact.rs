//! Any text is redacted without a panic, in one pass, in linear time; a planted secret is never left in it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck_text::{Shown, find_secrets, redact, redact_excerpt};

#[path = "../../crates/unstuck-text/tests/data/shapes.rs"]
mod shapes;

/// Texts whose secret no surroundings may hide. A UUID is not one of them: behind `id` it is an id.
const PLANTED: [&str; 5] = [
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "sk-ant-api03-Zk3pQ9vXw7LmN2bVc8RtY5uI1oP4aSdF6gH",
    "AKIAQ7ZT3MWXK2N5R8VJ",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0",
];

fuzz_target!(|text: &str| {
    let once = redact(text);
    assert_eq!(redact(&once), once, "redacting twice differs from redacting once");
    let found = find_secrets(text);
    assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
    let excerpt = redact_excerpt(text, 80);
    assert!(excerpt.len() <= text.len() + 10 * found.len() + 1_024);
    let shown = Shown::line(text).to_string();
    assert!(!shown.chars().any(char::is_control));
    for secret in PLANTED {
        let planted = format!("{text} {secret} {text}");
        assert!(!redact(&planted).contains(secret), "{planted:?}");
    }
    if let Some(shape) = shapes::all().get(text.len() % 200) {
        let planted = format!("{text}\n\n{}\n\n{text}", shape.text);
        // What stands before may be an open quote or a block that swallows the shape, but it never uncovers the secret.
        let clean = redact(&planted);
        let plain = redact(&shape.text);
        assert!(
            shape.secrets.iter().all(|secret| !clean.contains(&**secret) || plain.contains(&**secret) || text.contains(&**secret)),
            "{planted:?} -> {clean:?}"
        );
    }
});
