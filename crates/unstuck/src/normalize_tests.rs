use proptest::prelude::*;

use super::normalize;
use unstuck_json::Json;

#[path = "normalize/tables_tests.rs"]
mod tables;

/// What is left of a result that is a string.
fn of(text: &str) -> Vec<u8> {
    normalize(Json::string(text).as_str()).into_owned()
}

#[track_caller]
fn same(pairs: &[(&str, &str)]) {
    for (left, right) in pairs {
        assert_eq!(
            String::from_utf8(of(left)).unwrap(),
            String::from_utf8(of(right)).unwrap(),
            "{left:?} means the same as {right:?}"
        );
    }
}

#[track_caller]
fn different(pairs: &[(&str, &str)]) {
    for (left, right) in pairs {
        assert_ne!(of(left), of(right), "{left:?} is not {right:?}");
    }
}

/// For outputs that are not strings.
#[track_caller]
fn same_json(pairs: &[(&str, &str)]) {
    for (left, right) in pairs {
        let (left, right) = (Json::parse(left).unwrap(), Json::parse(right).unwrap());
        assert_eq!(
            normalize(left.as_str()),
            normalize(right.as_str()),
            "{left} means the same as {right}"
        );
    }
}

#[track_caller]
fn different_json(pairs: &[(&str, &str)]) {
    for (left, right) in pairs {
        let (left, right) = (Json::parse(left).unwrap(), Json::parse(right).unwrap());
        assert_ne!(
            normalize(left.as_str()),
            normalize(right.as_str()),
            "{left} is not {right}"
        );
    }
}

#[test]
fn text_without_anything_volatile_is_not_copied() {
    let text = Json::string("3 failed, 5 passed\nsrc/a.py:12:5: error E1\n\t100 % of 7 files");
    assert!(matches!(
        normalize(text.as_str()),
        std::borrow::Cow::Borrowed(_)
    ));
}

/// Pieces that meet each other in every order.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "2026-11-15",
        "T",
        " ",
        "09:01:02",
        ".123",
        "Z",
        "Nov",
        "15",
        "Sun,",
        "/",
        ":",
        "-",
        "1763197262",
        "0.53",
        "s",
        "ms",
        "m",
        "1",
        "3",
        "pid",
        "=",
        "[",
        "]",
        "\n",
        "\r",
        "\t",
        "\u{1b}",
        "\u{1b}[31m",
        "\u{1b}]0;x\u{7}",
        "0x7f3a21bc",
        "deadbeef12",
        "123e4567-e89b-12d3-a456-426614174000",
        "aB3dE5gH7jK9mN1pQ3sT5",
        "_",
        "/tmp/",
        "tmpab12cd34",
        "/var/folders/ab/c1d2/T/",
        "localhost:",
        "127.0.0.1:",
        "54321",
        "port ",
        "45%",
        "|",
        "====>",
        "█████",
        "it/s",
        "[unstuck]",
        " note",
        "\"",
        "\\",
        "\"duration\":",
        "{\"ts\": \"x\"}",
        "took ",
        "\u{1}",
        "é",
        ".",
        ",",
        "Chunk ID: ",
        "\n  1. ",
    ];
    proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned)
}

/// Pieces run together, as they are never written.
fn any_text() -> impl Strategy<Value = String> {
    let pieces = proptest::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat());
    prop_oneof![3 => pieces, 1 => any::<String>()]
}

/// Pieces with something in between.
fn spaced_text() -> impl Strategy<Value = String> {
    let glue = proptest::sample::select(vec![" ", "\n", "; ", "\t"]);
    let pieces = proptest::collection::vec((piece(), glue), 0..24);
    pieces.prop_map(|pieces| {
        let pieces = pieces.into_iter();
        pieces.map(|(piece, glue)| piece + glue).collect()
    })
}

fn any_json() -> impl Strategy<Value = Json> {
    let string = any_text().prop_map(|text| Json::string(&text));
    let object = (any_text(), any_text(), any::<f64>()).prop_map(|(name, text, number)| {
        let number = if number.is_finite() { number } else { 0.0 };
        Json::from_serialize(
            &serde_json::json!({"duration": number, name: text, "a": [number, text]}),
        )
        .unwrap()
    });
    prop_oneof![string, object]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn normalising_again_changes_nothing(text in spaced_text()) {
        let json = Json::string(&text);
        let once = normalize(json.as_str()).into_owned();
        let twice = super::normalize_bytes(&once).into_owned();
        prop_assert_eq!(String::from_utf8(twice).unwrap(), String::from_utf8(once).unwrap());
    }

    #[test]
    fn what_is_left_was_there_in_that_order(json in any_json()) {
        let out = normalize(json.as_str()).into_owned();
        let mut rest = json.as_str().as_bytes().iter();
        for byte in out.iter().filter(|byte| **byte >= 0x20) {
            prop_assert!(rest.any(|before| before == byte));
        }
    }

    #[test]
    fn what_holds_no_candidate_stays(words in "[a-zé ,.;()=]{0,200}") {
        let json = Json::string(&words);
        prop_assert_eq!(&*normalize(json.as_str()), json.as_str().as_bytes());
    }
}

#[test]
fn hostile_text_takes_linear_time() {
    let size = 400_000;
    for unit in [
        "1",
        "1 ",
        "a1",
        "1-",
        "1:",
        "1.",
        "12:34:",
        "\\",
        "\r",
        "\u{1b}",
        "\u{1b}[",
        "\u{1b}[1;",
        "/tmp/",
        "/var/folders/",
        "[unstuck]",
        "[unstuck]\n",
        "\"a\":",
        "=",
        "=1%",
        " 1%",
        "█",
        "█1%",
        "1m",
        "1h ",
        "Nov 1 ",
        "pid ",
        "0x1",
        "-1234",
        "\\\"a\":\"",
        "1m 1m ",
        "1%|====| 1/1 [",
        "\n  1. ",
        "deadbeef-1234-",
    ] {
        // What is quadratic would take minutes here, and be stopped by the test runner.
        let json = Json::string(&unit.repeat(size / unit.len()));
        assert!(
            normalize(json.as_str()).len() <= json.as_str().len(),
            "{unit:?}"
        );
    }
}
