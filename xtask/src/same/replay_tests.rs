use super::*;

#[test]
fn long_streams_are_restarted_less_often() {
    assert_eq!([10, 12_000, 250_000].map(restart_every), [1, 7, 101]);
}

#[test]
fn the_end_of_standard_error_is_kept() {
    let text = format!("{}the end", "x".repeat(3 * KEPT_ERRORS));
    let kept = tail(text.as_bytes());
    assert_eq!(kept.len(), KEPT_ERRORS);
    assert!(kept.ends_with("the end"));
}
