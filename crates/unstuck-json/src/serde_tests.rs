use serde_json::json;

use super::*;

const MIXED: &str =
    r#"{"":null,"a":[true,-1,18446744073709551615,1.5,1e+21,"\"é\u0001"],"b":{"c":{},"d":[]}}"#;

#[test]
fn a_human_readable_format_sees_the_value() {
    let json = Json::parse(MIXED).unwrap();
    assert_eq!(
        serde_json::to_value(&json).unwrap(),
        serde_json::from_str::<serde_json::Value>(MIXED).unwrap()
    );
    let text = serde_json::to_string(&json).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), json);
}

#[test]
fn a_binary_format_sees_the_canonical_text() {
    let json = Json::parse(MIXED).unwrap();
    let bytes = postcard::to_allocvec(&json).unwrap();
    assert_eq!(bytes, postcard::to_allocvec(MIXED).unwrap());
    assert_eq!(postcard::from_bytes::<Json>(&bytes).unwrap(), json);
    let broken = postcard::to_allocvec("{").unwrap();
    assert!(postcard::from_bytes::<Json>(&broken).is_err());
}

#[test]
fn values_of_rust_become_canonical() {
    let json = Json::from_serialize(&("b", 1.0, Some(2), f64::NAN)).unwrap();
    assert_eq!(json.as_str(), r#"["b",1,2,null]"#);
    let json = Json::try_from(json!({"b": [1.0], "a": "é"})).unwrap();
    assert_eq!(json.as_str(), r#"{"a":"é","b":[1]}"#);
}

#[test]
fn a_value_without_a_json_form_is_an_error() {
    let keyed_by_a_list = std::collections::BTreeMap::from([(vec![1], 2)]);
    let error = Json::from_serialize(&keyed_by_a_list).unwrap_err();
    assert!(matches!(error, JsonError::Serialize { .. }), "{error}");
    assert_eq!(error.offset(), None);
}

#[test]
fn plain_values_become_their_json() {
    assert_eq!(Json::from(u64::MAX).as_str(), "18446744073709551615");
    assert_eq!(Json::from(i64::MIN).as_str(), "-9223372036854775808");
    assert_eq!(Json::from(false), Json::parse("false").unwrap());
    assert_eq!(Json::from("a \"b\""), Json::string("a \"b\""));
}
