//! A value to be written into a configuration file, with its keys in the order they are to appear.

use serde_json::Value;

/// A value of a configuration file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Node {
    /// A string.
    Text(String),
    /// A number.
    Number(u64),
    /// A list.
    List(Vec<Self>),
    /// A table, or object.
    Table(Vec<(&'static str, Self)>),
}

/// How a value is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout<'a> {
    /// On one line.
    Inline,
    /// On lines of their own, the first of them starting behind `indent`.
    Lines {
        newline: &'a str,
        indent: &'a str,
        unit: &'a str,
    },
}

impl Node {
    pub(crate) fn to_json(&self, layout: Layout<'_>) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::Number(number) => number.to_string(),
            Self::List(items) => {
                let items = items
                    .iter()
                    .map(|item| item.to_json(deeper(layout, &mut String::new())));
                enclosed('[', &items.collect::<Vec<_>>(), ']', layout)
            }
            Self::Table(members) => {
                let members = members.iter().map(|(key, node)| {
                    let node = node.to_json(deeper(layout, &mut String::new()));
                    format!("{}: {node}", quoted(key))
                });
                enclosed('{', &members.collect::<Vec<_>>(), '}', layout)
            }
        }
    }
}

/// A string as JSON writes it, which TOML reads as well.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn deeper<'a>(layout: Layout<'a>, room: &'a mut String) -> Layout<'a> {
    match layout {
        Layout::Inline => Layout::Inline,
        Layout::Lines {
            newline,
            indent,
            unit,
        } => {
            *room = format!("{indent}{unit}");
            Layout::Lines {
                newline,
                indent: room,
                unit,
            }
        }
    }
}

fn enclosed(open: char, items: &[String], close: char, layout: Layout<'_>) -> String {
    match layout {
        _ if items.is_empty() => format!("{open}{close}"),
        Layout::Inline => format!("{open}{}{close}", items.join(", ")),
        Layout::Lines {
            newline,
            indent,
            unit,
        } => {
            let between = format!(",{newline}{indent}{unit}");
            format!(
                "{open}{newline}{indent}{unit}{}{newline}{indent}{close}",
                items.join(&between)
            )
        }
    }
}
