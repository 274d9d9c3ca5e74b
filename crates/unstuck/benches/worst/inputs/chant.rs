//! Inputs of the part `chant`: texts of models that are searched for repetition.

use std::fmt::Write as _;

use serde_json::json;

use super::{Input, events, of, random_words, repeat, text, word};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "chant";
    const ROUND: &str = "I should check whether the token is refreshed before the request is signed, because the order of these steps decides";
    vec![
        of(PART, "one-letter", |size| text(&"a".repeat(size))),
        of(PART, "random-letters", |size| {
            text(&random_words(size, 1, 1))
        }),
        of(PART, "random-words", |size| text(&random_words(size, 3, 9))),
        of(PART, "longest-period", |size| {
            text(&repeat(&random_words(1_007, 1, 7), size))
        }),
        of(PART, "period-beyond-the-longest", |size| {
            text(&repeat(&random_words(1_030, 1, 7), size))
        }),
        of(PART, "laps-that-break-off", |size| {
            let lap = random_words(60, 2, 5);
            text(&repeat(
                &format!("{}{}", lap.repeat(3), random_words(40, 2, 5)),
                size,
            ))
        }),
        of(PART, "four-periods-at-once", |size| {
            text(&repeat(
                &format!("{}{}", "ab".repeat(8), "ab ab abc".repeat(5)),
                size,
            ))
        }),
        of(PART, "paraphrases", |size| {
            let mut said = String::new();
            let mut at = 0;
            while said.len() < size {
                at += 1;
                let _ = write!(said, "{} {ROUND} {}. ", word(at), word(at * 7));
            }
            text(&said)
        }),
        of(PART, "passages-with-names", |size| {
            let mut said = String::new();
            let mut at = 0;
            while said.len() < size {
                at += 1;
                let _ = write!(said, "{ROUND} in src/{}.rs. ", word(at % 17));
            }
            text(&said)
        }),
        of(PART, "many-short-words", |size| {
            text(&random_words(size, 1, 2))
        }),
        of(PART, "signs", |size| text(&repeat("-=#|`* _:/", size))),
        of(PART, "code-blocks", |size| {
            text(&repeat("```\na\n```\n", size))
        }),
        of(PART, "tables", |size| text(&repeat("| a | 1 |\n", size))),
        of(PART, "ideographs", |size| {
            text(&repeat("\u{4e00}\u{4e8c}\u{4e09}", size))
        }),
        of(PART, "one-letter-an-event", |size| {
            let mut lines = Vec::new();
            let mut bytes = 0;
            while bytes < size {
                let line = json!({"event": "text", "text": "a"}).to_string();
                bytes += line.len();
                lines.push(line);
            }
            events(Vec::new(), lines)
        }),
        of(PART, "one-random-letter-an-event", |size| {
            let line = |letter: char| json!({"event": "text", "text": letter}).to_string();
            let letters = random_words(size / 27, 1, 5);
            events(Vec::new(), letters.chars().map(line).collect())
        }),
        of(PART, "short-turns", |size| {
            let said = json!({"event": "text", "text": ROUND}).to_string();
            let turn = json!({"event": "turn"}).to_string();
            let count = size / (said.len() + turn.len());
            events(
                Vec::new(),
                [said, turn].into_iter().cycle().take(2 * count).collect(),
            )
        }),
    ]
}
