//! What decisions advise beside their verdict.

use unstuck::{Advice, Decision, Mode, Preset, Settings, Verdict};

use super::{Halt, Nudge, Run};

/// The first decisions of each verdict above `allow`, of equal calls.
fn repeats(settings: Settings) -> Vec<Decision> {
    let mut run = Run::with(settings);
    let mut first: Vec<Decision> = Vec::new();
    for _ in 0..12 {
        let call = run.call("read_file", r#"{"path":"a"}"#);
        let result = run.result("ok", r#""all there is""#);
        let turn = run.send(r#"{"event":"turn"}"#);
        for decision in [call, result, turn] {
            let verdict = decision.would.unwrap_or(decision.verdict);
            let known = first
                .iter()
                .any(|known| known.would.unwrap_or(known.verdict) == verdict);
            if verdict > Verdict::Allow && !known {
                first.push(decision);
            }
        }
    }
    first
}

#[test]
fn a_repeat_may_be_collapsed_and_a_halt_escalated() {
    let all = repeats(Settings::of(Preset::Standard));
    let advice: Vec<_> = all.iter().map(|one| (one.verdict, one.advice)).collect();
    assert_eq!(
        advice,
        [
            (Nudge, Some(Advice::Collapse)),
            (Verdict::Deny, Some(Advice::Collapse)),
            (Halt, Some(Advice::Escalate)),
        ]
    );
}

#[test]
fn advice_is_given_in_observe_mode_too() {
    let mut settings = Settings::of(Preset::Standard);
    settings.mode = Mode::Observe;
    let all = repeats(settings);
    assert!(all.iter().all(|one| one.verdict == Verdict::Allow));
    assert_eq!(all[0].advice, Some(Advice::Collapse));
}

#[test]
fn an_allow_advises_nothing() {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..2 {
        assert_eq!(run.call("read_file", r#"{"path":"a"}"#).advice, None);
        // The second result is found and allowed.
        assert_eq!(run.result("ok", r#""all there is""#).advice, None);
        run.send(r#"{"event":"turn"}"#);
    }
}

#[test]
fn a_halted_run_advises_to_escalate_again_and_again() {
    let mut run = Run::of(Preset::Standard);
    while run.read("a") < Halt {}
    assert_eq!(
        run.send(r#"{"event":"user"}"#).advice,
        Some(Advice::Escalate)
    );
}

#[test]
fn advice_is_one_word_on_the_wire() {
    let all = repeats(Settings::of(Preset::Standard));
    let line = serde_json::to_value(&all[2]).unwrap();
    assert_eq!(line["advice"], "escalate");
    let words = [
        Advice::Escalate,
        Advice::AskUser,
        Advice::Summarise,
        Advice::Collapse,
    ];
    for advice in words {
        assert_eq!(serde_json::to_value(advice).unwrap(), advice.as_str());
    }
    let allowed = serde_json::to_value(Decision::allow(1, "s", "main")).unwrap();
    assert_eq!(allowed.get("advice"), None);
}
