use super::*;
use crate::{
    Engine, Event, Preset,
    fingerprint::Mark,
    options::Template,
    rules::{Compared, Detection, RuleName, TextFacts},
    settings::TextSet,
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
pub(super) fn all_facts() -> Vec<TextFacts> {
    let mut all = Vec::new();
    for outcome in [None, Some(""), Some("text")] {
        for flags in 0..24 {
            all.push(TextFacts {
                outcome: outcome.map(Into::into),
                ahead: flags & 1 != 0,
                results_missing: flags & 2 != 0,
                file_operation: flags & 4 != 0,
                compared: match flags >> 3 {
                    0 => Compared::Same,
                    1 => Compared::Differ,
                    _ => Compared::DifferInARow,
                },
                ..TextFacts::default()
            });
        }
    }
    all
}

/// Detections for every text of a rule.
pub(super) fn all_detections(rule: RuleName) -> Vec<Found> {
    let others = rule.other_texts().iter().copied().map(Some);
    let mut all = Vec::new();
    for text in others.chain([None]) {
        for facts in all_facts() {
            let mut detection = Detection::new(3, 1, Mark::default(), "read_file a");
            detection.facts = facts;
            detection.text = text;
            all.push(Found { rule, detection });
        }
    }
    all
}

/// Settings under which every rule with thresholds can deny a call.
pub(super) fn all_deny() -> Settings {
    let mut settings = serde_json::to_value(Settings::default()).unwrap();
    for (_, rule) in settings["rules"].as_object_mut().unwrap() {
        if rule.get("deny").is_some() {
            rule["deny"] = 20.into();
        }
    }
    serde_json::from_value(settings).unwrap()
}

#[test]
fn a_message_never_passes_for_the_system() {
    let settings = all_deny();
    for rule in RuleName::ALL {
        for occasion in [
            Occasion::Notice,
            Occasion::Warning,
            Occasion::Critical,
            Occasion::Deny,
            Occasion::Halt,
        ] {
            for found in all_detections(*rule) {
                for set in [
                    TextSet::Standard,
                    TextSet::Ironcurtain,
                    TextSet::Attractor,
                    TextSet::Attocode,
                ] {
                    let text = match set.text(*rule, occasion, &found.detection.facts) {
                        Some(text) => text.to_owned(),
                        None => standard(&settings, &found, occasion).concat(),
                    };
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
fn a_limit_and_its_seconds_are_those_of_the_rule() {
    let settings = Settings::default();
    let filled = |rule, text| {
        let detection = Detection::new(3, 0, Mark::default(), None);
        let mut filled = String::new();
        let found = Found { rule, detection };
        render(Piece::of(text), &settings, &found, &mut filled);
        filled
    };
    let text = "{limit} in {seconds} s";
    assert_eq!(filled(RuleName::CallBurst, text), "20 in 60 s");
    assert_eq!(filled(RuleName::ExactRepeat, text), " in  s");
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
    cut(&mut text, 10);
    assert_eq!(text, "é".repeat(9) + "…");
    let mut short = "abc".to_owned();
    cut(&mut short, 3);
    assert_eq!(short, "abc");
}
