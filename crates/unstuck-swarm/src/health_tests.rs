use super::*;

#[test]
fn after_a_failure_one_caller_tries_after_each_pause() {
    let start = Instant::now();
    let at = |ms| start + Duration::from_millis(ms);
    let mut health = Health::default();
    assert!(health.admit(start) && health.admit(start));
    health.failed(at(1));
    // A second caller that was under way.
    health.failed(at(2));
    assert!(!health.admit(at(50)));
    assert!(health.admit(at(51)));
    assert!(!health.admit(at(51)), "one caller at a time");
    health.failed(at(60));
    assert!(!health.admit(at(159)), "the pause has doubled");
    assert!(health.admit(at(160)));
    health.succeeded();
    assert!(health.admit(at(161)) && health.admit(at(161)));
}

#[test]
fn pauses_are_bounded() {
    let mut now = Instant::now();
    let mut health = Health::default();
    for _ in 0..40 {
        health.failed(now);
        now += LONGEST_PAUSE;
        assert!(health.admit(now));
    }
}
