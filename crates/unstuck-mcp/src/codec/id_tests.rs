use proptest::prelude::*;

use super::*;

fn key(raw: &str) -> Json {
    Id::of(raw).expect("an id").key
}

#[test]
fn ids_that_official_clients_take_for_one_are_one() {
    for same in [
        "5",
        "5.0",
        "5e0",
        "0.5e1",
        "\"5\"",
        "\" 5 \"",
        "\"+5\"",
        "\"005\"",
        "\"5.0\"",
        "\"5.\"",
        "\"5e0\"",
        "\"0x5\"",
        "\"0b101\"",
        "\"0O5\"",
        "\"0_5\"",
        "\"\\u0035\"",
        "\"\\ufeff5\\n\"",
    ] {
        assert_eq!(key(same).as_str(), "5", "{same}");
    }
    for zero in ["0", "-0", "-0.0", "\"0\"", "\"-0\"", "\"0x0\""] {
        assert_eq!(key(zero).as_str(), "0", "{zero}");
    }
    assert_eq!(key("\"-12\"").as_str(), "-12");
    assert_eq!(key("9007199254740992"), key("\"9007199254740992\""));
}

#[test]
fn other_ids_stay_apart() {
    let ids = [
        "5",
        "6",
        "-5",
        "5.5",
        "\"a\"",
        "\"A\"",
        "\"\"",
        "\"5.5\"",
        "\"5a\"",
        "\"Infinity\"",
        "\"nan\"",
        "\"0x\"",
        "\"listen:5\"",
        "9007199254740993",
        "9007199254740995",
        "\"3f2b8c1e-0000-4000-8000-000000000005\"",
    ];
    for (place, one) in ids.iter().enumerate() {
        for other in &ids[place + 1..] {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }
}

#[test]
fn only_json_is_repeated() {
    for (raw, repeated) in [
        ("7", Some("7")),
        ("1.0", Some("1.0")),
        ("\"a\"", Some("\"a\"")),
        ("\"\\u0061\"", Some("\"a\"")),
        ("\"\\u000\"", None),
        ("\"\\ud800\"", None),
        ("\"a", None),
        ("--5", None),
        ("007", None),
        ("1e999", None),
        ("7,8", None),
        ("null", None),
        ("{}", None),
        ("", None),
    ] {
        assert_eq!(repeatable(raw).as_deref(), repeated, "{raw}");
    }
    assert_eq!(repeatable(&format!("\"{}\"", "x".repeat(2_000))), None);
}

proptest! {
    #[test]
    fn what_is_repeated_is_a_string_or_a_number(raw in "\\PC*|[\"\\\\u0-9a-f{}:,e.+ -]*") {
        if let Some(repeated) = repeatable(&raw) {
            let value: serde_json::Value = serde_json::from_str(&repeated).expect("JSON");
            prop_assert!(value.is_string() || value.is_number());
        }
    }

    #[test]
    fn a_number_and_its_text_are_one(number in -9_007_199_254_740_992_i64..=9_007_199_254_740_992) {
        prop_assert_eq!(key(&number.to_string()), key(&format!("\"{number}\"")));
    }
}
