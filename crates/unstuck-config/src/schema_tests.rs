use serde_json::Value;
use unstuck::{RuleName, Settings};

use super::{prose, schema};

#[test]
fn every_rule_has_options_and_texts() {
    let schema = schema();
    for rule in RuleName::ALL {
        for table in ["Rules", "Texts"] {
            let pointer = format!("/$defs/{table}/properties/{rule}/$ref");
            assert!(schema.pointer(&pointer).is_some(), "{pointer}");
        }
    }
}

#[test]
fn every_key_of_the_settings_is_described() {
    fn visit(root: &Value, schema: &Value, settings: &Value, path: &str) {
        let target = schema["$ref"]
            .as_str()
            .and_then(|target| root.pointer(&target[1..]));
        let table = target.unwrap_or(schema);
        for (key, value) in settings.as_object().into_iter().flatten() {
            let path = format!("{path}.{key}");
            let property = &table["properties"][key];
            assert!(property["description"].is_string(), "{path}");
            if !value.is_object() {
                assert_eq!(property["default"], *value, "{path}");
            }
            visit(root, property, value, &path);
        }
    }
    let schema = schema();
    let settings = serde_json::to_value(Settings::default()).expect("JSON");
    visit(&schema, &schema, &settings, "");
}

#[test]
fn only_entries_for_tools_and_models_need_keys() {
    fn required<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
        match schema {
            Value::Object(object) => {
                found.extend(object.get("required"));
                object.values().for_each(|value| required(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| required(value, found)),
            _ => {}
        }
    }
    let schema = schema();
    let mut found = Vec::new();
    required(&schema, &mut found);
    // Members are in the order of the settings or of the alphabet, whichever way JSON is built.
    found.sort_by_key(|keys| std::cmp::Reverse(keys.to_string()));
    let tool = serde_json::json!(["tool"]);
    let price = serde_json::json!(["input", "output"]);
    assert_eq!(found, [&tool, &price]);
}

#[test]
fn there_is_no_null_in_toml() {
    assert!(!schema().to_string().contains("\"null\""));
}

#[test]
fn the_schema_says_what_it_is() {
    let schema = schema();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(schema["title"], "unstuck.toml");
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn descriptions_are_prose() {
    assert_eq!(prose("One.\n\n```\nuse x;\n```"), "One.");
    assert_eq!(prose("One.\n\n```\nuse x;\n```\n\nTwo."), "One.\n\nTwo.");
}
