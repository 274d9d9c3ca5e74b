//! Inputs of the part `rewording`: calls that are compared with rephrased ones.

use serde_json::json;

use super::{
    Input, Load, call, call_line, mixed, of, random_words, random_words_of, streamed, word,
};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "rewording";
    vec![
        of(PART, "many-words-in-queries", |size| {
            let mut random = 0;
            let mut query = || {
                random += 1;
                let words: Vec<String> = (0..600)
                    .map(|at| word(mixed(random * 1_000 + at)))
                    .collect();
                words.join(" ")
            };
            let texts: Vec<String> = (0..size.div_ceil(4_000)).map(|_| query()).collect();
            let args = texts
                .into_iter()
                .map(|text| json!({"query": text}))
                .collect::<Vec<_>>();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "one-letter-words", |size| {
            let count = size / 4_040;
            let args: Vec<_> = (0..count.max(1))
                .map(|at| json!({"query": random_words_of(4_000.min(size), 1, 1, at as u64)}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "ideographs-in-queries", |size| {
            let text: String = (0..1_300)
                .map(|at| char::from_u32(0x4e00 + (mixed(at) % 20_000) as u32).unwrap())
                .collect();
            let args: Vec<_> = (0..size.div_ceil(3_930))
                .map(|_| json!({"query": text}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "elements-of-queries", |size| {
            let args: Vec<_> = (0..size.div_ceil(4_010))
                .map(|_| json!({"query": vec!["a"; 1_000]}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "queries-just-too-long", |size| {
            let args: Vec<_> = (0..size.div_ceil(4_210))
                .map(|_| json!({"query": "a b ".repeat(1_050)}))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "nearly-sentences", |size| {
            let args: Vec<_> = (0..size.div_ceil(4_000))
                .map(|_| "1 ".repeat(2_000))
                .collect();
            call("search", &json!({ "all": args }))
        }),
        of(PART, "one-tool-with-a-text", |size| {
            call("search", &json!(random_words(size, 2, 6)))
        }),
        of(PART, "groups-with-equal-frames", |size| groups(size, 24)),
        of(PART, "groups-with-near-equal-words", |size| {
            groups(size, 30)
        }),
        of(PART, "groups-with-few-equal-words", |size| groups(size, 8)),
        of(PART, "messages-to-agents", |size| {
            let line = |at: u64| {
                let text = format!("{} {}", random_words_of(300, 3, 7, 1), word(at));
                call_line(
                    at,
                    "send_message",
                    &json!({"recipient": "b", "message": text}),
                )
            };
            streamed(size, 200, line)
        }),
        of(PART, "a-long-message", |size| {
            call(
                "send_message",
                &json!({"recipient": "b", "message": random_words(size, 1, 6)}),
            )
        }),
    ]
}

/// Searches whose words are half the same, so that each is compared with all groups and belongs to none.
fn groups(size: usize, same: u64) -> Load {
    let shared: Vec<String> = (0..same).map(word).collect();
    let shared = shared.join(" ");
    streamed(size, 200, |at| {
        let own: Vec<String> = (0..48 - same)
            .map(|own| word(mixed(at * 64 + own)))
            .collect();
        let query = format!("{shared} {}", own.join(" "));
        call_line(at, "search", &json!({ "query": query }))
    })
}
