use serde_json::Value;

use super::*;

fn compose(value: &Value, composer: &mut Composer) {
    match value {
        Value::Null => composer.null(),
        Value::Bool(value) => composer.boolean(*value),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => composer.integer(integer),
            None => composer.number(&number.to_string()),
        },
        Value::String(text) => composer.string(text),
        Value::Array(elements) => {
            composer.begin_array();
            for element in elements {
                compose(element, composer);
            }
            composer.end();
        }
        Value::Object(members) => {
            composer.begin_object();
            for (name, value) in members {
                composer.name(name);
                compose(value, composer);
            }
            composer.end();
        }
    }
}

fn composed(with: impl FnOnce(&mut Composer)) -> String {
    let mut composer = Composer::with_capacity(16);
    with(&mut composer);
    let json = composer.finish().unwrap();
    assert_eq!(Json::parse(json.as_str()).as_ref(), Ok(&json));
    json.as_str().to_owned()
}

#[test]
fn every_vector_is_composed_to_what_it_is_parsed_to() {
    let mut rows = 0;
    for line in include_str!("../../../conformance/canonical.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let Some(canonical) = row["canonical"].as_str() else {
            continue;
        };
        let value: Value = serde_json::from_str(row["json"].as_str().unwrap()).unwrap();
        let text = composed(|composer| compose(&value, composer));
        assert_eq!(text, canonical);
        rows += 1;
    }
    assert!(rows > 50, "{rows}");
}

#[test]
fn of_two_members_with_one_name_the_last_is_taken_and_the_rest_is_in_order() {
    let text = composed(|composer| {
        composer.begin_object();
        for (name, value) in [("b", 1), ("a", 2), ("b", 3), ("\u{1}", 4), ("a", 5)] {
            composer.name(name);
            composer.begin_object();
            for inner in ["z", "y"] {
                composer.name(inner);
                composer.integer(value);
            }
            composer.end();
        }
        composer.end();
    });
    let expected = r#"{"\u0001":{"y":4,"z":4},"a":{"y":5,"z":5},"b":{"y":3,"z":3}}"#;
    assert_eq!(text, expected);
}

#[test]
fn many_levels_out_of_order_are_put_in_order_in_one_pass() {
    let depth = 120;
    let filler = "f".repeat(4_096);
    let text = composed(|composer| {
        for _ in 0..depth {
            composer.begin_object();
            composer.name("z");
            composer.string(&filler);
            composer.name("a");
        }
        composer.null();
    });
    let mut expected = "null".to_owned();
    for _ in 0..depth {
        expected = format!(r#"{{"a":{expected},"z":"{filler}"}}"#);
    }
    assert_eq!(text, expected);
}

#[test]
fn calls_out_of_turn_are_still_one_value() {
    assert_eq!(composed(|_| ()), "null");
    assert_eq!(composed(Composer::end), "null");
    let missing_value = composed(|composer| {
        composer.begin_array();
        composer.name("ignored");
        composer.begin_object();
        composer.name("a");
        composer.name("ignored");
    });
    assert_eq!(missing_value, r#"[{"a":null}]"#);
    let missing_name = composed(|composer| {
        composer.begin_object();
        composer.integer(1);
        composer.boolean(true);
    });
    assert_eq!(missing_name, r#"{"":true}"#);
    let two_values = composed(|composer| {
        composer.begin_object();
        composer.name("b");
        composer.null();
        composer.name("a");
        composer.null();
        composer.end();
        composer.string("last");
    });
    assert_eq!(two_values, r#""last""#);
}

#[test]
fn numbers_are_spelled_canonically_and_what_is_none_is_a_string() {
    let text = composed(|composer| {
        composer.begin_array();
        for number in [
            "1.0",
            "-0",
            "1E2",
            "18446744073709551615",
            "1e400",
            "NaN",
            "1 ",
            "",
        ] {
            composer.number(number);
        }
        composer.json(Json::string("\n").view());
        composer.integer(i64::MIN);
    });
    let expected =
        r#"[1,0,100,18446744073709551615,"1e400","NaN","1 ","","\n",-9223372036854775808]"#;
    assert_eq!(text, expected);
}

#[test]
fn a_value_that_is_nested_too_deeply_is_an_error() {
    for (levels, is_ok) in [(128, true), (129, false), (100_000, false)] {
        let mut composer = Composer::default();
        for _ in 0..levels {
            composer.begin_array();
        }
        assert_eq!(composer.finish().is_ok(), is_ok, "{levels}");
    }
}
