use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde::de::IgnoredAny;

use super::*;

fn skip(text: &str) -> Result<(), JsonError> {
    let mut scratch = Scratch::default();
    let mut scanner = Scanner::new(text, &mut scratch);
    scanner.skip_value()?;
    scanner.end()
}

#[test]
fn an_event_line_is_walked_key_by_key() {
    let mut scratch = Scratch::default();
    let line = r#" { "event" : "call", "n\u0061me": "caf\u00e9", "args": {"b":[1],"a":1.0},
        "extra": [{}, "\ud800", 1e999], "inner": {"x": null}, "last": true } "#;
    let mut scanner = Scanner::new(line, &mut scratch);
    scanner.begin_object().unwrap();

    assert_eq!(scanner.next_key().unwrap().as_deref(), Some("event"));
    assert_eq!(scanner.peek_kind(), Ok(JsonKind::String));
    assert!(matches!(scanner.string(), Ok(Cow::Borrowed("call"))));
    assert_eq!(scanner.next_key().unwrap().as_deref(), Some("name"));
    assert_eq!(scanner.string().unwrap(), "café");
    assert_eq!(scanner.next_key().unwrap().as_deref(), Some("args"));
    assert_eq!(scanner.peek_kind(), Ok(JsonKind::Object));
    assert_eq!(scanner.canonical().unwrap().as_str(), r#"{"a":1,"b":[1]}"#);
    assert_eq!(scanner.next_key().unwrap().as_deref(), Some("extra"));
    scanner.skip_value().unwrap();
    assert_eq!(scanner.next_key().unwrap().as_deref(), Some("inner"));
    scanner.begin_object().unwrap();
    assert_eq!(scanner.next_key().unwrap().as_deref(), Some("x"));
    let mut out = String::from("x=");
    scanner.canonical_into(&mut out).unwrap();
    assert_eq!(out, "x=null");
    assert_eq!(scanner.next_key(), Ok(None));
    assert_eq!(scanner.next_key().unwrap().as_deref(), Some("last"));
    assert_eq!(scanner.peek_kind(), Ok(JsonKind::Bool));
    scanner.skip_value().unwrap();
    assert_eq!(scanner.next_key(), Ok(None));
    assert_eq!(scanner.end(), Ok(()));
}

#[test]
fn broken_objects_say_what_was_expected_and_where() {
    for (line, message) in [
        ("[]", "expected an object at byte 0"),
        ("", "unexpected end of input"),
        ("{", "unexpected end of input"),
        ("{,", "expected a key or `}` at byte 1"),
        (r#"{"a" 1}"#, "expected `:` at byte 5"),
        (r#"{"a":1 "b":2}"#, "expected `,` or `}` at byte 7"),
        (r#"{"a":1,}"#, "expected a key at byte 7"),
        (r#"{"a":1,2:3}"#, "expected a key at byte 7"),
        (r#"{"\ud800":1}"#, "lone surrogate in a string at byte 2"),
        (r#"{"a":1}}"#, "unexpected text after the value at byte 7"),
    ] {
        let mut scratch = Scratch::default();
        let mut scanner = Scanner::new(line, &mut scratch);
        let mut walk = || {
            scanner.begin_object()?;
            while scanner.next_key()?.is_some() {
                scanner.skip_value()?;
            }
            scanner.end()
        };
        assert_eq!(walk().unwrap_err().to_string(), message, "{line}");
    }
}

#[test]
fn depth_counts_from_the_value_that_is_read() {
    let nested = |depth: usize| {
        let value = "[".repeat(depth) + &"]".repeat(depth);
        format!(r#"{{"args":{value}}}"#)
    };
    for (depth, expected) in [
        (128, Ok(())),
        (129, Err(JsonError::TooDeep { at: 8 + 128 })),
    ] {
        let line = nested(depth);
        let mut scratch = Scratch::default();
        let mut scanner = Scanner::new(&line, &mut scratch);
        scanner.begin_object().unwrap();
        scanner.next_key().unwrap();
        assert_eq!(scanner.skip_value(), expected);

        let mut scanner = Scanner::new(&line, &mut scratch);
        scanner.begin_object().unwrap();
        scanner.next_key().unwrap();
        assert_eq!(scanner.canonical().map(drop), expected);
    }
}

#[test]
fn skipping_accepts_lone_surrogates_and_large_numbers_and_no_other_error() {
    for text in [r#""\ud800""#, r#""\udc00\ud800""#, "1e400", "[-1e999]"] {
        assert_eq!(skip(text), Ok(()), "{text}");
    }
    for (text, message) in [
        ("nul", "unexpected end of input"),
        ("nulx", "expected a value at byte 0"),
        ("truefalse", "unexpected text after the value at byte 4"),
        ("[1 2]", "expected `,` or `]` at byte 3"),
        ("[1,]", "expected a value at byte 3"),
        ("\"a\tb\"", "raw control character in a string at byte 2"),
        (r#""\x""#, "unknown escape in a string at byte 1"),
        (r#""\u12g4""#, "unknown escape in a string at byte 1"),
        (r#""\u12"#, "unexpected end of input"),
        (r#""abc"#, "unexpected end of input"),
    ] {
        assert_eq!(skip(text).unwrap_err().to_string(), message, "{text}");
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
    fn skips_exactly_what_serde_json_ignores(
        text in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "\"\\n\"", "\\u00e9", "\\ud800",
                "\"a\":", "1", "-", "0", ".5", "e+", "1e999", "true", "null", "fals", " ", "\n",
                "\t", "é", "\u{1}", "/", "[1,2]", "{\"k\":0}",
            ]),
            0..12,
        )
    ) {
        let text = text.concat();
        prop_assert_eq!(
            skip(&text).is_ok(),
            serde_json::from_str::<IgnoredAny>(&text).is_ok(),
            "{}",
            text
        );
    }
}

#[test]
fn arrays_are_walked_element_by_element() {
    let mut scratch = Scratch::default();
    let mut scanner = Scanner::new(r#" [ 1, "a" ,[2] ] "#, &mut scratch);
    scanner.begin_array().unwrap();
    let mut elements = Vec::new();
    while scanner.next_element().unwrap() {
        elements.push(scanner.raw().unwrap());
    }
    scanner.end().unwrap();
    assert_eq!(elements, ["1", r#""a""#, "[2]"]);

    let mut scanner = Scanner::new("[1 2]", &mut scratch);
    scanner.begin_array().unwrap();
    assert!(scanner.next_element().unwrap());
    scanner.skip_value().unwrap();
    assert!(scanner.next_element().is_err());
}

#[test]
fn a_lossy_scanner_reads_on_where_an_exact_one_stops() {
    let text = "{\"a\":\"x\\ud83dy\\ude00\",\"b\":\"p\0q\tr\",\"c\":-1e999,\"\\udc00\":1}";
    let read = |mut scanner: Scanner<'_, '_>| -> Result<Vec<String>, JsonError> {
        let mut members = Vec::new();
        scanner.begin_object()?;
        while let Some(key) = scanner.next_key()? {
            members.push(format!("{key}={}", scanner.canonical()?));
        }
        scanner.end()?;
        Ok(members)
    };
    let mut scratch = Scratch::default();
    assert!(read(Scanner::new(text, &mut scratch)).is_err());
    assert_eq!(
        read(Scanner::lossy(text, &mut scratch)).unwrap(),
        [
            "a=\"x\u{fffd}y\u{fffd}\"",
            r#"b="p\u0000q\tr""#,
            r#"c="-1e999""#,
            "\u{fffd}=1"
        ]
    );

    let mut scanner = Scanner::lossy("\"\u{1}\\ud800é\"", &mut scratch);
    assert_eq!(scanner.string().unwrap(), "\u{1}\u{fffd}é");
    let mut scanner = Scanner::lossy("\"\u{1}\\ud800\0\"", &mut scratch);
    scanner.skip_value().unwrap();
    scanner.end().unwrap();
}

#[test]
fn a_surrogate_before_another_escape_takes_nothing_with_it() {
    let mut scratch = Scratch::default();
    for (text, says) in [
        (r#""\ud83d\u0041""#, "\u{fffd}A"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""\ud83d\n""#, "\u{fffd}\n"),
    ] {
        let mut scanner = Scanner::lossy(text, &mut scratch);
        assert_eq!(scanner.string().unwrap(), says, "{text}");
    }
}
