use super::*;
use crate::{Layer, load};

fn of(text: &str) -> SpendingSettings {
    let text = format!("[spending]\n{text}\n");
    load(&[Layer::new("unstuck.toml", text)], None)
        .expect("settings")
        .spending
}

#[test]
fn limits_are_read_and_written() {
    let spending = of("session_dollars = 2.5\nday_tokens = 1000000\nwarn_percent = [90]");
    assert_eq!(spending.session_dollars, Some(2.5));
    assert_eq!(spending.day_tokens, NonZeroU64::new(1_000_000));
    assert_eq!(spending.warn_percent, [90]);
    let written = crate::spending_to_toml(&spending).expect("text");
    let again = load(&[Layer::new("unstuck.toml", written)], None).expect("settings");
    assert_eq!(again.spending, spending);
}

#[test]
fn a_limit_out_of_range_is_a_mistake() {
    for text in [
        "session_dollars = -1",
        "day_tokens = 0",
        "warn_percent = [100]",
        "session_euros = 3",
    ] {
        let text = format!("[spending]\n{text}\n");
        assert!(load(&[Layer::new("unstuck.toml", text)], None).is_err());
    }
}

#[test]
fn a_higher_or_missing_limit_is_looser() {
    let before = of("day_dollars = 10.0");
    assert!(of("day_dollars = 11.0").is_looser_than(&before));
    assert!(of("session_dollars = 1.0").is_looser_than(&before));
    assert!(!of("day_dollars = 10.0\nsession_dollars = 1.0").is_looser_than(&before));
}
