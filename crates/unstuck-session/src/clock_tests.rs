use super::*;

#[test]
fn times_are_dates() {
    assert_eq!(utc(0), "1970-01-01T00:00:00Z");
    assert_eq!(utc(1_794_724_945_415), "2026-11-15T06:42:25Z");
    assert_eq!(utc(1_709_208_000_500), "2024-02-29T12:00:00Z");
    assert_eq!(utc(-1), "1969-12-31T23:59:59Z");
}

#[test]
fn spans_are_rounded_down() {
    assert_eq!(ago(0, 59_999), "59 s ago");
    assert_eq!(ago(0, 60_000), "1 min ago");
    assert_eq!(ago(0, 7_300_000), "2 h ago");
    assert_eq!(ago(0, 200_000_000), "2 d ago");
    assert_eq!(ago(5_000, 0), "0 s ago");
}
