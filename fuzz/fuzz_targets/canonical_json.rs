//! The canonical form is a fixed point, means the same as what it was made from, and can be looked into.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::Json;
use unstuck_json::JsonRef;

fuzz_target!(|bytes: &[u8]| {
    let Ok(json) = Json::from_slice(bytes) else {
        return;
    };
    let again = Json::parse(json.as_str()).unwrap();
    assert_eq!(again, json);
    walk(json.view());
    // Beyond 2^53 serde_json and we differ on purpose; elsewhere they must agree on what the text means.
    if let (Ok(before), Ok(after)) = (
        serde_json::from_slice::<serde_json::Value>(bytes),
        serde_json::from_str::<serde_json::Value>(json.as_str()),
    ) {
        assert_eq!(shape(&before), shape(&after));
    }
});

fn walk(value: JsonRef<'_>) {
    for (name, member) in value.members() {
        assert_eq!(value.get(&name).map(JsonRef::as_str), Some(member.as_str()));
        walk(member);
    }
    value.elements().for_each(walk);
    let _ = (value.text(), value.number(), value.integer(), value.boolean());
}

/// A value with its numbers as doubles, the way both sides read them.
fn shape(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(number) => Value::from(number.as_f64().unwrap_or_default() + 0.0),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), shape(value)))
            .collect(),
        other => other.clone(),
    }
}
