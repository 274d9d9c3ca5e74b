//! Finds comparisons that another spelling of the same value escapes.
//!
//! To Cedar `"7" == 7` is false. A server that takes an integer may take the string as well, so a policy that forbids 7
//! by `==` does not forbid it. `<`, `like` and arithmetic fail on a value of another type, and a `forbid` that fails
//! forbids.

use serde_json::Value;

use super::{
    needs::Needs,
    numbers,
    tree::{Tree, context_path, parts},
};

/// Operators that are false, not wrong, for values of different types.
const EQUALITIES: [&str; 5] = ["==", "!=", "contains", "containsAll", "containsAny"];

/// One comparison: its byte offset in the policy, and what to write in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Untyped {
    pub(super) at: usize,
    pub(super) message: String,
}

/// The comparisons of a policy that depend on how an argument is spelled.
pub(super) fn untyped(tree: &Tree, needs: &Needs) -> Vec<Untyped> {
    let mut found = Vec::new();
    walk(&tree.json["conditions"], needs, &mut found);
    let mut untyped: Vec<Untyped> = Vec::new();
    for Comparison { path, literal } in found {
        let message = literal.advice(&path);
        if untyped.iter().all(|known| known.message != message) {
            let at = place(&tree.source, &path);
            untyped.push(Untyped { at, message });
        }
    }
    untyped
}

struct Comparison {
    /// Names behind `context.arguments`.
    path: Vec<String>,
    literal: Literal,
}

/// A value in the text of a policy that servers read in several spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Literal {
    Number(String),
    NumberInText(String),
    Boolean(bool),
}

fn walk(expression: &Value, needs: &Needs, found: &mut Vec<Comparison>) {
    for operator in EQUALITIES {
        let Some(compared) = expression.get(operator) else {
            continue;
        };
        let sides = [&compared["left"], &compared["right"]];
        for (argument, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if let Some(path) = argument_in(argument)
                && let Some(literal) = literal_in(other)
                && !is_typed(&path, needs)
            {
                found.push(Comparison { path, literal });
            }
        }
    }
    parts(expression).for_each(|part| walk(part, needs, found));
}

/// Whether the policy asks for the type of this argument as well.
fn is_typed(path: &[String], needs: &Needs) -> bool {
    matches!(path, [name] if needs.types.contains(name))
}

/// The argument whose value an expression has, or has somewhere in it. Arithmetic has no such value: it fails on
/// everything but integers.
fn argument_in(expression: &Value) -> Option<Vec<String>> {
    if let Some(path) = context_path(expression) {
        return match path[..] {
            ["arguments", ref names @ ..] => {
                Some(names.iter().map(|name| (*name).to_owned()).collect())
            }
            _ => None,
        };
    }
    let values = expression.get("Set").or_else(|| expression.get("Record"));
    let of_values = values.and_then(|values| parts(values).find_map(argument_in));
    of_values.or_else(|| {
        let choice = expression.get("if-then-else")?;
        argument_in(&choice["then"]).or_else(|| argument_in(&choice["else"]))
    })
}

fn literal_in(expression: &Value) -> Option<Literal> {
    match expression.get("Value") {
        Some(Value::Number(number)) => return Some(Literal::Number(number.to_string())),
        Some(Value::Bool(value)) => return Some(Literal::Boolean(*value)),
        Some(Value::String(text)) if numbers::is_number(text) => {
            return Some(Literal::NumberInText(text.trim().to_owned()));
        }
        Some(_) => return None,
        None => {}
    }
    if let Some(Literal::Number(number)) = expression
        .get("neg")
        .and_then(|negated| literal_in(&negated["arg"]))
    {
        return Some(Literal::Number(format!("-{number}")));
    }
    // Members of the context are not literals, and a set or a sum is one if something in it is.
    if context_path(expression).is_some() {
        return None;
    }
    ["Set", "Record", "+", "-", "*", "if-then-else"]
        .iter()
        .filter_map(|kind| expression.get(*kind))
        .find_map(|inner| parts(inner).find_map(literal_in))
}

impl Literal {
    fn advice(&self, path: &[String]) -> String {
        let compared = shown("arguments", path);
        let top = path.first().map_or("NAME", String::as_str);
        let numbers = shown("numbers", &[top.to_owned()]);
        let types = shown("types", &[top.to_owned()]);
        let has = format!("context.numbers has {}", name(top));
        match self {
            Self::Number(number) => format!(
                "`{compared}` is compared with the number {number}, but \"{number}\", \"00{number}\" and \" {number} \" \
                 are other values to Cedar and {number} to many servers; to forbid the number, write \
                 `{has} && {numbers}.contains({number})`; to permit it, add `{types} == \"integer\"`"
            ),
            Self::NumberInText(number) => format!(
                "`{compared}` is compared with the text \"{number}\", but {number} and \" {number} \" are other values \
                 to Cedar and the same to many servers; to forbid it, write `{has} && \
                 {numbers}.contains({number})`; to permit it, add `{types} == \"string\"`"
            ),
            Self::Boolean(value) => format!(
                "`{compared}` is compared with {value}, but \"{value}\" and {} are other values to Cedar and {value} to \
                 many servers; use the argument itself as the condition (`{compared}` or `!{compared}`), which fails \
                 closed on every other type, or add `{types} == \"boolean\"`",
                u8::from(*value)
            ),
        }
    }
}

/// `context.RECORD.NAME…` as it is written in a policy.
fn shown(record: &str, path: &[String]) -> String {
    let mut text = format!("context.{record}");
    for member in path {
        if is_identifier(member) {
            text = text + "." + member;
        } else {
            text = format!("{text}[{}]", name(member));
        }
    }
    text
}

/// A name as `has` takes it.
fn name(member: &str) -> String {
    if is_identifier(member) {
        member.to_owned()
    } else {
        format!("\"{}\"", member.escape_debug())
    }
}

fn is_identifier(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Where the argument is first read in the policy's text. Trees carry no places, so this is a search for its name.
fn place(source: &str, path: &[String]) -> usize {
    let last = path.last().map_or("arguments", String::as_str);
    let spellings = [
        shown("arguments", path),
        format!(".{last}"),
        format!("[\"{last}\"]"),
    ];
    let places = spellings
        .iter()
        .filter_map(|spelling| source.find(spelling));
    places.into_iter().next().unwrap_or(0)
}
