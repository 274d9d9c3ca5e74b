use unstuck::{Json, Timestamp};

use super::{Record, instant, records};
use crate::{
    elements::Raw,
    sink::{Problem, Sink, Usage},
    values::Place,
};

/// Takes the problems.
#[derive(Default)]
struct Problems(Vec<Problem>);

impl Sink for Problems {
    fn event(&mut self, _: unstuck::Event) {}

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, problem: Problem) {
        self.0.push(problem);
    }
}

fn read(text: &str) -> Vec<Record> {
    let (found, problems) = read_with_problems(text);
    assert_eq!(problems, []);
    found
}

fn read_with_problems(text: &str) -> (Vec<Record>, Vec<Problem>) {
    let (value, _) = Raw::first(text).unwrap();
    let (mut found, mut problems) = (Vec::new(), Problems::default());
    records(Place::Document, value, &mut problems, |record| {
        found.push(record);
    });
    (found, problems.0)
}

#[test]
fn typed_values_are_the_values_they_stand_for() {
    let span = r#"{"attributes":[
        {"key":"a","value":{"stringValue":"x"}},
        {"key":"b","value":{"intValue":"9007199254740993"}},
        {"key":"c","value":{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":0.5}]}}},
        {"key":"d","value":{"kvlistValue":{"values":[{"key":"e","value":{"intValue":1}}]}}}
    ]}"#;
    let found = read(span);
    let told: Vec<(&str, &str)> = found[0]
        .attributes
        .iter()
        .map(|(name, value)| (name, value.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("a", "\"x\""),
            ("b", "9007199254740993"),
            ("c", "[true,0.5]"),
            ("d", "{\"e\":1}"),
        ]
    );
}

#[test]
fn spans_are_found_in_every_wrapper() {
    let span = r#"{"name":"s","attributes":{"a":1}}"#;
    for text in [
        span.to_owned(),
        format!("[{span},{span}]"),
        format!(r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{span}]}}]}}]}}"#),
        format!(
            r#"{{"path":"/v1/traces","body":{{"resourceSpans":[{{"resource":{{"attributes":[]}},"scopeSpans":[{{"spans":[{span}]}}]}}]}}}}"#
        ),
        format!(r#"{{"data":[{{"spans":[{span}]}}]}}"#),
    ] {
        let found = read(&text);
        assert!(!found.is_empty(), "{text}");
        assert!(found.iter().all(|record| &*record.name == "s"), "{text}");
    }
    assert!(read(r#"{"spans":[]}"#).is_empty());
}

#[test]
fn a_failure_is_known_by_status_or_attribute() {
    let error = |text: &str| read(text).remove(0).error;
    let cases = [
        (
            r#"{"attributes":{},"status":{"code":2,"message":"cold"}}"#,
            Some("cold"),
        ),
        (
            r#"{"attributes":{"error.type":"Cold"},"status":{"code":0}}"#,
            Some("Cold"),
        ),
        (
            r#"{"attributes":{},"status":{"status_code":"ERROR","description":"cold"}}"#,
            Some("cold"),
        ),
        (
            r#"{"attributes":{},"status":{"code":"STATUS_CODE_ERROR"}}"#,
            Some(""),
        ),
        (r#"{"attributes":{},"status":{"code":"OK"}}"#, None),
        (r#"{"attributes":{}}"#, None),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn times_are_read_as_exporters_write_them() {
    let noon = Some(Timestamp(1_767_268_800_250));
    for text in [
        r#""1767268800250000000""#,
        "1767268800250000000",
        "[1767268800,250999999]",
        r#""2026-01-01T12:00:00.250Z""#,
    ] {
        assert_eq!(instant(Json::parse(text).unwrap().view()), noon, "{text}");
    }
    assert_eq!(instant(Json::parse("\"0\"").unwrap().view()), None);
}

#[test]
fn spans_within_spans_are_found_with_their_times_and_errors() {
    let text = r#"{"spans":[{"span_name":"run","timestamp":"2026-03-19T16:34:57.5Z","duration":"PT1M2.5S","span_attributes":{"a":1},"child_spans":[
        {"span_name":"tool","timestamp":"2026-03-19T16:34:58Z","duration":"1.5","status_code":"Error","status_message":"no","span_attributes":{"b":2},"child_spans":[]}]}]}"#;
    let found = read(text);
    let names: Vec<_> = found.iter().map(|record| &*record.name).collect();
    assert_eq!(names, ["run", "tool"]);
    let length = |record: &Record| record.end.unwrap().0 - record.start.unwrap().0;
    assert_eq!(length(&found[0]), 62_500);
    assert_eq!(length(&found[1]), 0);
    assert_eq!(found[0].attributes.count(&["a"]), 1);
    assert_eq!(
        (found[0].error.as_deref(), found[1].error.as_deref()),
        (None, Some("no"))
    );
}

#[test]
fn spans_that_nest_without_end_cost_no_more_than_they_are_deep() {
    let began = std::time::Instant::now();
    let open = "{\"span_attributes\":{},\"child_spans\":[".repeat(20_000);
    let close = "]}".repeat(20_000);
    for text in [format!("{open}{close}"), open] {
        let (found, problems) = read_with_problems(&text);
        assert!(found.len() < 64, "{}", found.len());
        assert_eq!(problems.len(), 1, "what was not read is reported");
        assert!(
            problems[0].message.contains("nested too deep"),
            "{problems:?}"
        );
    }
    assert!(began.elapsed() < std::time::Duration::from_mins(1));
}

#[test]
fn spans_of_deep_calls_are_all_found_in_their_order() {
    let mut text = String::new();
    for level in 0..100 {
        text += &format!(
            "{{\"name\":\"{level}\",\"attributes\":{{\"a\":1}},\"child_spans\":[{{\"name\":\"leaf\",\"attributes\":{{}}}},"
        );
    }
    text += "{\"name\":\"last\",\"attributes\":{}}";
    text += &"]}".repeat(100);
    let found = read(&text);
    let names: Vec<_> = found.iter().map(|record| &*record.name).collect();
    assert_eq!(names.len(), 201);
    assert_eq!(names[..4], ["0", "leaf", "1", "leaf"]);
    assert_eq!(names[199..], ["leaf", "last"]);
}
