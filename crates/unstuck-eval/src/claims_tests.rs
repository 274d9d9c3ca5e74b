use super::*;
use crate::messages::without_quotes;

/// Every text of the standard preset, as the engine writes it.
const TEXTS: &str = include_str!("../../unstuck/src/message/texts.snap");

fn texts() -> impl Iterator<Item = &'static str> {
    TEXTS
        .split("\n\n")
        .filter_map(|paragraph| Some(paragraph.split_once("\n[unstuck] ")?.1))
}

fn read(message: &str) -> Result<Vec<Claim>, UnknownForm> {
    let (text, _) = without_quotes(message);
    claims(&words(&text))
}

#[test]
fn every_number_of_every_text_belongs_to_a_form() {
    let unknown: Vec<_> = texts().filter_map(|text| read(text).err()).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert_eq!(
        read("Warning: 7 rounds were made."),
        Err(UnknownForm("Warning: 7 rounds were made.".to_owned()))
    );
}

#[test]
fn texts_about_repeats_and_failures_are_counted_again() {
    let all: Vec<Claim> = texts().flat_map(|text| read(text).unwrap()).collect();
    for about in [
        About::Equal,
        About::EqualInARow,
        About::Burst,
        About::Alike,
        About::Known,
        About::Failed,
        About::Fruitless,
        About::FailedInARow,
        About::Refused,
    ] {
        assert!(all.iter().any(|claim| claim.about == about), "{about:?}");
    }
    let rules = ["exact-repeat", "near-repeat", "poll", "invalid-call"];
    for paragraph in TEXTS.split("\n\n") {
        let Some((head, text)) = paragraph.split_once("\n[unstuck] ") else {
            continue;
        };
        let told = read(text).unwrap();
        let told = told.iter().any(|claim| claim.about == About::Told);
        let again = rules
            .iter()
            .any(|rule| head.contains(&format!(", {rule}, ")));
        assert!(!(again && told), "held against `repeats`: {text}");
    }
}

/// A run of calls: tool, command, result, and whether it failed.
fn run(calls: &[(&str, &str, bool)]) -> Trajectory {
    let step = |(command, result, error): &(&str, &str, bool)| {
        serde_json::json!({
            "role": "assistant", "tool": "bash", "args": {"command": command}, "result": result, "error": error,
        })
    };
    let steps: Vec<_> = calls.iter().map(step).collect();
    let line = serde_json::json!({"id": "r", "set": "s", "label": {}, "steps": steps});
    Trajectory::parse(line.to_string().as_bytes()).unwrap()
}

#[track_caller]
fn check(run: &Trajectory, to: To, text: &str, right: bool) {
    // No count may pass because the decision says so as well.
    let repeats = claims(&words(text)).unwrap()[0].count;
    let repeats = u32::try_from(repeats).unwrap();
    let last = run.steps.len() - 1;
    assert_eq!(are_right(run, last, to, text, repeats), right, "{text}");
}

#[test]
fn failures_are_counted_again() {
    let run = run(&[
        ("a", "no", true),
        ("b", "yes", false),
        ("a", "no", true),
        ("c", "no", true),
    ]);
    check(&run, To::Result, "3 of the last 4 calls failed.", true);
    check(&run, To::Result, "4 of the last 4 calls failed.", false);
    check(&run, To::Result, "2 of the last 4 calls failed.", false);
    check(&run, To::Call, "2 of the last 3 calls failed.", true);
    check(&run, To::Result, "2 calls in a row failed with", true);
    check(&run, To::Result, "3 calls in a row failed with", false);
    let fruitless = "of the last 4 calls failed or returned nothing new";
    check(&run, To::Result, &format!("3 {fruitless}"), true);
    check(&run, To::Result, &format!("4 {fruitless}"), false);
    let known = "of the last 4 calls repeated an earlier call";
    check(&run, To::Result, &format!("1 {known}"), true);
    check(&run, To::Result, &format!("2 {known}"), false);
    let refused = "calls of bash were refused with the same error";
    check(&run, To::Result, &format!("3 {refused}"), true);
    check(&run, To::Result, &format!("4 {refused}"), false);
    check(&run, To::Call, &format!("3 {refused}"), false);
}

#[test]
fn repeats_are_counted_again() {
    let run = run(&[
        ("a", "one, 3 s", false),
        ("b", "two", false),
        ("a", "one, 4 s", false),
        ("a", "one, 4 s", false),
        ("a", "one, 4 s", false),
    ]);
    for (count, right) in [(2, false), (3, true), (4, true), (5, false)] {
        let text = format!("returned the same result {count} times: .");
        check(&run, To::Result, &text, right);
        let text = format!("{count} equal calls of were made, and every result was the same");
        check(&run, To::Result, &text, right);
        check(&run, To::Call, &text, right);
    }
    check(
        &run,
        To::Call,
        "3 equal calls of were made one after another",
        true,
    );
    check(
        &run,
        To::Call,
        "4 equal calls of were made one after another",
        false,
    );
    for (count, right) in [(4, true), (5, false)] {
        let text = format!("{count} calls like returned the same result");
        check(&run, To::Result, &text, right);
    }
    check(&run, To::Result, "5 calls like were made", true);
    check(&run, To::Result, "6 calls like were made", false);
    let burst = "equal calls of were made within 60 seconds";
    check(&run, To::Call, &format!("4 {burst}"), true);
    check(&run, To::Call, &format!("5 {burst}"), false);
}

#[test]
fn equal_calls_with_other_results_do_not_share_one() {
    let run = run(&[
        ("a", "one", false),
        ("a", "two", false),
        ("a", "two", false),
    ]);
    check(&run, To::Result, "returned the same result 2 times", true);
    check(&run, To::Result, "returned the same result 3 times", false);
    check(&run, To::Result, "3 equal calls of were made", true);
}

#[test]
fn other_counts_are_held_against_repeats() {
    let run = run(&[("a", "one", false)]);
    let right = |text, repeats| are_right(&run, 0, To::Result, text, repeats);
    assert!(right("3 test runs in a row failed", 3));
    assert!(!right("3 test runs in a row failed", 4));
    assert!(right("no number at all", 4));
    assert!(!right("5 attempts", 5), "a form that is not known");
}
