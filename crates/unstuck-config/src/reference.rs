//! The page about the file. Writing to a string never fails, so those results are dropped.

use std::fmt::Write as _;

use unstuck::{Preset, RuleName, Settings};

use crate::shape::{self, Accepts, Shape, Table, Text};

const START: &str = include_str!("reference_start.md");

/// The page about `unstuck.toml`, as Markdown: every key with its values, its default and its effect.
pub fn reference() -> String {
    let defaults = defaults();
    let mut page = START.to_owned();
    page += "## Keys at the top\n\n";
    page += &rows(&shape::FILE, Some(&defaults));
    for key in &shape::FILE.keys {
        match &key.shape {
            Shape::Table(table) => section(&mut page, &key.name, table, defaults.get(&key.name)),
            Shape::List(one) => {
                if let Shape::Table(table) = &**one {
                    let _ = write!(page, "\n## `[[{}]]`\n\n{}\n\n", key.name, table.description);
                    page += &rows(table, None);
                    for inner in &table.keys {
                        if let Shape::Table(table) = &inner.shape {
                            let name = format!("{}.{}", key.name, inner.name);
                            section(&mut page, &name, table, None);
                        }
                    }
                }
            }
            Shape::Map(one) => {
                let name = &key.name;
                let _ = write!(page, "\n## `[{name}.NAME]`\n\n{}\n\n", key.description);
                if let Shape::Table(table) = &**one {
                    page += &rows(table, None);
                }
            }
            Shape::Value(_) => {}
        }
    }
    page
}

/// The keys of one rule, as a Markdown table.
pub fn rule_reference(rule: RuleName) -> String {
    let defaults = defaults();
    let rules = shape::FILE.key("rules").map(|key| &key.shape);
    let Some(Shape::Table(rules)) = rules else {
        return String::new();
    };
    match rules.key(rule.as_str()).map(|key| &key.shape) {
        Some(Shape::Table(table)) => rows(table, defaults["rules"].get(rule.as_str())),
        _ => String::new(),
    }
}

fn defaults() -> toml::Value {
    let settings = Settings::of(Preset::Standard);
    toml::Value::try_from(settings).unwrap_or_else(|_| toml::Table::new().into())
}

fn section(page: &mut String, path: &str, table: &Table, defaults: Option<&toml::Value>) {
    // All rules may have the same texts: one section for all of them.
    if path == "texts" {
        let one = table.keys.first().map(|key| &key.shape);
        if let Some(Shape::Table(one)) = one {
            let _ = write!(
                page,
                "\n## `[texts.NAME]`\n\nFor the rule NAME. {}\n\n",
                one.description
            );
            *page += &rows(one, None);
        }
        let placeholders: Vec<_> = unstuck::settings::Template::PLACEHOLDERS
            .iter()
            .map(|name| format!("`{{{name}}}`"))
            .collect();
        let _ = write!(
            page,
            "\nPlaceholders: {}. Two braces (`{{{{`, `}}}}`) stand for one.\n",
            placeholders.join(", ")
        );
        return;
    }
    let has_values = table
        .keys
        .iter()
        .any(|key| !matches!(key.shape, Shape::Table(_) | Shape::Map(_)));
    let level = if path.starts_with("rules.") {
        "###"
    } else {
        "##"
    };
    if has_values {
        let _ = write!(page, "\n{level} `[{path}]`\n\n{}\n\n", table.description);
        *page += &rows(table, defaults);
    } else {
        let _ = write!(page, "\n## `[{path}.NAME]`\n\n{}\n", table.description);
    }
    for key in &table.keys {
        if let Shape::Table(table) = &key.shape {
            let defaults = defaults.and_then(|defaults| defaults.get(&key.name));
            section(page, &format!("{path}.{}", key.name), table, defaults);
        }
    }
}

/// The values of a table.
fn rows(table: &Table, defaults: Option<&toml::Value>) -> String {
    let mut rows = match defaults {
        Some(_) => "| key | value | default | what |\n|---|---|---|---|\n",
        None => "| key | value | what |\n|---|---|---|\n",
    }
    .to_owned();
    for key in &table.keys {
        let (value, words) = match &key.shape {
            Shape::Value(accepts) => (value(accepts), words(accepts)),
            Shape::List(one) => match &**one {
                Shape::Value(Accepts {
                    integer: Some((least, most)),
                    ..
                }) => {
                    let value = if *most < i64::from(u32::MAX) {
                        format!("whole numbers from {least} to {most}")
                    } else {
                        format!("whole numbers of at least {least}")
                    };
                    (value, String::new())
                }
                Shape::Value(_) => ("strings".to_owned(), String::new()),
                Shape::List(_) | Shape::Map(_) | Shape::Table(_) => continue,
            },
            Shape::Map(_) | Shape::Table(_) => continue,
        };
        let what = cell(&format!("{}{words}", key.description));
        let _ = match defaults {
            Some(defaults) => {
                let default = defaults.get(&key.name);
                let default = default.map_or("not set".to_owned(), |value| format!("`{value}`"));
                writeln!(rows, "| `{}` | {value} | {default} | {what} |", key.name)
            }
            None => writeln!(rows, "| `{}` | {value} | {what} |", key.name),
        };
    }
    rows
}

fn value(accepts: &Accepts) -> String {
    if accepts.boolean {
        return "`true`, `false`".to_owned();
    }
    let words = accepts
        .words
        .iter()
        .map(|word| format!("`\"{}\"`", word.word));
    let number = accepts.integer.map(|(least, most)| {
        if most < i64::from(u32::MAX) {
            format!("{least} to {most}")
        } else {
            format!("at least {least}")
        }
    });
    let number = number.or(accepts.number.map(|least| format!("at least {least}")));
    let text = accepts.text.map(|text| match text {
        Text::Any => "string".to_owned(),
        Text::Template => "text with placeholders".to_owned(),
    });
    let parts: Vec<_> = number.into_iter().chain(text).chain(words).collect();
    parts.join(", ")
}

/// The meaning of each word, where it is documented.
fn words(accepts: &Accepts) -> String {
    let told = accepts
        .words
        .iter()
        .filter(|word| !word.description.is_empty());
    // The words of a threshold share one description, which the key repeats.
    if accepts.integer.is_some() {
        return String::new();
    }
    told.fold(String::new(), |list, word| {
        format!("{list}<br>`\"{}\"`: {}", word.word, word.description)
    })
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
        .replace("\n\n", "<br>")
        .replace('\n', " ")
}

#[cfg(test)]
#[path = "reference_tests.rs"]
mod tests;
