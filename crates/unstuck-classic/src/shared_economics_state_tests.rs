use super::*;
use crate::LoopDetector;

const FINGERPRINT: &str = r#"web_fetch:{"url":"https://api.example/dead"}"#;

fn with_calls(calls: u64) -> SharedEconomicsState {
    SharedEconomicsState::with_thresholds(GlobalThresholds {
        calls,
        ..GlobalThresholds::default()
    })
}

fn info(state: &SharedEconomicsState) -> Option<(u64, usize)> {
    let info = state.global_loop_info(FINGERPRINT)?;
    Some((info.count, info.worker_count))
}

fn record(state: &mut SharedEconomicsState, workers: &[&str]) {
    for worker in workers {
        state.record_fingerprint(worker, FINGERPRINT);
    }
}

#[test]
fn the_tenth_call_of_several_workers_is_a_global_loop() {
    let mut state = SharedEconomicsState::new();
    for call in 0..9 {
        record(&mut state, &[["a", "b", "c"][call % 3]]);
    }
    assert!(!state.is_global_doom_loop(FINGERPRINT));
    record(&mut state, &["a"]);
    assert!(state.is_global_doom_loop(FINGERPRINT));
    assert_eq!(info(&state), Some((10, 3)));
}

#[test]
fn the_prompt_tells_calls_and_workers() {
    let mut state = with_calls(5);
    record(&mut state, &["w1", "w2", "w3"]);
    assert_eq!(state.prompt(FINGERPRINT), None);
    record(&mut state, &["w4", "me"]);
    let prompt = state.prompt(FINGERPRINT).unwrap();
    for words in ["GLOBAL DOOM LOOP", "5 calls to web_fetch", "5 workers"] {
        assert!(prompt.contains(words), "{words} in {prompt}");
    }
}

#[test]
fn a_workers_own_loop_comes_before_that_of_the_swarm() {
    let mut state = with_calls(3);
    let mut detector = LoopDetector::new();
    let args = Json::parse(r#"{"url":"https://api.example/dead"}"#).unwrap();
    record(&mut state, &["other"]);
    let mut said = Vec::new();
    for _ in 0..3 {
        detector.record_tool_call("web_fetch", &args);
        let fingerprint = state.record("me", "web_fetch", &args);
        assert_eq!(fingerprint, FINGERPRINT);
        let prompt = detector.prompt().or_else(|| state.prompt(&fingerprint));
        said.push(prompt.map(|prompt| prompt.contains("GLOBAL")));
    }
    assert_eq!(said, [None, Some(true), Some(false)]);
}

#[test]
fn one_worker_alone_is_no_global_loop_unless_asked_for() {
    let mut state = SharedEconomicsState::new();
    record(&mut state, &["a"; 50]);
    assert!(!state.is_global_doom_loop(FINGERPRINT));

    let mut original = SharedEconomicsState::with_thresholds(GlobalThresholds {
        workers: 1,
        ..GlobalThresholds::default()
    });
    record(&mut original, &["a"; 10]);
    assert!(original.is_global_doom_loop(FINGERPRINT));
    let prompt = original.prompt(FINGERPRINT).unwrap();
    assert!(prompt.contains("1 workers"), "{prompt}");
}

#[test]
fn calls_that_differ_in_what_does_not_matter_are_one() {
    let mut state = SharedEconomicsState::new();
    let args = |text| Json::parse(text).unwrap();
    let one = state.record("a", "read_file", &args(r#"{"path":"x"}"#));
    let other = state.record("b", "read_file", &args(r#"{"path":"x","encoding":"u"}"#));
    assert_eq!(one, other);
    assert_eq!(state.stats().fingerprints, 1);
}

#[test]
fn unknown_calls_are_nothing() {
    let state = SharedEconomicsState::new();
    assert!(!state.is_global_doom_loop("nothing"));
    assert_eq!(state.global_loop_info("nothing"), None);
    assert_eq!(state.prompt("nothing"), None);
}

#[test]
fn loops_and_stats_tell_what_is_known() {
    let mut state = with_calls(2);
    record(&mut state, &["a", "b"]);
    state.record_fingerprint("a", "once");
    assert_eq!(state.global_loops().collect::<Vec<_>>(), [FINGERPRINT]);
    let stats = SharedStats {
        fingerprints: 2,
        global_loops: 1,
    };
    assert_eq!(state.stats(), stats);
    state.clear();
    assert_eq!(state.stats().fingerprints, 0);
    assert_eq!(state.global_loops().count(), 0);
}

#[test]
fn a_checkpoint_has_the_shape_of_the_original() {
    let mut state = SharedEconomicsState::new();
    state.record_fingerprint("b", "one");
    state.record_fingerprint("a", "two");
    state.record_fingerprint("b", "two");
    state.record_fingerprint("a", "two");
    assert_eq!(
        state.to_json().as_str(),
        r#"{"fingerprints":[{"count":1,"fingerprint":"one","workers":["b"]},{"count":3,"fingerprint":"two","workers":["a","b"]}]}"#
    );
    assert_eq!(
        SharedEconomicsState::new().to_json().as_str(),
        r#"{"fingerprints":[]}"#
    );
}

#[test]
fn restored_counts_go_on() {
    let mut before = with_calls(5);
    record(&mut before, &["a", "b", "c", "d"]);
    let checkpoint = Json::parse(before.to_json().as_str()).unwrap();
    let mut after = with_calls(5);
    after.restore_from(&checkpoint).unwrap();
    assert_eq!(after.to_json(), checkpoint);
    assert!(!after.is_global_doom_loop(FINGERPRINT));
    record(&mut after, &["e"]);
    assert!(after.is_global_doom_loop(FINGERPRINT));
    assert_eq!(info(&after), Some((5, 5)));
}

#[test]
fn restoring_overwrites_what_is_listed_and_keeps_the_rest() {
    let mut state = SharedEconomicsState::new();
    record(&mut state, &["a", "b", "c"]);
    state.record_fingerprint("a", "kept");
    let checkpoint = format!(
        r#"{{"fingerprints":[{{"fingerprint":{},"count":7,"workers":["z"]}}]}}"#,
        Json::string(FINGERPRINT)
    );
    state
        .restore_from(&Json::parse(&checkpoint).unwrap())
        .unwrap();
    assert_eq!(info(&state), Some((7, 1)));
    assert!(state.global_loop_info("kept").is_some());
}

#[test]
fn an_empty_checkpoint_changes_nothing() {
    let mut state = SharedEconomicsState::new();
    record(&mut state, &["a"]);
    state.restore_from(&Json::empty_object()).unwrap();
    assert_eq!(info(&state), Some((1, 1)));
}

#[test]
fn a_broken_checkpoint_is_refused_and_changes_nothing() {
    let mut state = SharedEconomicsState::new();
    record(&mut state, &["a"]);
    for broken in [
        "null",
        "[1]",
        r#"{"fingerprints":7}"#,
        r#"{"fingerprints":[{"fingerprint":"x","count":1,"workers":["a"]},{"fingerprint":"y"}]}"#,
        r#"{"fingerprints":[{"fingerprint":"x","count":-1,"workers":["a"]}]}"#,
    ] {
        let error = state.restore_from(&Json::parse(broken).unwrap());
        assert!(error.is_err(), "{broken}");
    }
    assert_eq!(state.stats().fingerprints, 1);
}

#[test]
fn long_fingerprints_are_kept_short_and_found_again() {
    let long = |end: &str| format!("write_file:{}{end}", "é".repeat(5_000));
    let mut state = with_calls(2);
    state.record_fingerprint("a", &long("1"));
    state.record_fingerprint("b", &long("1"));
    state.record_fingerprint("b", &long("2"));
    assert!(state.is_global_doom_loop(&long("1")));
    assert!(!state.is_global_doom_loop(&long("2")));
    let checkpoint = state.to_json();
    assert!(checkpoint.as_str().len() < 4_000);
    let mut restored = with_calls(2);
    restored.restore_from(&checkpoint).unwrap();
    assert!(restored.is_global_doom_loop(&long("1")));
    assert_eq!(restored.to_json(), checkpoint);
}

#[test]
fn many_workers_are_counted_and_the_first_64_told_apart() {
    let mut state = SharedEconomicsState::new();
    for worker in 0..100 {
        record(&mut state, &[&worker.to_string()]);
    }
    assert_eq!(info(&state), Some((100, 64)));
}
