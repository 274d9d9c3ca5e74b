use super::*;
use unstuck::Json;

fn of(text: &str) -> Option<i64> {
    iso(text).map(|time| time.0)
}

#[test]
fn iso_times_are_read_with_fraction_and_zone() {
    assert_eq!(of("1970-01-01T00:00:00Z"), Some(0));
    assert_eq!(of("2026-02-03T04:05:06.789Z"), Some(1_770_091_506_789));
    assert_eq!(of("2026-02-03T06:05:06.789+02:00"), Some(1_770_091_506_789));
    assert_eq!(
        of("2026-02-02 22:35:06.7891234-0530"),
        Some(1_770_091_506_789)
    );
    assert_eq!(of("2026-02-03T04:05:06,7"), Some(1_770_091_506_700));
    assert_eq!(of("2024-02-29T00:00Z"), Some(1_709_164_800_000));
    assert_eq!(of("1969-12-31T23:59:59.500Z"), Some(-500));
}

#[test]
fn what_is_no_time_is_none() {
    for text in [
        "",
        "today",
        "2026-02-03",
        "2026-13-03T00:00:00Z",
        "2026-02-03T24:00:00Z",
        "2026-02-03T00:00:00+",
        "2026-02-03T00:00:00.Z",
        "2026-02-03T0:0:0Z",
        "2026-02-03T00:00:00.1x2Z",
        "éééééT00:00:00Z",
    ] {
        assert_eq!(of(text), None, "{text}");
    }
}

#[test]
fn numbers_are_seconds_or_milliseconds() {
    let of = |text: &str| time(Json::parse(text).unwrap().view()).map(|time| time.0);
    assert_eq!(of("1794724442"), Some(1_794_724_442_000));
    assert_eq!(of("1794724442.5"), Some(1_794_724_442_500));
    assert_eq!(of("1794724745528"), Some(1_794_724_745_528));
    assert_eq!(of(r#""2026-02-03T04:05:06Z""#), Some(1_770_091_506_000));
    assert_eq!(of("1e300"), None);
    assert_eq!(of("null"), None);
}
