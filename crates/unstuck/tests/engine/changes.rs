//! `retry_after` and `transitions`: what a decision says beside its verdict.

use serde_json::{Value, json};
use unstuck::{Decision, Phase, Preset, Settings, Verdict, settings::Attendance};

use super::Run;

/// A timed call, with its result unless it is denied.
fn burst(run: &mut Run, at: i64, output: &str) -> (Decision, Option<Decision>) {
    run.calls += 1;
    let id = run.calls;
    let call = run.send(&format!(
        r#"{{"event":"call","id":{id},"tool":"queue","args":{{"name":"jobs"}},"at":{at}}}"#
    ));
    let result = call.permits().then(|| {
        run.send(&format!(
            r#"{{"event":"result","id":{id},"output":"{output}","at":{at}}}"#
        ))
    });
    (call, result)
}

fn changes(decision: &Decision) -> Vec<(Phase, Phase, &str)> {
    let changes = decision.transitions.iter();
    changes
        .map(|each| (each.from, each.to, &*each.of))
        .collect()
}

/// `standard` with `call-burst` alone.
fn breaker() -> Run {
    let mut settings = Settings::of(Preset::Standard);
    let options = settings.rules.call_burst.clone();
    settings.rules = Settings::of(Preset::Ironcurtain).rules;
    settings.rules.stagnation.enabled = false;
    settings.rules.stuck_outcome.enabled = false;
    settings.rules.call_burst = options;
    Run::with(settings)
}

#[test]
fn a_breaker_opens_probes_and_closes_and_says_when_to_try_again() {
    const BREAKER: &str = "call-burst";
    let mut run = breaker();
    for n in 0..20 {
        let (call, result) = burst(&mut run, n * 1_000, "same");
        // The first result is new, so that its call is not counted.
        assert_eq!(
            (changes(&call), result.unwrap().retry_after),
            (vec![], None)
        );
    }
    burst(&mut run, 20_000, "same");
    let (denied, _) = burst(&mut run, 21_000, "same");
    assert_eq!(denied.verdict, Verdict::Deny);
    // The second call, of second 1, leaves the window in second 61.
    assert_eq!(denied.retry_after, Some(40_000));
    assert_eq!(changes(&denied), [(Phase::Closed, Phase::Open, BREAKER)]);

    let (again, _) = burst(&mut run, 60_999, "same");
    assert_eq!((again.retry_after, changes(&again)), (Some(1), vec![]));

    let (probe, result) = burst(&mut run, 61_000, "same");
    assert_eq!(changes(&probe), [(Phase::Open, Phase::HalfOpen, BREAKER)]);
    assert_eq!(
        changes(&result.unwrap()),
        [(Phase::HalfOpen, Phase::Open, BREAKER)]
    );
    // Nothing new: closed for another window.
    let (denied, _) = burst(&mut run, 62_000, "same");
    assert_eq!(denied.retry_after, Some(59_000));

    let (probe, result) = burst(&mut run, 121_000, "new");
    assert_eq!(changes(&probe), [(Phase::Open, Phase::HalfOpen, BREAKER)]);
    assert_eq!(
        changes(&result.unwrap()),
        [(Phase::HalfOpen, Phase::Closed, BREAKER)]
    );
}

#[test]
fn a_breaker_without_half_open_closes_with_the_next_call_that_passes() {
    let mut run = Run::of(Preset::Ironcurtain);
    for n in 0..20 {
        burst(&mut run, n, "same");
    }
    let (denied, _) = burst(&mut run, 30, "same");
    assert_eq!(denied.retry_after, Some(59_970));
    assert_eq!(
        changes(&denied),
        [(Phase::Closed, Phase::Open, "call-burst")]
    );
    let (again, _) = burst(&mut run, 40, "same");
    assert_eq!(changes(&again), []);
    let (passed, _) = burst(&mut run, 60_000, "same");
    assert_eq!(
        changes(&passed),
        [(Phase::Open, Phase::Closed, "call-burst")]
    );
}

#[test]
fn without_time_nothing_is_said_about_it() {
    let mut run = Run::of(Preset::Ironcurtain);
    for _ in 0..20 {
        run.call("queue", "{}");
    }
    let denied = run.call("queue", "{}");
    assert_eq!((denied.verdict, denied.retry_after), (Verdict::Deny, None));
}

#[test]
fn a_poll_says_when_the_next_one_is_slow() {
    let mut run = Run::of(Preset::Standard);
    let (mut nudged, mut denied) = (None, None);
    for n in 0..20 {
        let at = n * 3_000;
        run.calls += 1;
        let id = run.calls;
        let call = run.send(&format!(
            r#"{{"event":"call","id":{id},"tool":"process","args":{{"action":"poll"}},"at":{at}}}"#
        ));
        if call.verdict == Verdict::Deny {
            denied.get_or_insert(call);
            continue;
        }
        let later = at + 400;
        let result = run.send(&format!(
            r#"{{"event":"result","id":{id},"output":"pending","at":{later}}}"#
        ));
        if result.verdict == Verdict::Nudge {
            nudged.get_or_insert(result);
        }
        run.send(&format!(r#"{{"event":"turn","at":{later}}}"#));
    }
    assert_eq!(nudged.unwrap().retry_after, Some(9_600));
    assert_eq!(denied.unwrap().retry_after, Some(7_000));
}

#[test]
fn a_halt_and_its_end_are_changes_of_the_run() {
    let mut run = Run::of(Preset::ToolLoopDetector);
    for _ in 0..3 {
        run.call("a", "{}");
    }
    let halt = run.send(r#"{"event":"turn"}"#);
    assert_eq!(changes(&halt), [(Phase::Running, Phase::Halted, "run")]);
    // It stays halted: nothing changes.
    assert_eq!(changes(&run.send(r#"{"event":"user"}"#)), []);
    let reset = run.send(r#"{"event":"reset"}"#);
    assert_eq!(changes(&reset), [(Phase::Halted, Phase::Running, "run")]);
    assert_eq!(changes(&run.send(r#"{"event":"reset"}"#)), []);
}

#[test]
fn an_attended_run_is_never_halted() {
    let mut settings = Settings::of(Preset::Standard);
    settings.attendance = Attendance::Attended;
    let mut run = Run::with(settings);
    for _ in 0..20 {
        run.read("a");
    }
    assert_eq!(changes(&run.send(r#"{"event":"reset"}"#)), []);
}

#[test]
fn the_wire_form_has_them_only_where_there_are_any() {
    let mut run = Run::of(Preset::Ironcurtain);
    let (allowed, _) = burst(&mut run, 0, "same");
    let value = serde_json::to_value(&allowed).unwrap();
    let expected = json!({"line": 1, "session": "default", "agent": "main", "verdict": "allow"});
    assert_eq!(value, expected);
    for n in 1..20 {
        burst(&mut run, n, "same");
    }
    let (denied, _) = burst(&mut run, 20, "same");
    let value = serde_json::to_value(&denied).unwrap();
    assert_eq!(value["retry_after"], 59_980);
    assert_eq!(
        value["transitions"],
        json!([{"from": "closed", "to": "open", "of": "call-burst"}])
    );
    assert_eq!(serde_json::from_value::<Decision>(value).unwrap(), denied);
    let half_open: Value = serde_json::to_value(Phase::HalfOpen).unwrap();
    assert_eq!(half_open, "half-open");
}
