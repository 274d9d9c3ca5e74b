use proptest::prelude::{Just, Strategy as _};

use super::*;

fn canonical(text: &str) -> Result<String, JsonError> {
    Json::parse(text).map(|json| json.as_str().to_owned())
}

#[test]
fn members_out_of_order_are_sorted_at_every_level() {
    let text = r#"{"b":{"z":[{"d":1,"c":2}],"y":0},"a":"","c":{},"B":{"2":2,"10":1}}"#;
    let expected = r#"{"B":{"10":1,"2":2},"a":"","b":{"y":0,"z":[{"c":2,"d":1}]},"c":{}}"#;
    assert_eq!(canonical(text).unwrap(), expected);
}

#[test]
fn of_duplicate_keys_the_last_wins_wherever_they_stand() {
    for (text, expected) in [
        (r#"{"a":1,"a":2,"a":3}"#, r#"{"a":3}"#),
        (r#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
        (r#"{"b":1,"a":2,"b":3,"a":4}"#, r#"{"a":4,"b":3}"#),
        (r#"{"\n":1,"\u000a":2}"#, r#"{"\n":2}"#),
    ] {
        assert_eq!(canonical(text).unwrap(), expected);
    }
    // More members than the insertion sort of short slices takes.
    let members: Vec<String> = (0..2000)
        .map(|n| format!(r#""{}":{n}"#, n * 7 % 100))
        .collect();
    let json = canonical(&format!("{{{}}}", members.join(","))).unwrap();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 100);
    assert!(
        (0..100).all(|n| value[(n * 7 % 100).to_string()] == 1900 + n),
        "{json}"
    );
}

#[test]
fn an_error_leaves_the_output_and_the_scratch_usable() {
    let mut scratch = Scratch::default();
    let mut out = String::from("before");
    let broken = r#"{"b":1,"a":{"d":1,"c":[1,}}}"#;
    let error = Scanner::new(broken, &mut scratch).canonical_into(&mut out);
    assert_eq!(
        error.unwrap_err().to_string(),
        "expected a value at byte 25"
    );
    assert_eq!(out, "before");
    assert!(Scanner::new(broken, &mut scratch).canonical().is_err());
    let json = Scanner::new(r#"{"b":1,"a":2}"#, &mut scratch).canonical();
    assert_eq!(json.unwrap().as_str(), r#"{"a":2,"b":1}"#);
}

#[test]
fn a_huge_value_does_not_keep_its_memory() {
    let mut scratch = Scratch::default();
    let filler = "x".repeat(3 << 20);
    let text = format!(r#"{{"b":"{filler}","a":1}}"#);
    Scanner::new(&text, &mut scratch).canonical().unwrap();
    assert!(scratch.value.capacity() <= KEEP_CAPACITY);
    assert!(scratch.ordered.capacity() <= KEEP_CAPACITY);
}

#[test]
fn ten_thousand_levels_are_refused_at_the_first_too_many() {
    for (open, per_level) in [("[", 1), (r#"{"a":"#, 5)] {
        let text = open.repeat(10_000);
        assert_eq!(
            canonical(&text),
            Err(JsonError::TooDeep {
                at: 128 * per_level
            })
        );
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    for (text, message) in [
        ("", "unexpected end of input"),
        ("  [1", "unexpected end of input"),
        (r#"{"a":"b"#, "unexpected end of input"),
        (r#"{"a":1;"b":2}"#, "expected `,` or `}` at byte 6"),
        (r#"{"a":"\ud800"}"#, "lone surrogate in a string at byte 6"),
        ("[1,1e400]", "number beyond a double at byte 3"),
        ("[\"\n\"]", "raw control character in a string at byte 2"),
        (r#"["\q"]"#, "unknown escape in a string at byte 2"),
        ("[nope]", "expected a value at byte 1"),
        ("-", "unexpected end of input"),
        ("[-a]", "expected a digit at byte 2"),
        ("{} {}", "unexpected text after the value at byte 3"),
    ] {
        assert_eq!(canonical(text).unwrap_err().to_string(), message, "{text}");
    }
    assert_eq!(
        Json::from_slice(b"\"abc\xff\"").unwrap_err().to_string(),
        "invalid UTF-8 at byte 4"
    );
}

/// Objects nested `depth` deep, `width` of them side by side, each with its keys in reverse and one key twice.
fn nested(depth: usize, width: usize, filler: &str) -> String {
    let mut value = format!("\"{filler}\"");
    for level in 0..depth {
        value = format!(r#"{{"z":[{level},{{"y":1,"x":2}}],"b":{value},"z":{level},"a":{{}}}}"#);
    }
    format!("[{}]", vec![value; width].join(","))
}

#[test]
fn objects_that_are_ordered_late_are_ordered_as_others() {
    for (depth, width, filler) in [(1, 1, 1), (3, 2, 9), (60, 40, 3_000), (120, 2, 200_000)] {
        let text = nested(depth, width, &"f".repeat(filler));
        let ordered = canonical(&text).unwrap();
        let reference: serde_json::Value = serde_json::from_str(&text).unwrap();
        let expected = serde_json_canonicalizer::to_string(&reference).unwrap();
        assert!(ordered == expected, "{depth} {width} {filler}");
        let mut scratch = Scratch::default();
        let strict = Scanner::new(&text, &mut scratch).strict().check_value();
        assert!(matches!(strict, Err(JsonError::DuplicateKey { .. })));
    }
}

/// The value with its members in the order that the numbers choose, and the first member of each object once more at its
/// beginning with another value.
fn shuffled(value: &serde_json::Value, numbers: &mut impl Iterator<Item = usize>) -> String {
    match value {
        serde_json::Value::Object(members) => {
            let mut texts: Vec<String> = Vec::new();
            for (key, value) in members {
                let place = numbers.next().unwrap() % (texts.len() + 1);
                let key = serde_json::to_string(key).unwrap();
                texts.insert(place, format!("{key}:{}", shuffled(value, numbers)));
            }
            if let Some((key, _)) = members.iter().next() {
                let key = serde_json::to_string(key).unwrap();
                texts.insert(0, format!(r#"{key}:{{"z":[{{"b":0,"a":0}}],"y":1}}"#));
            }
            format!("{{{}}}", texts.join(","))
        }
        serde_json::Value::Array(elements) => {
            let elements = elements.iter().map(|element| shuffled(element, numbers));
            format!("[{}]", elements.collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

proptest::proptest! {
    #[test]
    fn the_order_of_members_never_shows(
        value in proptest::prelude::any::<u8>().prop_map(serde_json::Value::from).prop_recursive(8, 64, 5, |inner| {
            proptest::prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                proptest::collection::btree_map("[a-d\u{e9}\u{10000}]{1,2}", inner, 0..5)
                    .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        }),
        numbers in proptest::collection::vec(0_usize..8, 16),
        free in proptest::prelude::prop_oneof![Just(0_usize), Just(40), Just(64 << 10)],
    ) {
        let expected = serde_json_canonicalizer::to_string(&value).unwrap();
        let text = shuffled(&value, &mut numbers.into_iter().cycle());
        let mut scratch = Scratch {
            limit: MoveLimit { per_byte: 0, free },
            ..Scratch::default()
        };
        let json = Scanner::new(&text, &mut scratch).canonical().unwrap();
        proptest::prop_assert_eq!(json.as_str(), expected);
    }
}

#[test]
fn nesting_moves_no_byte_once_a_level() {
    let text = nested(120, 1, &"f".repeat(1 << 20));
    let mut scratch = Scratch::default();
    let mut out = String::new();
    Scanner::new(&text, &mut scratch)
        .canonical_into(&mut out)
        .unwrap();
    assert!(!scratch.late.is_empty());
    assert!(scratch.moved <= MoveLimit::default().of(text.len()));
}
