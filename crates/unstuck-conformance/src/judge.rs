//! Decisions against expectations. No process here: decisions in, reasons out.

use serde_json::{Map, Value};

use crate::vectors::{Bounds, Case, Event, Verdict};

/// A field of an expectation that is no field of a decision: texts the message must contain, in any case.
const MESSAGE_HAS: &str = "message_has";

/// What is shown of a decision that differs.
const SHOWN: [&str; 5] = ["verdict", "level", "rule", "status", "error"];

/// One expected object per event; only the fields it has are compared. A missing field equals `null`.
pub fn preset(case: &Case<'_, Vec<Map<String, Value>>>, decisions: &[Value]) -> Result<(), String> {
    if case.events.len() != case.expect.len() {
        return Err(format!(
            "the vector itself is broken: {} events, {} expectations",
            case.events.len(),
            case.expect.len()
        ));
    }
    for (at, (event, want)) in case.events.iter().zip(&case.expect).enumerate() {
        let have = decisions.get(at);
        if !have.is_some_and(|have| meets(want, have)) {
            let want = Value::Object(want.clone());
            return Err(format!(
                "event {at} ({event}): expected {want}, got {}",
                brief(have)
            ));
        }
    }
    Ok(())
}

fn meets(want: &Map<String, Value>, have: &Value) -> bool {
    have.is_object()
        && want.iter().all(|(key, value)| {
            if key == MESSAGE_HAS {
                return message_has(have, value);
            }
            equal(value, have.get(key).unwrap_or(&Value::Null))
        })
}

fn message_has(decision: &Value, texts: &Value) -> bool {
    let message = decision.get("message").and_then(Value::as_str);
    let message = message.unwrap_or_default().to_lowercase();
    // Anything but a list of texts is a broken vector, and must not pass.
    texts.as_array().is_some_and(|texts| {
        texts.iter().all(|text| {
            text.as_str()
                .is_some_and(|text| message.contains(&text.to_lowercase()))
        })
    })
}

/// Equality of JSON values, with numbers compared by value: `1` is `1.0`.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

fn brief(decision: Option<&Value>) -> String {
    let Some(Value::Object(fields)) = decision else {
        return decision.map_or_else(|| "nothing".to_owned(), Value::to_string);
    };
    let shown: Vec<_> = SHOWN
        .iter()
        .filter_map(|name| Some((name, fields.get(*name).filter(|value| !value.is_null())?)))
        .map(|(name, value)| format!("{name:?}:{value}"))
        .collect();
    format!("{{{}}}", shown.join(","))
}

/// A recording with bounds. It goes on, with results, where a guard would have stopped it.
pub fn reported(case: &Case<'_, Bounds>, decisions: &[Value]) -> Result<(), String> {
    let bounds = &case.expect;
    let unit = bounds.unit.name();
    let mut first = FirstSeen::default();
    let mut seen = 0;
    for (at, event) in case.events.iter().enumerate() {
        let decision = decisions.get(at);
        let Some(verdict) = decision.and_then(Verdict::of) else {
            return Err(format!(
                "event {at} ({event}): no decision, got {}",
                brief(decision)
            ));
        };
        let is_unit = is_unit(event, bounds);
        seen += u64::from(is_unit);
        let rule = decision
            .and_then(|decision| decision.get("rule")?.as_str())
            .unwrap_or("no rule");
        let place = |count: u64| format!("event {at} ({event}), {unit} {count}");

        if let Some(max) = bounds.max
            && verdict > max
        {
            return Err(format!(
                "{}: at most {max} allowed, got {verdict} ({rule})",
                place(seen)
            ));
        }
        if verdict > Verdict::Allow && seen < bounds.no_nudge_before_call {
            return Err(format!(
                "{}: {verdict} ({rule}) before {unit} {}",
                place(seen),
                bounds.no_nudge_before_call
            ));
        }
        let Some(lap) = seen.checked_sub(bounds.from_call).filter(|lap| *lap > 0) else {
            continue;
        };
        first.record(verdict, lap);
        let blocked_by_now = bounds.all_blocked_from.is_some_and(|from| lap >= from);
        if is_unit && blocked_by_now && verdict < Verdict::Deny {
            return Err(format!(
                "{} of the loop: must be deny or halt, got {verdict}",
                place(lap)
            ));
        }
    }
    for (deadline, verdict, name) in [
        (bounds.nudge_by, Verdict::Nudge, "nudge"),
        (bounds.block_by, Verdict::Deny, "deny or halt"),
        (bounds.halt_by, Verdict::Halt, "halt"),
    ] {
        let Some(deadline) = deadline else { continue };
        let when = match first.at_least(verdict) {
            Some(lap) if lap <= deadline => continue,
            Some(lap) => format!("first at {unit} {lap}"),
            None => "never".to_owned(),
        };
        return Err(format!(
            "{name} expected by {unit} {deadline} of the loop: {when}"
        ));
    }
    Ok(())
}

fn is_unit(event: &Event<'_>, bounds: &Bounds) -> bool {
    event.text("event").as_deref() == Some(bounds.unit.name())
}

/// The lap at which each verdict came first, in the order they came.
#[derive(Debug, Default)]
struct FirstSeen(Vec<(Verdict, u64)>);

impl FirstSeen {
    fn record(&mut self, verdict: Verdict, lap: u64) {
        if self.at_least(verdict).is_none() {
            self.0.push((verdict, lap));
        }
    }

    fn at_least(&self, verdict: Verdict) -> Option<u64> {
        let found = self.0.iter().find(|(seen, _)| *seen >= verdict);
        found.map(|(_, lap)| *lap)
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
