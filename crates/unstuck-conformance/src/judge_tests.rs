use serde_json::json;

use super::*;
use crate::Vectors;

/// Judges a preset case with these expectations against these decisions.
fn judge_preset(expect: &Value, decisions: &[Value]) -> Result<(), String> {
    let events: Vec<_> = (0..decisions.len())
        .map(|at| json!({"event": "call", "id": at, "tool": "t", "args": {"a": 1}}))
        .collect();
    let row = json!({"id": "p", "preset": "x", "events": events, "expect": expect}).to_string();
    let Vectors::Preset(cases) = Vectors::parse(&row).unwrap() else {
        panic!("no preset case: {row}");
    };
    preset(&cases[0], decisions)
}

/// Judges a reported case. `kinds` are the events, `verdicts` the decisions on them.
fn judge_reported(expect: &Value, kinds: &[&str], verdicts: &[&str]) -> Result<(), String> {
    let events: Vec<_> = kinds.iter().map(|kind| json!({"event": kind})).collect();
    let row = json!({"id": "r", "events": events, "expect": expect}).to_string();
    let Vectors::Reported(cases) = Vectors::parse(&row).unwrap() else {
        panic!("no reported case: {row}");
    };
    let decisions: Vec<_> = verdicts
        .iter()
        .map(|verdict| json!({"verdict": verdict, "rule": "cycle"}))
        .collect();
    reported(&cases[0], &decisions)
}

const CALLS: [&str; 4] = ["call"; 4];

#[test]
fn only_expected_fields_are_compared() {
    let decisions = [json!({"line": 1, "verdict": "nudge", "level": 2, "rule": "cycle"})];
    let judge = |expect| judge_preset(&json!([expect]), &decisions);
    assert_eq!(judge(json!({"verdict": "nudge"})), Ok(()));
    assert_eq!(judge(json!({"verdict": "nudge", "level": 2.0})), Ok(()));
    assert_eq!(
        judge(json!({"level": 1})),
        Err(concat!(
            r#"event 0 (call t {"a":1}): expected {"level":1}, "#,
            r#"got {"verdict":"nudge","level":2,"rule":"cycle"}"#
        )
        .to_owned())
    );
}

#[test]
fn null_equals_a_missing_field_and_nothing_else() {
    let expect = json!([{"status": null}]);
    assert_eq!(
        judge_preset(&expect, &[json!({"verdict": "allow"})]),
        Ok(())
    );
    assert_eq!(judge_preset(&expect, &[json!({"status": null})]), Ok(()));
    assert!(judge_preset(&expect, &[json!({"status": "LOOP_DETECTED"})]).is_err());
    assert!(judge_preset(&expect, &[json!({"status": false})]).is_err());
    assert!(judge_preset(&expect, &[json!(null)]).is_err());
}

#[test]
fn a_bool_is_not_a_number() {
    assert!(judge_preset(&json!([{"level": true}]), &[json!({"level": 1})]).is_err());
}

#[test]
fn message_texts_are_found_in_any_case() {
    let decisions = [json!({"verdict": "nudge", "message": "You called READ_FILE 3 times"})];
    let judge = |texts| judge_preset(&json!([{"message_has": texts}]), &decisions);
    assert_eq!(judge(json!(["read_file", "3 TIMES"])), Ok(()));
    assert!(judge(json!(["read_file", "four"])).is_err());
    assert!(judge(json!("read_file")).is_err());
}

#[test]
fn a_case_with_too_few_decisions_fails_at_the_first_missing_one() {
    let row = json!({
        "id": "p", "preset": "x",
        "events": [{"event": "turn"}, {"event": "turn"}],
        "expect": [{"verdict": "allow"}, {"verdict": "allow"}],
    })
    .to_string();
    let Vectors::Preset(cases) = Vectors::parse(&row).unwrap() else {
        panic!("no preset case");
    };
    assert_eq!(
        preset(&cases[0], &[json!({"verdict": "allow"})]),
        Err(r#"event 1 (turn): expected {"verdict":"allow"}, got nothing"#.to_owned())
    );
}

#[test]
fn a_case_with_more_events_than_expectations_is_broken() {
    let error = judge_preset(&json!([]), &[json!({"verdict": "allow"})]).unwrap_err();
    assert_eq!(
        error,
        "the vector itself is broken: 1 events, 0 expectations"
    );
}

#[test]
fn max_holds_everywhere() {
    let expect = json!({"max": "nudge"});
    let judge = |last| judge_reported(&expect, &CALLS, &["allow", "nudge", "allow", last]);
    assert_eq!(judge("nudge"), Ok(()));
    assert_eq!(
        judge("deny"),
        Err("event 3 (call), call 4: at most nudge allowed, got deny (cycle)".to_owned())
    );
}

#[test]
fn nothing_but_allow_before_the_given_call() {
    let expect = json!({"no_nudge_before_call": 3});
    let judge = |verdicts| judge_reported(&expect, &CALLS, verdicts);
    assert_eq!(judge(&["allow", "allow", "nudge", "halt"]), Ok(()));
    assert_eq!(
        judge(&["allow", "nudge", "nudge", "halt"]),
        Err("event 1 (call), call 2: nudge (cycle) before call 3".to_owned())
    );
}

#[test]
fn deadlines_count_units_from_the_start_of_the_loop() {
    let judge = |expect, verdicts| judge_reported(&expect, &CALLS, verdicts);
    let late = &["allow", "allow", "allow", "nudge"];
    assert_eq!(judge(json!({"nudge_by": 4}), late), Ok(()));
    assert_eq!(judge(json!({"nudge_by": 3, "from_call": 1}), late), Ok(()));
    assert_eq!(
        judge(json!({"nudge_by": 3}), late),
        Err("nudge expected by call 3 of the loop: first at call 4".to_owned())
    );
    assert_eq!(
        judge(json!({"nudge_by": 4, "block_by": 4}), late),
        Err("deny or halt expected by call 4 of the loop: never".to_owned())
    );
}

#[test]
fn a_stricter_verdict_meets_a_lenient_deadline() {
    let expect = json!({"nudge_by": 2, "block_by": 2, "halt_by": 2});
    let verdicts = &["allow", "halt", "halt", "halt"];
    assert_eq!(judge_reported(&expect, &CALLS, verdicts), Ok(()));
}

#[test]
fn a_verdict_before_the_loop_meets_no_deadline() {
    let expect = json!({"nudge_by": 2, "from_call": 2});
    let verdicts = &["nudge", "nudge", "allow", "allow"];
    assert_eq!(
        judge_reported(&expect, &CALLS, verdicts),
        Err("nudge expected by call 2 of the loop: never".to_owned())
    );
}

#[test]
fn a_nudge_with_the_result_counts_for_its_call() {
    let expect = json!({"nudge_by": 1});
    let kinds = ["call", "result", "turn"];
    let verdicts = &["allow", "nudge", "allow"];
    assert_eq!(judge_reported(&expect, &kinds, verdicts), Ok(()));
}

#[test]
fn once_blocked_every_call_must_be_but_not_its_result() {
    let expect = json!({"all_blocked_from": 2});
    let kinds = ["call", "call", "result", "call"];
    let judge = |verdicts| judge_reported(&expect, &kinds, verdicts);
    assert_eq!(judge(&["allow", "deny", "allow", "halt"]), Ok(()));
    assert_eq!(
        judge(&["allow", "deny", "allow", "nudge"]),
        Err("event 3 (call), call 3 of the loop: must be deny or halt, got nudge".to_owned())
    );
}

#[test]
fn texts_can_be_the_unit() {
    let expect = json!({"unit": "text", "nudge_by": 2});
    let kinds = ["text", "call", "text"];
    let verdicts = &["allow", "allow", "nudge"];
    assert_eq!(judge_reported(&expect, &kinds, verdicts), Ok(()));
}

#[test]
fn an_error_or_silence_is_no_decision() {
    let expect = json!({"max": "halt"});
    assert_eq!(
        judge_reported(&expect, &["call"], &["maybe"]),
        Err(r#"event 0 (call): no decision, got {"verdict":"maybe","rule":"cycle"}"#.to_owned())
    );
    assert_eq!(
        judge_reported(&expect, &["call"], &[]),
        Err("event 0 (call): no decision, got nothing".to_owned())
    );
}
