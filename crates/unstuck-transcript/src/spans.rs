//! Spans and log records of OpenTelemetry, in every form that exporters write.

use std::{borrow::Cow, collections::BTreeMap};

use unstuck::{Json, JsonError, Timestamp};
use unstuck_json::{JsonKind, JsonRef};

use crate::{
    elements::Raw,
    look::{at, present, text},
    message::name,
    sink::{Problem, Sink},
    time::time,
    values::Place,
};

/// A span or a log record.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    /// The line or element it stands on.
    pub(crate) line: u64,
    /// What the span or the event is called.
    pub(crate) name: Box<str>,
    pub(crate) trace: Box<str>,
    pub(crate) start: Option<Timestamp>,
    pub(crate) end: Option<Timestamp>,
    pub(crate) attributes: Attributes<'a>,
    /// What the span says went wrong.
    pub(crate) error: Option<Box<str>>,
    /// What happened during the span, by name.
    pub(crate) events: Vec<(Box<str>, Attributes<'a>)>,
}

/// Names and values. Values within values have names joined by dots.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'a>(BTreeMap<Box<str>, Held<'a>>);

/// A value where it stands in the span, or what it stands for.
#[derive(Debug)]
enum Held<'a> {
    Told(JsonRef<'a>),
    Plain(Json),
}

impl Held<'_> {
    fn view(&self) -> JsonRef<'_> {
        match self {
            Self::Told(value) => *value,
            Self::Plain(value) => value.view(),
        }
    }
}

impl<'a> Attributes<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<JsonRef<'_>> {
        self.0.get(name).map(Held::view)
    }

    /// The first of these that is there.
    pub(crate) fn any(&self, names: &[&str]) -> Option<JsonRef<'_>> {
        names.iter().find_map(|name| self.get(name))
    }

    /// What the first of these that is there is called.
    pub(crate) fn named(&self, names: &[&str]) -> Box<str> {
        name(self.any(names))
    }

    /// The first of these as a count; some exporters write numbers as text.
    pub(crate) fn count(&self, names: &[&str]) -> u64 {
        let number = self.number(names).unwrap_or(0.0);
        #[expect(clippy::cast_sign_loss, reason = "clamped to zero and above")]
        let count = number.clamp(0.0, 1e15) as u64;
        count
    }

    pub(crate) fn number(&self, names: &[&str]) -> Option<f64> {
        let value = self.any(names)?;
        value.number().or_else(|| value.text()?.parse().ok())
    }

    /// Is it `true`, or the text of it?
    pub(crate) fn truth(&self, name: &str) -> Option<bool> {
        let value = self.get(name)?;
        value.boolean().or_else(|| value.text()?.parse().ok())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, JsonRef<'_>)> {
        self.0.iter().map(|(name, value)| (&**name, value.view()))
    }

    fn of(told: Option<JsonRef<'a>>) -> Self {
        let mut attributes = Self::default();
        let Some(told) = told else {
            return attributes;
        };
        // OTLP has a list of keys and typed values, everyone else an object.
        for pair in told.elements() {
            if let (Some(key), Some(value)) = (text(pair, "key"), pair.get("value")) {
                let value = Held::Plain(plain(value));
                attributes.0.insert((*key).into(), value);
            }
        }
        for (key, value) in told.members() {
            attributes.flatten(&key, value, 1);
        }
        attributes
    }

    /// Names the values in a value too, as deep as any convention nests them.
    fn flatten(&mut self, name: &str, value: JsonRef<'a>, depth: usize) {
        const DEEPEST: usize = 16;
        let holds_objects = || {
            value
                .elements()
                .any(|inner| inner.kind() == JsonKind::Object)
        };
        if depth < DEEPEST {
            if value.kind() == JsonKind::Object {
                for (key, inner) in value.members() {
                    self.flatten(&format!("{name}.{key}"), inner, depth + 1);
                }
            } else if holds_objects() {
                for (inner, number) in value.elements().zip(0..) {
                    self.flatten(&format!("{name}.{number}"), inner, depth + 1);
                }
            }
        }
        self.0.insert(name.into(), Held::Told(value));
    }
}

/// A typed value of OTLP as the value it stands for.
fn plain(value: JsonRef<'_>) -> Json {
    let Some((kind, inner)) = value.members().next() else {
        return value.into();
    };
    match &*kind {
        "stringValue" | "boolValue" | "doubleValue" | "bytesValue" => inner.into(),
        // 64 bits do not fit into a number of JavaScript.
        "intValue" => match inner.text() {
            Some(digits) => Json::parse(&digits).unwrap_or_else(|_| inner.into()),
            None => inner.into(),
        },
        "arrayValue" => {
            let values = inner.get("values").into_iter().flat_map(JsonRef::elements);
            let values: Vec<Json> = values.map(plain).collect();
            Json::from_serialize(&values).unwrap_or_default()
        }
        "kvlistValue" => {
            let pairs = inner.get("values").into_iter().flat_map(JsonRef::elements);
            let pairs: BTreeMap<String, Json> = pairs
                .filter_map(|pair| {
                    Some((text(pair, "key")?.into_owned(), plain(pair.get("value")?)))
                })
                .collect();
            Json::from_serialize(&pairs).unwrap_or_default()
        }
        _ => value.into(),
    }
}

/// Reads every span and log record of a value: one, a list, or a request of OTLP, also wrapped as its `body`.
pub(crate) fn records(
    place: Place,
    value: Raw<'_>,
    sink: &mut dyn Sink,
    mut each: impl FnMut(&Record<'_>, &mut dyn Sink),
) {
    let (found, unread) = find(value);
    if let Some(deep) = unread {
        let line = place.line(deep);
        sink.problem(Problem {
            line: (line > 0).then_some(line),
            message: "spans are nested too deep: those in this one and behind it were not read"
                .into(),
        });
    }
    for span in found {
        match span.json() {
            Ok(json) => each(&Record::read(json.view(), place.line(span.raw)), sink),
            Err(error) if span.raw.has_end() => place.problem(span.raw, "span", &error, sink),
            Err(_) => {}
        }
    }
}

/// A span or log record that was found.
struct Span<'a> {
    raw: Raw<'a>,
    /// Its members without the spans in it, where there are any: those were found on their own.
    own: Option<Vec<(Cow<'a, str>, Raw<'a>)>>,
}

impl Span<'_> {
    /// The value, without the spans in it.
    fn json(&self) -> Result<Json, JsonError> {
        let Some(own) = &self.own else {
            return self.raw.json();
        };
        let mut text = String::from("{");
        for (name, value) in own.iter().filter(|(_, value)| value.has_end()) {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(Json::string(name).as_str());
            text.push(':');
            text.push_str(value.text);
        }
        text.push('}');
        Json::lossy(text.as_bytes())
    }
}

/// Where a span has the spans that it began, in exports that nest them.
const CHILDREN: &str = "child_spans";

/// What exports call the attributes of a span.
const ATTRIBUTES: [&str; 2] = ["attributes", "span_attributes"];

/// The members that hold spans, in requests of OTLP and in what logs wrap around them.
const INSIDE: [&str; 9] = [
    "body",
    "resourceSpans",
    "resourceLogs",
    "scopeSpans",
    "scopeLogs",
    "instrumentationLibrarySpans",
    "spans",
    "logRecords",
    "data",
];

/// How often each byte of a value is looked at on average: once for each level it is nested in. Requests of OTLP nest
/// seven levels, and what logs wrap around them a few more; nested spans have two each.
const LEVELS: usize = 32;
/// Bytes that are looked at whatever the size of the value, so that a small one may nest deeper.
const LEAST_WORK: usize = 4 << 20;

/// Finds the spans and log records of a value, in the order they stand in. Also returns the first value that was not
/// looked into, if they are nested so deep that finding all would take too long.
fn find(value: Raw<'_>) -> (Vec<Span<'_>>, Option<Raw<'_>>) {
    let mut found = Vec::new();
    let mut work = value.text.len().saturating_mul(LEVELS) + LEAST_WORK;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let Some(left) = work.checked_sub(value.text.len()) else {
            return (found, Some(value));
        };
        work = left;
        // What is found first is looked at first.
        let behind = open.len();
        if value.is_array() {
            open.extend(value.elements());
            open[behind..].reverse();
            continue;
        }
        // Each level is gone through once: what is in it may be most of the file.
        let members: Vec<_> = value.members().collect();
        if members
            .iter()
            .any(|(name, _)| ATTRIBUTES.contains(&&**name))
        {
            let (children, own): (Vec<_>, Vec<_>) = members
                .into_iter()
                .partition(|(name, inner)| name == CHILDREN && inner.is_array());
            found.push(Span {
                raw: value,
                own: (!children.is_empty()).then_some(own),
            });
            open.extend(children.into_iter().map(|(_, inner)| inner));
        } else {
            let inside = members.into_iter();
            let inside = inside.filter(|(name, _)| INSIDE.contains(&&**name));
            open.extend(inside.map(|(_, inner)| inner));
        }
        open[behind..].reverse();
    }
    (found, None)
}

impl<'a> Record<'a> {
    fn read(told: JsonRef<'a>, line: u64) -> Self {
        let moment = |names: &[&str]| names.iter().find_map(|name| instant(told.get(name)?));
        let attributes = ATTRIBUTES.iter().find_map(|name| told.get(name));
        let attributes = Attributes::of(attributes);
        let is_log = told.get("logRecord").is_some() || present(told, "body").is_some();
        let body = told.get("body").map(|body| plain(body));
        let called = present(told, "name")
            .or_else(|| present(told, "span_name"))
            .or_else(|| attributes.get("event.name"));
        let name = match body {
            Some(body) if is_log => name(Some(body.view())),
            _ => name(called),
        };
        let start = moment(&[
            "startTimeUnixNano",
            "startTime",
            "start_time",
            "timeUnixNano",
            "hrTime",
            "timestamp",
        ]);
        let trace = present(told, "traceId")
            .or_else(|| present(told, "trace_id"))
            .or_else(|| at(told, &["context", "trace_id"]))
            .or_else(|| at(told, &["spanContext", "traceId"]));
        Self {
            line,
            name,
            trace: crate::message::name(trace),
            start,
            end: moment(&["endTimeUnixNano", "endTime", "end_time"])
                .or_else(|| after(start?, told.get("duration")?))
                .or(start),
            error: error(told, &attributes),
            events: told
                .get("events")
                .into_iter()
                .flat_map(JsonRef::elements)
                .map(|event| {
                    let attributes = Attributes::of(event.get("attributes"));
                    (crate::message::name(event.get("name")), attributes)
                })
                .collect(),
            attributes,
        }
    }
}

/// A time: in nanoseconds, as a pair of seconds and nanoseconds, or as others write it.
fn instant(value: JsonRef<'_>) -> Option<Timestamp> {
    /// Above this, a number is of nanoseconds: as milliseconds it is a day in the year 5138.
    const NANOSECONDS: i64 = 100_000_000_000_000;
    if value.kind() == JsonKind::Array {
        let mut parts = value.elements();
        let (seconds, nanoseconds) = (parts.next()?.integer()?, parts.next()?.integer()?);
        let milliseconds = seconds
            .checked_mul(1_000)?
            .checked_add(nanoseconds / 1_000_000)?;
        return Some(Timestamp(milliseconds));
    }
    match value.integer().or_else(|| value.text()?.parse().ok()) {
        Some(0) => None,
        Some(number) if number > NANOSECONDS => Some(Timestamp(number / 1_000_000)),
        _ => time(value),
    }
}

/// The time this long after another one, given as ISO 8601 writes it in seconds and larger units: `PT1M2.5S`.
fn after(start: Timestamp, duration: JsonRef<'_>) -> Option<Timestamp> {
    let duration = duration.text()?;
    let mut rest = duration.strip_prefix("PT")?;
    let mut seconds = 0.0;
    while let Some(end) = rest.find(|letter: char| letter.is_ascii_uppercase()) {
        let unit = match rest.as_bytes()[end] {
            b'H' => 3600.0,
            b'M' => 60.0,
            b'S' => 1.0,
            _ => return None,
        };
        let number: f64 = rest[..end].parse().ok()?;
        seconds += number * unit;
        rest = &rest[end + 1..];
    }
    let is_sane = (0.0..1e9).contains(&seconds);
    is_sane.then(|| Timestamp(start.0.saturating_add((seconds * 1000.0) as i64)))
}

/// What went wrong, by the span's status, its exceptions, or its attributes.
fn error(told: JsonRef<'_>, attributes: &Attributes<'_>) -> Option<Box<str>> {
    let status = told.get("status");
    let code = status
        .and_then(|status| present(status, "code").or_else(|| present(status, "status_code")))
        .or_else(|| present(told, "status_code"));
    let failed = code.is_some_and(|code| {
        code.integer() == Some(2)
            || code
                .text()
                .is_some_and(|code| code.to_ascii_uppercase().ends_with("ERROR"))
    });
    let kind = attributes.get("error.type");
    if !failed && kind.is_none() {
        return None;
    }
    let says = |member: &str| {
        status
            .and_then(|status| text(status, member))
            .filter(|text| !text.is_empty())
    };
    let beside = || text(told, "status_message").filter(|text| !text.is_empty());
    let said = says("message")
        .or_else(|| says("description"))
        .or_else(beside);
    Some(match said {
        Some(said) => said.into(),
        None => name(attributes.get("exception.message").or(kind)),
    })
}

#[cfg(test)]
#[path = "spans_tests.rs"]
mod tests;
