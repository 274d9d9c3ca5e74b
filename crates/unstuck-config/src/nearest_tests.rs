use super::nearest;

#[test]
fn a_slip_is_forgiven() {
    let known = ["nudge", "warning", "critical", "deny", "halt", "enabled"];
    for (typed, meant) in [
        ("nudg", "nudge"),
        ("nugde", "nudge"),
        ("Nudge", "nudge"),
        ("warnings", "warning"),
        ("hlat", "halt"),
        ("enable", "enabled"),
    ] {
        assert_eq!(nearest(typed, known), Some(meant), "{typed}");
    }
}

#[test]
fn dashes_are_dashes() {
    assert_eq!(nearest("window-ms", ["window_ms"]), Some("window_ms"));
    assert_eq!(nearest("call_burst", ["call-burst"]), Some("call-burst"));
}

#[test]
fn what_is_too_far_is_not_suggested() {
    assert_eq!(nearest("threshold", ["nudge", "deny", "halt"]), None);
    assert_eq!(nearest("", ["nudge"]), None);
    assert_eq!(nearest(&"x".repeat(10_000), ["nudge"]), None);
}
