use std::time::Duration;

use super::{Bytes, at_least_a_second, interval};

#[test]
fn sizes_have_units_and_plain_numbers_are_bytes() {
    for (text, bytes) in [
        ("0", 0),
        ("65536", 65_536),
        ("64MiB", 64 << 20),
        ("64M", 64 << 20),
        ("64 mib", 64 << 20),
        ("1.5KiB", 1_536),
        ("10MB", 10_000_000),
        ("2g", 2 << 30),
        ("7bytes", 7),
    ] {
        assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
    }
    for text in [
        "",
        "MiB",
        "1.",
        ".5k",
        "-1",
        "1e6",
        "3 apples",
        "0.3",
        "99999999999T",
    ] {
        assert!(text.parse::<Bytes>().is_err(), "{text}");
    }
}

#[test]
fn sizes_are_shown_in_the_largest_unit_that_divides_them() {
    for (bytes, text) in [
        (64 << 20, "64MiB"),
        (0, "0"),
        (1_000, "1000"),
        (1 << 16, "64KiB"),
    ] {
        assert_eq!(Bytes(bytes).to_string(), text);
        assert_eq!(text.parse(), Ok(Bytes(bytes)));
    }
}

#[test]
fn times_have_units_and_plain_numbers_are_seconds() {
    for (text, milliseconds) in [
        ("30", 30_000),
        ("1500ms", 1_500),
        ("1.5s", 1_500),
        ("10m", 600_000),
        ("2h", 7_200_000),
    ] {
        let time = Duration::from_millis(milliseconds);
        assert_eq!(at_least_a_second(text), Ok(time), "{text}");
    }
    for text in ["0", "999ms", "1d", "soon", ""] {
        assert!(at_least_a_second(text).is_err(), "{text}");
    }
    assert_eq!(interval("0.5"), Ok(Duration::from_millis(500)));
    assert_eq!(interval("100ms"), Ok(Duration::from_millis(100)));
    assert!(interval("50ms").is_err());
    assert!(interval("2h").is_err());
}
