use serde_json::{Value, json};

use super::*;

fn milliseconds(value: &Value) -> Option<i64> {
    let moment: Moment = serde_json::from_value(value.clone()).unwrap();
    moment.milliseconds()
}

#[test]
fn numbers_are_seconds_until_they_are_too_large_for_that() {
    assert_eq!(milliseconds(&json!(12)), Some(12_000));
    assert_eq!(milliseconds(&json!(12.0625)), Some(12_062));
    assert_eq!(
        milliseconds(&json!(1_760_000_000_123_u64)),
        Some(1_760_000_000_123)
    );
    assert_eq!(
        milliseconds(&json!(1_760_000_000_123.7)),
        Some(1_760_000_000_123)
    );
}

#[test]
fn texts_are_iso_times() {
    let noon = 1_769_860_800_000;
    for text in [
        "2026-01-31T12:00:00Z",
        " 2026-01-31T12:00:00Z ",
        "2026-01-31 12:00:00",
        "2026-01-31T12:00",
        "2026-01-31T14:30:00+02:30",
        "2026-01-31T04:00:00-0800",
    ] {
        assert_eq!(milliseconds(&json!(text)), Some(noon), "{text}");
    }
    assert_eq!(
        milliseconds(&json!("2026-01-31T12:00:00.25Z")),
        Some(noon + 250)
    );
    assert_eq!(milliseconds(&json!("1970-01-01")), Some(0));
    assert_eq!(
        milliseconds(&json!("2024-02-29T00:00:00Z")),
        Some(1_709_164_800_000)
    );
}

/// By way of a double this millisecond is lost; the reference scorer loses it, too.
#[test]
fn the_last_millisecond_is_the_references() {
    assert_eq!(
        milliseconds(&json!("2004-08-07T00:12:58.110+00:00")),
        Some(1_091_837_578_109)
    );
}

#[test]
fn what_is_no_time_says_nothing() {
    for value in [
        json!("soon"),
        json!("2026-13-01"),
        json!("2026-01-31T25:00:00Z"),
        json!("2026-01-31T12:00:00.Z"),
        json!("2026-01-31T1é:00"),
        json!(true),
        json!([1]),
    ] {
        assert_eq!(milliseconds(&value), None, "{value}");
    }
}
