use super::*;

fn args(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn breaker(threshold: u32, window_ms: u64, worker_count: u32) -> CallCircuitBreaker {
    CallCircuitBreaker::with_config(BreakerConfig {
        window_ms,
        threshold,
        worker_count,
    })
}

/// How many of `calls` identical calls at one time pass.
fn passed(breaker: &mut CallCircuitBreaker, calls: usize, now_ms: i64) -> usize {
    let args = args(r#"{"path":"/a"}"#);
    (0..calls)
        .filter(|_| breaker.check("read_file", &args, now_ms).is_allowed())
        .count()
}

fn reason(verdict: CallVerdict) -> String {
    match verdict {
        CallVerdict::Denied { reason } => reason,
        CallVerdict::Allowed => panic!("the call was allowed"),
    }
}

#[test]
fn calls_up_to_the_threshold_pass_and_the_next_is_denied() {
    let mut breaker = breaker(5, 60_000, 1);
    assert_eq!(passed(&mut breaker, 5, 0), 5);
    let reason = reason(breaker.check("read_file", &args(r#"{"path":"/a"}"#), 0));
    for words in [
        "CIRCUIT BREAKER:",
        "'read_file'",
        "5 times",
        "within 60s window",
        "Try a different approach.",
    ] {
        assert!(reason.contains(words), "{words} in {reason}");
    }
}

#[test]
fn workers_multiply_the_threshold() {
    let mut three = breaker(5, 60_000, 3);
    assert_eq!(passed(&mut three, 15, 0), 15);
    let denied = reason(three.check("read_file", &args(r#"{"path":"/a"}"#), 0));
    assert!(denied.contains("15 times"), "{denied}");

    let mut two = breaker(20, 60_000, 2);
    assert_eq!(passed(&mut two, 41, 0), 40);
    let denied = reason(two.check("read_file", &args(r#"{"path":"/a"}"#), 0));
    assert!(denied.contains("40 times"), "{denied}");
}

#[test]
fn other_arguments_and_other_tools_have_windows_of_their_own() {
    let mut breaker = breaker(3, 60_000, 1);
    let (a, b) = (args(r#"{"path":"/a"}"#), args(r#"{"path":"/b"}"#));
    for _ in 0..3 {
        assert_eq!(breaker.check("fs__t", &a, 0), CallVerdict::Allowed);
    }
    assert!(!breaker.check("fs__t", &a, 0).is_allowed());
    assert_eq!(breaker.check("fs__t", &b, 0), CallVerdict::Allowed);
    assert_eq!(breaker.check("other__t", &a, 0), CallVerdict::Allowed);
}

#[test]
fn calls_pass_again_when_old_ones_have_left_the_window() {
    let mut all_at_once = breaker(3, 10_000, 1);
    assert_eq!(passed(&mut all_at_once, 4, 0), 3);
    assert_eq!(passed(&mut all_at_once, 1, 11_000), 1);

    let mut spread = breaker(3, 10_000, 1);
    assert_eq!(passed(&mut spread, 2, 0), 2);
    assert_eq!(passed(&mut spread, 2, 6_000), 1);
    assert_eq!(passed(&mut spread, 1, 11_000), 1);
}

#[test]
fn a_call_exactly_as_old_as_the_window_has_left_it() {
    let mut breaker = breaker(3, 10_000, 1);
    assert_eq!(passed(&mut breaker, 3, 0), 3);
    assert_eq!(passed(&mut breaker, 1, 9_999), 0);
    assert_eq!(passed(&mut breaker, 4, 10_000), 3);
    assert_eq!(passed(&mut breaker, 1, 20_000), 1);
}

#[test]
fn by_default_twenty_calls_pass() {
    let mut breaker = CallCircuitBreaker::new();
    assert_eq!(passed(&mut breaker, 21, 0), 20);
    breaker.reset();
    assert_eq!(passed(&mut breaker, 1, 0), 1);
}

#[test]
fn the_order_of_arguments_does_not_matter() {
    let mut breaker = breaker(2, 60_000, 1);
    assert!(
        breaker
            .check("t", &args(r#"{"a":1,"b":2}"#), 0)
            .is_allowed()
    );
    assert!(
        breaker
            .check("t", &args(r#"{"b":2,"a":1}"#), 0)
            .is_allowed()
    );
    assert!(
        !breaker
            .check("t", &args(r#"{"a":1,"b":2}"#), 0)
            .is_allowed()
    );
}

#[test]
fn denied_calls_do_not_prolong_the_denial() {
    let mut breaker = breaker(3, 10_000, 1);
    assert_eq!(passed(&mut breaker, 3, 0), 3);
    for now in (0..10_000).step_by(100) {
        assert_eq!(passed(&mut breaker, 1, now), 0);
    }
    assert_eq!(passed(&mut breaker, 1, 10_000), 1);
}

#[test]
fn zero_thresholds_and_workers_are_taken_as_one() {
    assert_eq!(passed(&mut breaker(0, 60_000, 0), 3, 0), 1);
}

#[test]
fn a_window_of_zero_denies_nothing() {
    assert_eq!(passed(&mut breaker(1, 0, 1), 5, 0), 5);
}

#[test]
fn a_clock_that_goes_back_stands_still() {
    let mut breaker = breaker(1, 10_000, 1);
    assert_eq!(passed(&mut breaker, 1, 3_600_000), 1);
    assert_eq!(passed(&mut breaker, 1, 0), 0);
    assert_eq!(passed(&mut breaker, 1, 3_610_000), 1);
}
