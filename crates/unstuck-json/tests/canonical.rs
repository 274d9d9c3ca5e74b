//! The canonical form, by the vectors every implementation shares and against another one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use unstuck_json::Json;
use unstuck_json::{JsonKind, JsonRef};

const VECTORS: &str = include_str!("../../../conformance/canonical.jsonl");

#[test]
fn every_vector_holds() {
    let mut rows = 0;
    for line in VECTORS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row["json"].as_str().unwrap();
        let canonical = Json::parse(text);
        if row["error"] == true {
            assert!(canonical.is_err(), "accepted {text}");
        } else {
            let canonical = canonical.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(canonical.as_str(), row["canonical"].as_str().unwrap());
            assert_eq!(sha256(canonical.as_str()), row["sha256"].as_str().unwrap());
        }
        rows += 1;
    }
    assert_eq!(rows, 101);
}

#[test]
fn constructors_give_canonical_text() {
    assert_eq!(Json::null().as_str(), "null");
    assert_eq!(Json::default(), Json::null());
    assert_eq!(Json::empty_object(), Json::parse(" { } ").unwrap());
    let text = "a\"\\\u{8}\t\n\u{c}\r\u{1}é/\u{2028}😀";
    let json = Json::string(text);
    assert_eq!(
        json.to_string(),
        "\"a\\\"\\\\\\b\\t\\n\\f\\r\\u0001é/\u{2028}😀\""
    );
    assert_eq!(json.view().text().unwrap(), text);
    assert_eq!(Json::from(json.view()), json);
}

#[test]
fn agrees_with_another_implementation_of_rfc_8785() {
    agree_with_rfc_8785(2_000);
}

#[test]
#[ignore = "a million values take a minute even when optimised"]
fn agrees_with_another_implementation_of_rfc_8785_at_length() {
    agree_with_rfc_8785(1_000_000);
}

/// Where integers are safe as doubles, the exact form and RFC 8785 are the same.
fn agree_with_rfc_8785(cases: u32) {
    fixed_runner(cases)
        .run(&value(), |value| {
            let expected = serde_json_canonicalizer::to_string(&value).unwrap();
            let json = Json::parse(&spelled(&value)).unwrap();
            prop_assert_eq!(json.as_str(), &expected);
            prop_assert_eq!(Json::try_from(value).unwrap(), json);
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_canonical_form_is_its_own() {
    fixed_runner(2_000)
        .run(&value(), |value| {
            let json = Json::from_serialize(&value).unwrap();
            prop_assert_eq!(&Json::parse(json.as_str()).unwrap(), &json);
            prop_assert_eq!(
                &serde_json::from_str::<Json>(&serde_json::to_string(&json).unwrap()).unwrap(),
                &json
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_order_of_members_does_not_matter() {
    let shuffled = vec((text(), value()), 0..8)
        .prop_map(|mut members| {
            members.sort_by(|left, right| left.0.cmp(&right.0));
            members.dedup_by(|left, right| left.0 == right.0);
            members
        })
        .prop_flat_map(|members| (Just(members.clone()), Just(members).prop_shuffle()));
    fixed_runner(1_000)
        .run(&shuffled, |(one, other)| {
            prop_assert_eq!(
                Json::parse(&object(&one)).unwrap(),
                Json::parse(&object(&other)).unwrap()
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn views_agree_with_a_parsed_tree() {
    fixed_runner(2_000)
        .run(&value(), |value| {
            let json = Json::from_serialize(&value).unwrap();
            prop_assert_eq!(tree(json.view()), number_free(&value));
            if let Value::Object(members) = &value {
                for (key, member) in members {
                    let found = json.view().get(key).map(tree);
                    prop_assert_eq!(found, Some(number_free(member)));
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn no_bytes_make_it_panic() {
    let soup = vec(
        prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "\"a\":", "1", "-", ".",
                "e", "null", "true", " ", "é", "😀",
            ])
            .prop_map(|token| token.as_bytes().to_vec()),
        ],
        0..80,
    );
    fixed_runner(20_000)
        .run(&soup, |soup| {
            if let Ok(json) = Json::from_slice(&soup.concat()) {
                prop_assert_eq!(&Json::parse(json.as_str()).unwrap(), &json);
                tree(json.view());
            }
            Ok(())
        })
        .unwrap();
}

/// The same values on every run and machine.
fn fixed_runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(8785),
        ..Config::default()
    })
}

fn value() -> impl Strategy<Value = Value> {
    const SAFE: i64 = (1 << 53) - 1;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-SAFE..=SAFE).prop_map(Value::from),
        (-1000_i64..1000).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1000.0..1000.0).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(text(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let characters = prop_oneof![
        4 => prop::char::range(' ', '~'),
        2 => prop::char::range('\0', '\u{1f}'),
        1 => prop::sample::select(vec!['"', '\\', '/', '\u{7f}', '\u{2028}', '\u{e000}', '\u{ffff}', '\u{10000}']),
        1 => any::<char>(),
    ];
    prop_oneof![
        4 => vec(characters.clone(), 0..5),
        1 => vec(characters, 0..80),
    ]
    .prop_map(|characters| characters.into_iter().collect())
}

/// The value as a text with more whitespace and escapes than needed.
fn spelled(value: &Value) -> String {
    match value {
        Value::String(text) => escaped(text),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(spelled).collect();
            format!("[ {} ]", elements.join("\n,\t"))
        }
        Value::Object(members) => {
            let members: Vec<_> = members.clone().into_iter().rev().collect();
            object(&members)
        }
        scalar => format!(" {scalar}\r\n"),
    }
}

fn object(members: &[(String, Value)]) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(key, value)| format!("{} : {}", escaped(key), spelled(value)))
        .collect();
    format!("{{ {} }}", members.join(" , "))
}

/// Every third character as `\u`, the rest as `serde_json` writes it.
fn escaped(text: &str) -> String {
    let mut out = String::from("\"");
    for (place, character) in text.chars().enumerate() {
        if place % 3 == 2 {
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04X}").unwrap();
            }
        } else {
            let quoted = serde_json::to_string(&character).unwrap();
            out.push_str(&quoted[1..quoted.len() - 1]);
        }
    }
    out + "\""
}

/// The value rebuilt through the views, numbers as text.
fn tree(view: JsonRef<'_>) -> Value {
    match view.kind() {
        JsonKind::Null => Value::Null,
        JsonKind::Bool => view.boolean().unwrap().into(),
        JsonKind::Number => {
            let double = view.number().unwrap();
            assert!(double.is_finite());
            format!("{double}").into()
        }
        JsonKind::String => view.text().unwrap().into(),
        JsonKind::Array => view.elements().map(tree).collect(),
        JsonKind::Object => {
            let members: Map<String, Value> = view
                .members()
                .map(|(key, value)| (key.into_owned(), tree(value)))
                .collect();
            members.into()
        }
    }
}

/// The value with its numbers as [`tree`] gives them.
fn number_free(value: &Value) -> Value {
    match value {
        // Zero has no sign in the canonical form.
        Value::Number(number) => format!("{}", number.as_f64().unwrap() + 0.0).into(),
        Value::Array(elements) => elements.iter().map(number_free).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), number_free(value)))
            .collect(),
        other => other.clone(),
    }
}

fn sha256(text: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(text) {
        write!(hex, "{byte:02x}").unwrap();
    }
    hex
}
