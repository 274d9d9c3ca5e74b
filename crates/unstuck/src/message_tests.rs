use super::*;
use crate::{
    Engine, Event, Preset,
    rules::{Compared, Facts, Wording},
};

/// All messages that a preset gives for these lines, in order.
fn messages(preset: Preset, lines: &[&str]) -> Vec<String> {
    let mut engine = Engine::new(Settings::of(preset));
    let decide = |line: &&str| {
        let decision = engine.observe(Event::parse(line.as_bytes()).unwrap());
        decision.message().map(str::to_owned)
    };
    lines.iter().filter_map(decide).collect()
}

fn assert_says(message: &str, phrases: &[&str]) {
    for phrase in phrases {
        assert!(
            message.contains(phrase),
            "`{phrase}` is missing in: {message}"
        );
    }
}

#[test]
fn ironcurtain_says_its_fixed_words() {
    let same = [r#"{"event":"step","code":"c","output":"r"}"#; 6];
    let said = messages(Preset::Ironcurtain, &same);
    assert_says(
        &said[0],
        &[
            "WARNING",
            "fundamentally different approach",
            "(3/5 before block)",
        ],
    );
    assert_says(&said[1], &["(4/5 before block)"]);
    let blocked = [
        "LOOP DETECTED",
        "repeating the same code with the same result",
        "Execution is now blocked. Summarize",
        "and stop.",
    ];
    assert_says(&said[2], &blocked);

    let steps: Vec<String> = (0..9)
        .map(|n| format!(r#"{{"event":"step","code":"c{n}","output":"r"}}"#))
        .collect();
    let lines: Vec<&str> = steps.iter().map(String::as_str).collect();
    let said = messages(Preset::Ironcurtain, &lines);
    assert_says(
        &said[0],
        &[
            "WARNING",
            "Re-examine your assumptions",
            "(5/8 before block)",
        ],
    );
    assert_says(
        &said[3],
        &[
            "LOOP DETECTED",
            "different approaches but getting the same result",
        ],
    );

    let call = [r#"{"event":"call","id":"1","tool":"fs__read","args":{}}"#; 21];
    let said = messages(Preset::Ironcurtain, &call);
    assert_says(
        &said[0],
        &[
            "CIRCUIT BREAKER:",
            "'fs__read'",
            "20 times",
            "within 60s window",
            "Try a different approach.",
        ],
    );
}

#[test]
fn attocode_grows_urgent() {
    let call = [r#"{"event":"call","id":"1","tool":"read_file","args":{"path":"a"}}"#; 7];
    let said = messages(Preset::Attocode, &call);
    assert_says(&said[0], &["read_file", "3 times", "stuck state"]);
    assert!(!said[0].contains("WARNING") && !said[0].contains("CRITICAL"));
    assert_says(&said[1], &["WARNING", "4 "]);
    assert_says(&said[3], &["CRITICAL", "doom loop", "rejected"]);
    assert_says(&said[4], &["Rejected", "not run"]);
}

#[test]
fn attractor_lists_the_calls_and_then_alternatives() {
    let a = r#"{"event":"call","id":"1","tool":"edit_file","args":{"path":"a"}}"#;
    let b = r#"{"event":"call","id":"2","tool":"run_tests","args":{}}"#;
    let said = messages(Preset::Attractor, &[a, b, a, b, a, b, a, b]);
    assert_says(
        &said[0],
        &[
            "Loop detected",
            "2 times",
            "1. edit_file a",
            "2. run_tests",
            "different approach",
        ],
    );
    assert_says(&said[1], &["Loop detected again", "(1)", "(4)"]);
    assert_says(&said[2], &["LOOP_DETECTED"]);
}

/// Facts for every text there is.
pub(super) fn all_facts() -> Vec<Facts> {
    let mut all = Vec::new();
    for wording in [
        Wording::Usual,
        Wording::FileOperation,
        Wording::Shell,
        Wording::SeveralErrors,
        Wording::MostFail,
        Wording::Fruitless,
        Wording::Steps,
        Wording::KnownResults,
        Wording::AnyFailure,
        Wording::AfterBurst,
        Wording::Requests,
    ] {
        for outcome in [None, Some(""), Some("text")] {
            for flags in 0..12 {
                all.push(Facts {
                    wording,
                    outcome: outcome.map(Into::into),
                    ahead: flags & 1 != 0,
                    results_missing: flags & 2 != 0,
                    compared: match flags >> 2 {
                        0 => Compared::Same,
                        1 => Compared::Differ,
                        _ => Compared::DifferInARow,
                    },
                    ..Facts::default()
                });
            }
        }
    }
    all
}

#[test]
fn a_message_never_passes_for_the_system() {
    for preset in Preset::ALL {
        for rule in RuleName::ALL {
            for occasion in [
                Occasion::Notice,
                Occasion::Warning,
                Occasion::Critical,
                Occasion::Deny,
                Occasion::Halt,
            ] {
                for facts in all_facts() {
                    let words = words::built_in(preset, *rule, occasion, &facts, true);
                    let text: String = words.parts().collect();
                    assert!(!text.to_lowercase().contains("[system"), "{text}");
                    assert!(!text.is_empty());
                    assert!(Template::new(text.clone()).is_ok(), "{text}");
                    assert!(
                        text.chars().count() < 560,
                        "leaves room for what is quoted: {text}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_template_is_checked_when_it_is_made() {
    let error = |text: &str| Template::new(text).unwrap_err().to_string();
    assert!(error("{nope}").starts_with("unknown placeholder `{nope}`; known are block, count"));
    assert_eq!(
        error("a { b"),
        "a `{` without its `}`; write `{{` for the brace itself"
    );
    assert_eq!(error(" "), "the text is empty");
    assert_eq!(
        error(&"x".repeat(1_001)),
        "the text has 1001 characters, at most 1000 are allowed"
    );
    assert_eq!(
        error("}"),
        "a `{` without its `}`; write `{{` for the brace itself"
    );
}

#[test]
fn a_cut_text_ends_in_an_ellipsis() {
    let mut text = "é".repeat(20);
    template::cut(&mut text, 10);
    assert_eq!(text, "é".repeat(9) + "…");
    let mut short = "abc".to_owned();
    template::cut(&mut short, 3);
    assert_eq!(short, "abc");
}
