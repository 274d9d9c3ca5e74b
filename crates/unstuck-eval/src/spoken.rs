//! Arguments of a `say:` step that are not a string, as the words they are sent as.
//!
//! The reference scorer sends what Python's `json.dumps` writes: a space behind each comma and colon, members in
//! the recorded order. Words are compared by the engine, so ours must be the same.

use std::fmt::{self, Write as _};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// The words a recorded value is sent as.
pub(crate) fn spoken(args: &RawValue) -> Result<String, serde_json::Error> {
    let value: Ordered = serde_json::from_str(args.get())?;
    if let Ordered::Text(text) = value {
        return Ok(text);
    }
    let mut words = String::new();
    value.write(&mut words);
    Ok(words)
}

/// A JSON value whose members stay in their order.
enum Ordered {
    Null,
    Bool(bool),
    Natural(u64),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Ordered {
    fn write(&self, out: &mut String) {
        // Writing into a string cannot fail.
        let _ = match self {
            Self::Null => out.write_str("null"),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Natural(value) => write!(out, "{value}"),
            Self::Integer(value) => write!(out, "{value}"),
            Self::Float(value) => write_float(*value, out),
            Self::Text(text) => {
                write_text(text, out);
                Ok(())
            }
            Self::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    out.push_str(if n > 0 { ", " } else { "" });
                    item.write(out);
                }
                out.write_str("]")
            }
            Self::Object(members) => {
                out.push('{');
                for (n, (name, value)) in members.iter().enumerate() {
                    out.push_str(if n > 0 { ", " } else { "" });
                    write_text(name, out);
                    out.push_str(": ");
                    value.write(out);
                }
                out.write_str("}")
            }
        };
    }
}

/// Shortest digits; an exponent below 0.0001 and from 1e16 on, with a sign and two digits.
fn write_float(value: f64, out: &mut String) -> fmt::Result {
    if value == 0.0 || (1e-4..1e16).contains(&value.abs()) {
        return write!(out, "{value:?}");
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    write!(out, "{digits}e{sign}{exponent:0>2}")
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        let _ = match character {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '\u{8}' => out.write_str("\\b"),
            '\u{c}' => out.write_str("\\f"),
            control if control < ' ' => write!(out, "\\u{:04x}", control as u32),
            other => out.write_char(other),
        };
    }
    out.push('"');
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Ordered;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any JSON value")
            }

            fn visit_unit<E>(self) -> Result<Ordered, E> {
                Ok(Ordered::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
                Ok(Ordered::Bool(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Ordered, E> {
                Ok(Ordered::Natural(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Ordered, E> {
                Ok(Ordered::Integer(value))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Ordered, E> {
                Ok(Ordered::Float(value))
            }

            fn visit_str<E>(self, text: &str) -> Result<Ordered, E> {
                Ok(Ordered::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Ordered, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Ordered::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Ordered, A::Error> {
                let mut object: Vec<(String, Ordered)> = Vec::new();
                while let Some((name, value)) = members.next_entry::<String, Ordered>()? {
                    // Of duplicates the last counts, in the place of the first.
                    match object.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, known)) => *known = value,
                        None => object.push((name, value)),
                    }
                }
                Ok(Ordered::Object(object))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
#[path = "spoken_tests.rs"]
mod tests;
