//! Bodies with events.

use serde_json::value::RawValue;
use unstuck::{Event, EventKind, EventReader};

/// The most events of one body.
pub(crate) const MOST: usize = 10_000;

/// An event with its text, as the journal keeps it.
pub(crate) struct Submitted<'a> {
    pub(crate) text: &'a str,
    /// The event, or why it is not one.
    pub(crate) event: Result<Event, String>,
}

/// The longest name of a session, agent, swarm or call. A hash stands for a longer one, so that it counts and takes no more room.
const LONGEST_NAME: usize = 256;

/// Bounds the names in an event, which clients choose.
pub(crate) fn bound_names(event: &mut Event) {
    let swarm = event.swarm.as_mut();
    let id = match &mut event.kind {
        EventKind::Call(call) => Some(&mut call.id),
        EventKind::Result(outcome) => Some(&mut outcome.id),
        _ => None,
    };
    let names = [&mut event.session, &mut event.agent];
    for name in names.into_iter().chain(swarm).chain(id) {
        if name.len() > LONGEST_NAME {
            *name = format!("long-{}", blake3::hash(name.as_bytes()).to_hex()).into();
        }
    }
}

/// Reads a body: an array of events, one event, or one event a line.
pub(crate) fn read(body: &[u8]) -> Result<Vec<Submitted<'_>>, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the body is not UTF-8".to_owned())?;
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        return Err("the body is empty".to_owned());
    }
    let texts: Vec<&str> = if trimmed.starts_with('[') {
        let Ok(values) = serde_json::from_str::<Vec<&RawValue>>(trimmed) else {
            return Err("the body is not an array of events".to_owned());
        };
        values.into_iter().map(RawValue::get).collect()
    } else if serde_json::from_str::<&RawValue>(trimmed).is_ok() {
        if !trimmed.starts_with('{') {
            return Err("the body is neither an event nor an array of events".to_owned());
        }
        vec![trimmed]
    } else {
        let lines = trimmed.lines().map(str::trim_ascii);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        let is_json = |line: &&str| serde_json::from_str::<&RawValue>(line).is_ok();
        if !lines.iter().any(is_json) {
            return Err("the body is not JSON".to_owned());
        }
        lines
    };
    if texts.len() > MOST {
        return Err(format!(
            "a body has at most {MOST} events, this one has {}",
            texts.len()
        ));
    }
    let mut reader = EventReader::default();
    let submitted = |text: &'_ str| {
        let mut event = reader
            .read(text.as_bytes())
            .map_err(|error| error.to_string())?;
        bound_names(&mut event);
        Ok(event)
    };
    let events: Vec<_> = texts.iter().copied().map(submitted).collect();
    Ok(texts
        .into_iter()
        .zip(events)
        .map(|(text, event)| Submitted { text, event })
        .collect())
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
