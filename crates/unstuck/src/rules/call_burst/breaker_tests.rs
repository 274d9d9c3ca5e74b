#![expect(clippy::cast_possible_wrap, reason = "test times are small")]

use super::*;
use crate::options::nonzero;

/// A `SplitMix64`, so that a million schedules are the same million everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

fn options(limit: u32, window_ms: u64, half_open: bool) -> CallBurst {
    let mut options = crate::Settings::of(crate::Preset::Ironcurtain)
        .rules
        .call_burst;
    options.limit = NonZeroU32::new(limit).unwrap();
    options.window_ms = window_ms.try_into().unwrap();
    options.half_open = half_open;
    options
}

/// Whether an interval of the window's length has more admitted calls than the limit.
fn overshoots(admitted: &[i64], limit: usize, window: i64) -> bool {
    admitted
        .windows(limit + 1)
        .any(|calls| calls[limit] - calls[0] < window)
}

/// Random schedules: the plain breaker equals a naive one call by call, the half-open one admits no more than it may.
fn schedules(count: u64) {
    let mut random = Random(20_261_115);
    for _ in 0..count {
        let limit = 1 + random.below(5) as u32;
        let window = 1 + random.below(30);
        let (plain, careful) = (options(limit, window, false), options(limit, window, true));
        let mut breakers = [
            Breaker::new(nonzero!(4), Key::default()),
            Breaker::new(nonzero!(4), Key::default()),
        ];
        let mut admitted: [Vec<i64>; 2] = [Vec::new(), Vec::new()];
        let mut outcomes = [None; 2];
        let mut now = 0;
        for _ in 0..24 {
            now += random.below(window + window / 2 + 1) as i64 / 2;
            let at = Timestamp(now);
            for (which, options) in [&plain, &careful].into_iter().enumerate() {
                let breaker = &mut breakers[which];
                let admission = breaker.admission(Mark(1), at, options);
                if which == 0 {
                    let live = admitted[0]
                        .iter()
                        .filter(|then| now - **then < window as i64)
                        .count() as u32;
                    let passed = match admission {
                        Admission::Deny { passed, .. } => Some(passed),
                        Admission::Pass => None,
                    };
                    assert_eq!(passed, (live >= limit).then_some(live));
                }
                if let Admission::Deny { until, .. } = admission {
                    let before = Timestamp(until.0 - 1);
                    let still = breaker.admission(Mark(1), before, options);
                    assert_ne!(still, Admission::Pass);
                    let then = breaker.admission(Mark(1), until, options);
                    assert_eq!(then, Admission::Pass);
                }
                if admission == Admission::Pass {
                    breaker.pass(Mark(1), at, options);
                    admitted[which].push(now);
                    if random.below(2) == 0 {
                        let outcome = Mark(random.below(2));
                        breaker.result(Mark(1), outcome, at, options);
                        // What brought something new is work, not part of a burst.
                        let new = outcomes[which].replace(outcome) != Some(outcome);
                        if new && options.half_open {
                            admitted[which].pop();
                        }
                    }
                } else {
                    breaker.deny(Mark(1), at);
                }
            }
        }
        for admitted in &admitted {
            assert!(
                !overshoots(admitted, limit as usize, window as i64),
                "{admitted:?}"
            );
        }
    }
}

#[test]
fn never_more_than_the_limit_in_any_window() {
    schedules(20_000);
}

#[test]
#[ignore = "a million schedules: for release builds"]
fn never_more_than_the_limit_in_any_window_of_a_million_schedules() {
    schedules(1_000_000);
}

#[test]
fn an_open_breaker_lets_one_probe_through_and_closes_when_it_brought_something_new() {
    let options = options(2, 100, true);
    let mut breaker = Breaker::new(nonzero!(4), Key::default());
    let call = Mark(1);
    let ask = |breaker: &mut Breaker, now: i64| {
        let admission = breaker.admission(call, Timestamp(now), &options);
        match admission {
            Admission::Pass => breaker.pass(call, Timestamp(now), &options),
            Admission::Deny { .. } => breaker.deny(call, Timestamp(now)),
        };
        admission == Admission::Pass
    };
    assert!(ask(&mut breaker, 0));
    breaker.result(call, Mark(7), Timestamp(0), &options);
    assert!(ask(&mut breaker, 0) && ask(&mut breaker, 0));
    breaker.result(call, Mark(7), Timestamp(1), &options);
    assert!(!ask(&mut breaker, 50), "the window is full");
    assert!(ask(&mut breaker, 100), "the probe");
    assert!(!ask(&mut breaker, 101), "one probe at a time");
    breaker.result(call, Mark(7), Timestamp(102), &options);
    assert!(
        !ask(&mut breaker, 201),
        "nothing new: another window of silence"
    );
    assert!(ask(&mut breaker, 202), "the next probe");
    breaker.result(call, Mark(8), Timestamp(203), &options);
    assert!(ask(&mut breaker, 204), "something new: closed");
}

#[test]
fn a_probe_whose_result_never_comes_does_not_block_for_ever() {
    let options = options(1, 100, true);
    let mut breaker = Breaker::new(nonzero!(4), Key::default());
    let call = Mark(1);
    breaker.pass(call, Timestamp(0), &options);
    breaker.deny(call, Timestamp(1));
    assert_eq!(
        breaker.admission(call, Timestamp(100), &options),
        Admission::Pass
    );
    breaker.pass(call, Timestamp(100), &options);
    assert_ne!(
        breaker.admission(call, Timestamp(199), &options),
        Admission::Pass
    );
    assert_eq!(
        breaker.admission(call, Timestamp(200), &options),
        Admission::Pass
    );
}

#[test]
fn forgets_the_call_that_was_made_longest_ago() {
    let options = options(1, 1_000, false);
    let mut breaker = Breaker::new(nonzero!(2), Key::default());
    for call in 1..=3 {
        breaker.pass(Mark(call), Timestamp(0), &options);
    }
    assert_eq!(
        breaker.admission(Mark(1), Timestamp(1), &options),
        Admission::Pass
    );
    assert_ne!(
        breaker.admission(Mark(2), Timestamp(1), &options),
        Admission::Pass
    );
}
