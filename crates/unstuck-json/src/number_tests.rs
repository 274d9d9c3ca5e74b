use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

fn canonical(text: &str) -> Option<String> {
    let number = Number::scan(text, 0).unwrap();
    assert_eq!(number.text, text);
    let mut out = String::new();
    number.write(&mut out).then_some(out)
}

/// The rule without shortcuts.
fn by_the_rule(text: &str) -> Option<String> {
    if let Ok(integer) = text.parse::<i128>()
        && (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&integer)
    {
        return Some(integer.to_string());
    }
    let double: f64 = text.parse().unwrap();
    double
        .is_finite()
        .then(|| ryu_js::Buffer::new().format(double).to_owned())
}

#[test]
fn a_number_ends_where_its_grammar_does() {
    for (text, number) in [
        ("0123", "0"),
        ("-0.5,", "-0.5"),
        ("1e5e", "1e5"),
        ("12.5.1", "12.5"),
    ] {
        assert_eq!(Number::scan(text, 0).unwrap().text, number);
    }
}

#[test]
fn a_number_without_its_digits_says_where_they_are_missing() {
    for (text, at) in [("-x", 1), ("1.x", 2), ("1e+x", 3), ("1.5e,", 4)] {
        assert_eq!(
            Number::scan(text, 0).map(drop),
            Err(JsonError::Expected {
                expected: "a digit",
                at
            })
        );
    }
    for text in ["-", "1.", "1e", "1e-"] {
        assert_eq!(
            Number::scan(text, 0).map(drop),
            Err(JsonError::End { at: text.len() })
        );
    }
}

#[test]
fn borders_of_the_shortcuts_follow_the_rule() {
    for text in [
        "0.000001",
        "0.0000010",
        "0.0000011",
        "0.00000123456789",
        "0.0000001",
        "-0.000001",
        "999999999999999.9",
        "99999999999999.9",
        "-123456789012.345",
        "9007199254740.993",
        "900719925474.0993",
        "0.12345678901234",
        "0.123456789012345",
        "1.10",
        "-0.0",
        "999999999999999999",
        "-99999999999999999",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617.5",
        "99999999999999999999",
        "1e308",
        "1e309",
        "-1e309",
        "1e-99999999999",
        "1e99999999999",
    ] {
        assert_eq!(canonical(text), by_the_rule(text), "{text}");
    }
}

/// The same cases on every run.
fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(8785),
        ..ProptestConfig::with_cases(cases)
    }
}

proptest! {
    #![proptest_config(fixed(4096))]

    #[test]
    fn any_spelling_follows_the_rule(
        text in r"-?(0|[1-9][0-9]{0,21})(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?"
    ) {
        prop_assert_eq!(canonical(&text), by_the_rule(&text));
    }

    #[test]
    fn small_decimals_follow_the_rule(text in r"-?0\.0{0,8}[0-9]{1,15}") {
        prop_assert_eq!(canonical(&text), by_the_rule(&text));
    }

    #[test]
    fn any_double_keeps_its_value(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        prop_assume!(double.is_finite());
        let text = canonical(&format!("{double:e}")).unwrap();
        prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), (double + 0.0).to_bits());
        prop_assert_eq!(canonical(&text), Some(text));
    }
}
