use super::*;

const HOUR: i64 = 3_600_000;

#[test]
fn a_clock_that_is_set_back_does_not_stop_time() {
    let mut time = Timekeeping::default();
    assert_eq!(time.advance(10 * HOUR, Some(1_000)), 10 * HOUR);
    assert_eq!(time.advance(10 * HOUR + 5, Some(1_005)), 10 * HOUR + 5);
    // Set back by an hour; 70 seconds have passed.
    let at = time.advance(9 * HOUR + 70_005, Some(71_005));
    assert_eq!(at, 10 * HOUR + 70_005);
    assert_eq!(time.advance(9 * HOUR + 71_005, Some(72_005)), at + 1_000);
}

#[test]
fn time_stands_still_where_nothing_tells_how_much_has_passed() {
    let mut time = Timekeeping::default();
    time.advance(10 * HOUR, None);
    assert_eq!(time.advance(9 * HOUR, None), 10 * HOUR);
    assert_eq!(time.advance(9 * HOUR + 1, None), 10 * HOUR + 1);
    // The machine was started again.
    let mut time = Timekeeping::default();
    time.advance(10 * HOUR, Some(HOUR));
    assert_eq!(time.advance(9 * HOUR, Some(5)), 10 * HOUR);
}

#[test]
fn small_steps_back_change_nothing() {
    let mut time = Timekeeping::default();
    time.advance(10_000, Some(0));
    assert_eq!(time.advance(9_000, Some(1)), 10_000);
    assert_eq!(time.advance(9_500, Some(2)), 10_000);
    assert_eq!(time.advance(10_001, Some(3)), 10_001);
}

#[test]
fn a_clock_far_ahead_and_back_again_does_not_freeze() {
    let mut time = Timekeeping::default();
    time.advance(HOUR, Some(0));
    let ahead = time.advance(1_000 * HOUR, Some(1_000));
    assert_eq!(ahead, 1_000 * HOUR);
    assert_eq!(time.advance(HOUR + 2_000, Some(2_000)), ahead + 1_000);
    for hostile in [i64::MIN, i64::MAX, 0] {
        time.advance(hostile, Some(hostile));
    }
}
