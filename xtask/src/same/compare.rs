//! Two streams of decisions, line by line. No process here: decisions in, differences out.

use std::io::{self, BufRead};

use serde_json::{Map, Value};

/// Named in place of a field where two decisions have the same values but not the same bytes.
const NOTATION: &str = "(notation)";

/// What a comparison found. No more than one decision of each program is held in memory, beside the first difference.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Compared {
    /// Pairs of decisions.
    pub(super) decisions: u64,
    /// Differences that are not allowed.
    pub(super) differences: u64,
    pub(super) allowed: u64,
    /// The first of `differences`.
    pub(super) first: Option<Difference>,
    /// Which program ended while the other still answered.
    pub(super) ended_early: Option<Side>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Baseline,
    Other,
}

/// Two answers to one event that are not the same.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The number of the line in the stream, where an answer names it.
    pub(super) line: Option<u64>,
    /// `None` where the program has ended.
    pub(super) baseline: Option<String>,
    pub(super) other: Option<String>,
    /// Fields with different values; those of nested objects as `wasted.calls`. Empty where a program has ended.
    pub(super) fields: Vec<Field>,
}

/// A field with both values, as JSON. `None` where a decision does not have it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) baseline: Option<String>,
    pub(super) other: Option<String>,
}

/// Compares until both have ended, or one of them: what comes after a missing answer has no counterpart. `allows` is asked
/// about every difference.
pub(super) fn compare(
    mut baseline: impl BufRead,
    mut other: impl BufRead,
    mut allows: impl FnMut(&Difference) -> bool,
) -> io::Result<Compared> {
    let mut compared = Compared::default();
    let (mut one, mut two) = (Vec::new(), Vec::new());
    loop {
        one.clear();
        two.clear();
        let has_one = baseline.read_until(b'\n', &mut one)? > 0;
        let has_two = other.read_until(b'\n', &mut two)? > 0;
        if !has_one && !has_two {
            return Ok(compared);
        }
        let both = has_one && has_two;
        compared.decisions += u64::from(both);
        if both && one == two {
            continue;
        }
        let difference = Difference::of(has_one.then_some(&*one), has_two.then_some(&*two));
        if both && allows(&difference) {
            compared.allowed += 1;
            continue;
        }
        compared.differences += 1;
        compared.first.get_or_insert(difference);
        if !both {
            compared.ended_early = Some(if has_one { Side::Other } else { Side::Baseline });
            return Ok(compared);
        }
    }
}

impl Difference {
    fn of(baseline: Option<&[u8]>, other: Option<&[u8]>) -> Self {
        let text = |bytes: &[u8]| {
            let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
            String::from_utf8_lossy(bytes).into_owned()
        };
        let (baseline, other) = (baseline.map(text), other.map(text));
        let parse = |text: &Option<String>| -> Option<Map<String, Value>> {
            serde_json::from_str(text.as_deref()?).ok()
        };
        let (one, two) = (parse(&baseline), parse(&other));
        let number = |fields: &Map<String, Value>| fields.get("line").and_then(Value::as_u64);
        let line = [&one, &two].into_iter().flatten().find_map(number);
        let fields = match (&one, &two) {
            _ if baseline.is_none() || other.is_none() => Vec::new(),
            (Some(one), Some(two)) => differing(one, two),
            // At least one of them is not JSON.
            _ => vec![Field::notation()],
        };
        Self {
            line,
            baseline,
            other,
            fields,
        }
    }
}

impl Field {
    fn notation() -> Self {
        Self {
            name: NOTATION.to_owned(),
            baseline: None,
            other: None,
        }
    }
}

fn differing(one: &Map<String, Value>, two: &Map<String, Value>) -> Vec<Field> {
    let mut fields = Vec::new();
    collect("", one, two, &mut fields);
    if fields.is_empty() {
        fields.push(Field::notation());
    }
    fields
}

fn collect(
    prefix: &str,
    one: &Map<String, Value>,
    two: &Map<String, Value>,
    into: &mut Vec<Field>,
) {
    let added = two.keys().filter(|key| !one.contains_key(*key));
    for key in one.keys().chain(added) {
        let name = format!("{prefix}{key}");
        match (one.get(key), two.get(key)) {
            (Some(one), Some(two)) if one == two => {}
            (Some(Value::Object(one)), Some(Value::Object(two))) => {
                collect(&format!("{name}."), one, two, into);
            }
            (one, two) => into.push(Field {
                name,
                baseline: one.map(Value::to_string),
                other: two.map(Value::to_string),
            }),
        }
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
