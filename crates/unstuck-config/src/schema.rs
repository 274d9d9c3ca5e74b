//! The JSON schema of the file.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use unstuck::{Preset, RuleName, Settings};

use crate::{fail::Fail, notify::NotifySettings, prices::Price, spending::SpendingSettings};

const PRICES: &str = "What models cost, for `unstuck scan`: a table for each model, by its name or by a pattern in which `*` stands for any run of characters and `?` for one. Of several patterns that match the longest counts. They override the list prices that are built in.";

const FAIL: &str = "What becomes of calls that cannot be judged or recorded: `open` lets them run, `closed` denies them. Where no file says it, hooks let calls run and `unstuck mcp` denies calls that it cannot record. `UNSTUCK_FAIL` overrides it.";

/// The schema of complete settings, as their types give it.
pub(crate) static RAW: LazyLock<Value> = LazyLock::new(|| {
    let generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Settings>().to_value();
    // The type accepts any string as a key; only names of rules are valid.
    if let Some(texts) = schema.pointer_mut("/$defs/Texts") {
        let one = texts["additionalProperties"].take();
        let all = RuleName::ALL
            .iter()
            .map(|rule| (rule.to_string(), one.clone()));
        texts["properties"] = Value::Object(all.collect());
        texts["additionalProperties"] = Value::Bool(false);
    }
    // What a guard does when it cannot decide is not a setting of the engine either.
    let fail = schemars::schema_for!(Fail).to_value();
    schema["properties"]["fail"] = json!({ "description": FAIL, "oneOf": fail["oneOf"] });
    // Prices are not settings of the engine: they only determine the cost of a loop in reports.
    let price = schemars::schema_for!(Price).to_value();
    schema["properties"]["prices"] = json!({
        "description": PRICES,
        "type": "object",
        "additionalProperties": {
            "description": price["description"],
            "type": "object",
            "properties": price["properties"],
            "required": price["required"],
            "additionalProperties": false,
        },
    });
    let notify = schemars::schema_for!(NotifySettings).to_value();
    schema["properties"]["notify"] = json!({
        "description": notify["description"],
        "type": "object",
        "properties": notify["properties"],
        "additionalProperties": false,
    });
    let spending = schemars::schema_for!(SpendingSettings).to_value();
    schema["properties"]["spending"] = json!({
        "description": spending["description"],
        "type": "object",
        "properties": spending["properties"],
        "additionalProperties": false,
    });
    schema
});

/// The JSON schema of `unstuck.toml`, with the defaults of the preset `standard`.
///
/// ```
/// let schema = unstuck_config::schema();
/// assert_eq!(schema["title"], "unstuck.toml");
/// ```
pub fn schema() -> Value {
    let mut schema = RAW.clone();
    let defaults = serde_json::to_value(Settings::of(Preset::Standard)).unwrap_or_default();
    set_defaults(&mut schema, "", &defaults);
    relax(&mut schema);
    if let Value::Object(root) = &mut schema {
        root.insert("title".into(), json!("unstuck.toml"));
        root.insert(
            "description".into(),
            json!("Settings of unstuck. All keys are optional; defaults are those of the preset `standard`."),
        );
    }
    schema
}

/// Writes the default of every value beside its description. Types of tables are used once each, so a default cannot
/// end up in two places.
fn set_defaults(root: &mut Value, pointer: &str, defaults: &Value) {
    let Value::Object(defaults) = defaults else {
        return;
    };
    for (key, default) in defaults {
        let key = key.replace('~', "~0").replace('/', "~1");
        let property = format!("{pointer}/properties/{key}");
        let Some(Value::Object(found)) = root.pointer_mut(&property) else {
            continue;
        };
        if default.is_object() {
            let table = found.get("$ref").and_then(Value::as_str);
            if let Some(table) = table.and_then(|table| table.strip_prefix('#')) {
                let table = table.to_owned();
                set_defaults(root, &table, default);
            }
        } else {
            found.insert("default".into(), default.clone());
        }
    }
}

/// A file may leave out everything, and TOML has no null. Descriptions lose their examples, which are Rust.
fn relax(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            relax_object(object);
            for value in object.values_mut() {
                relax(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(relax),
        _ => {}
    }
}

fn relax_object(object: &mut Map<String, Value>) {
    // Tables are applied to the preset, so none of their keys is required. An entry for a tool or a price is complete.
    let stands_alone = object.get("required") == Some(&json!(["tool"]))
        || object.get("required") == Some(&json!(["input", "output"]));
    if !stands_alone && object.get("required").is_some_and(Value::is_array) {
        object.remove("required");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|one| one != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            object.insert("type".into(), one);
        }
    }
    if let Some(Value::Array(any)) = object.get_mut("anyOf") {
        any.retain(|one| one["type"] != "null");
        if let [one] = any.as_slice()
            && let Some(reference) = one.get("$ref").cloned()
        {
            object.remove("anyOf");
            object.insert("$ref".into(), reference);
        }
    }
    if let Some(Value::String(description)) = object.get_mut("description") {
        *description = prose(description);
    }
}

/// A description without its examples.
pub(crate) fn prose(description: &str) -> String {
    let prose = description.split("```").step_by(2).map(str::trim);
    let parts: Vec<_> = prose.filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
