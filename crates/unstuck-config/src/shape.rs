//! The allowed contents of a file: the schema, converted once into a form that is easy to walk.

use std::sync::LazyLock;

use serde_json::Value;

use crate::schema::{RAW, prose};

/// The whole file.
pub(crate) static FILE: LazyLock<Table> = LazyLock::new(|| match shape(&RAW, &RAW) {
    Shape::Table(table) => table,
    Shape::List(_) | Shape::Map(_) | Shape::Value(_) => Table::default(),
});

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    List(Box<Self>),
    /// A table with arbitrary keys, whose values all have one shape.
    Map(Box<Self>),
    Table(Table),
    Value(Accepts),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) description: String,
    /// In the order in which they are declared.
    pub(crate) keys: Vec<Key>,
    /// Keys that an entry of a list cannot do without.
    pub(crate) required: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) shape: Shape,
}

/// The allowed forms of a single value; several of these may be set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accepts {
    pub(crate) boolean: bool,
    pub(crate) integer: Option<(i64, i64)>,
    /// Any number from this one on.
    pub(crate) number: Option<f64>,
    pub(crate) text: Option<Text>,
    pub(crate) words: Vec<Word>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Any,
    /// With placeholders.
    Template,
}

#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) word: String,
    pub(crate) description: String,
}

impl Table {
    pub(crate) fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| key.name.as_str())
    }
}

impl Accepts {
    /// In words: `true or false`, `a whole number from 1 to 16`.
    pub(crate) fn expected(&self) -> String {
        let mut parts = Vec::new();
        if self.boolean {
            parts.push("true or false".to_owned());
        }
        if let Some((least, most)) = self.integer {
            parts.push(if most < i64::from(u32::MAX) {
                format!("a whole number from {least} to {most}")
            } else {
                format!("a whole number of at least {least}")
            });
        }
        if let Some(least) = self.number {
            parts.push(format!("a number of at least {least}"));
        }
        match self.text {
            Some(Text::Any) => parts.push("a string".to_owned()),
            Some(Text::Template) => parts.push("a text".to_owned()),
            None => {}
        }
        parts.extend(self.words.iter().map(|word| format!("\"{}\"", word.word)));
        or(&parts)
    }
}

/// `a, b or c`.
pub(crate) fn or(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

fn shape(schema: &Value, root: &Value) -> Shape {
    if schema.get("properties").is_some() {
        return Shape::Table(table(schema, root));
    }
    if let Some(values) = schema
        .get("additionalProperties")
        .filter(|one| one.is_object())
    {
        return Shape::Map(Box::new(shape(values, root)));
    }
    if let Some(items) = schema.get("items") {
        return Shape::List(Box::new(shape(items, root)));
    }
    if let Some(target) = referred(schema, root)
        && (target.get("properties").is_some() || target.get("items").is_some())
    {
        return shape(target, root);
    }
    let mut accepts = Accepts::default();
    accept(schema, root, &mut accepts);
    Shape::Value(accepts)
}

fn table(schema: &Value, root: &Value) -> Table {
    let required: Vec<_> = strings(&schema["required"]).map(str::to_owned).collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut keys: Vec<_> = properties
        .map(|(name, property)| Key {
            name: name.clone(),
            description: description(property),
            shape: shape(property, root),
        })
        .collect();
    // Properties come sorted by name. Those that complete settings cannot do without are listed as declared; for the
    // others at least thresholds are in order.
    let declared = |name: &str| {
        let rank = |names: &[&str]| names.iter().position(|one| *one == name);
        let at = required.iter().position(|one| one == name);
        let rung = rank(&["enabled", "nudge", "warning", "critical", "deny", "halt"]);
        (at.unwrap_or(usize::MAX), rung.unwrap_or(usize::MAX))
    };
    keys.sort_by_key(|key| declared(&key.name));
    Table {
        description: description(schema),
        keys,
        required,
    }
}

fn accept(schema: &Value, root: &Value, accepts: &mut Accepts) {
    if let Some(target) = referred(schema, root) {
        accept(target, root, accepts);
        if schema["$ref"] == "#/$defs/Template" {
            accepts.text = Some(Text::Template);
        }
    }
    for alternatives in ["oneOf", "anyOf"] {
        let alternatives = schema[alternatives].as_array();
        for alternative in alternatives.into_iter().flatten() {
            accept(alternative, root, accepts);
        }
    }
    let constant = schema["const"].as_str();
    let words: Vec<_> = constant
        .into_iter()
        .chain(strings(&schema["enum"]))
        .collect();
    if !words.is_empty() {
        accepts.words.extend(words.into_iter().map(|word| Word {
            word: word.to_owned(),
            description: description(schema),
        }));
        return;
    }
    let one = schema["type"].as_str();
    for kind in one.into_iter().chain(strings(&schema["type"])) {
        match kind {
            "boolean" => accepts.boolean = true,
            "integer" => accepts.integer = Some(range(schema)),
            "number" => accepts.number = Some(schema["minimum"].as_f64().unwrap_or(f64::MIN)),
            "string" => accepts.text = Some(Text::Any),
            _ => {}
        }
    }
}

fn range(schema: &Value) -> (i64, i64) {
    let most = match schema["format"].as_str() {
        Some("uint8") => u8::MAX.into(),
        Some("uint32") => u32::MAX.into(),
        // TOML has no larger integers.
        _ => i64::MAX,
    };
    (
        schema["minimum"].as_i64().unwrap_or(i64::MIN),
        schema["maximum"].as_i64().unwrap_or(most),
    )
}

fn referred<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(schema["$ref"].as_str()?.strip_prefix('#')?)
}

fn description(schema: &Value) -> String {
    prose(schema["description"].as_str().unwrap_or_default())
}

fn strings(array: &Value) -> impl Iterator<Item = &str> {
    let array = array.as_array().into_iter().flatten();
    array.filter_map(Value::as_str)
}
