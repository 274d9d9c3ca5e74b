use std::path::PathBuf;

use super::*;
use crate::same::compare::Field;

#[test]
fn a_difference_is_shown_with_its_event_both_decisions_and_the_fields() {
    let difference = Difference {
        line: Some(12),
        baseline: Some(r#"{"line":12,"level":1}"#.to_owned()),
        other: Some(r#"{"line":12,"level":2}"#.to_owned()),
        fields: vec![Field {
            name: "level".to_owned(),
            baseline: Some("1".to_owned()),
            other: Some("2".to_owned()),
        }],
    };
    let event = r#"{"event":"turn"}"#;
    assert_eq!(
        describe("vectors/polls standard observed", &difference, Some(event)).join("\n"),
        r#"    line      12
    event     {"event":"turn"}
    baseline  {"line":12,"level":1}
    other     {"line":12,"level":2}
    field     level: 1 -> 2
    allow     vectors/polls standard observed 12 level"#
    );
}

#[test]
fn long_texts_are_cut_between_characters() {
    assert_eq!(start_of("größer", 3), "grö… (8 bytes)");
    assert_eq!(start_of("größer", 6), "größer");
}

#[test]
fn the_table_has_a_row_for_each_kind_and_the_sum() {
    let stream = |kind| Stream {
        kind,
        name: "x".to_owned(),
        path: PathBuf::new(),
        events: 1_200,
    };
    let outcome = Outcome {
        decisions: 1_200,
        differences: 3,
        ..Outcome::default()
    };
    let mut table = Table::default();
    table.add(&stream(Kind::Corpus), &outcome);
    table.add(
        &stream(Kind::Vectors),
        &Outcome {
            differences: 0,
            ..outcome
        },
    );
    assert_eq!(table.differences(), 3);
    assert_eq!(
        table.render(),
        "\
kind     streams  events  decisions  allowed  differences
vectors        1   1,200      1,200        0            0
corpus         1   1,200      1,200        0            3
all            2   2,400      2,400        0            3"
    );
}

#[test]
fn numbers_have_commas_between_thousands() {
    assert_eq!(
        [0, 999, 1_000, 1_234_567].map(number),
        ["0", "999", "1,000", "1,234,567"]
    );
}
