use super::*;

fn compared(baseline: &str, other: &str) -> Compared {
    compare(baseline.as_bytes(), other.as_bytes(), |_| false).unwrap()
}

fn names(difference: &Difference) -> Vec<&str> {
    difference.fields.iter().map(|field| &*field.name).collect()
}

const ALLOW: &str = r#"{"line":1,"session":"s","verdict":"allow"}"#;
const NUDGE: &str =
    r#"{"line":3,"session":"s","verdict":"nudge","level":1,"wasted":{"calls":2,"tokens":7}}"#;
const DENY: &str =
    r#"{"line":3,"session":"s","verdict":"deny","wasted":{"calls":3,"tokens":7},"rule":"cycle"}"#;

#[test]
fn equal_streams_have_no_difference() {
    let stream = format!("{ALLOW}\n{NUDGE}\n");
    let expected = Compared {
        decisions: 2,
        ..Compared::default()
    };
    assert_eq!(compared(&stream, &stream), expected);
    assert_eq!(compared("", ""), Compared::default());
}

#[test]
fn the_first_difference_is_kept_with_its_line_and_fields_and_the_rest_is_counted() {
    let one = format!("{ALLOW}\n{NUDGE}\n{ALLOW}\n{ALLOW}\n");
    let two = format!("{ALLOW}\n{DENY}\n{ALLOW}\n{NUDGE}\n");
    let found = compared(&one, &two);
    assert_eq!((found.decisions, found.differences), (4, 2));
    let first = found.first.unwrap();
    assert_eq!(first.line, Some(3));
    assert_eq!(first.baseline.as_deref(), Some(NUDGE));
    assert_eq!(first.other.as_deref(), Some(DENY));
    assert_eq!(names(&first), ["verdict", "level", "wasted.calls", "rule"]);
    assert_eq!(first.fields[1].baseline.as_deref(), Some("1"));
    assert_eq!(first.fields[1].other, None);
}

#[test]
fn other_bytes_with_the_same_values_differ_in_notation() {
    let found = compared("{\"line\":4,\"level\":1}\n", "{\"level\":1,\"line\":4}\n");
    let first = found.first.unwrap();
    assert_eq!((first.line, names(&first)), (Some(4), vec!["(notation)"]));
    let not_json = compared("{\"line\":4}\n", "thread panicked\n")
        .first
        .unwrap();
    assert_eq!(
        (not_json.line, names(&not_json)),
        (Some(4), vec!["(notation)"])
    );
}

#[test]
fn a_program_that_ends_early_is_a_difference_at_the_next_event() {
    let two = format!("{ALLOW}\n{NUDGE}\n{NUDGE}\n");
    let found = compared(&format!("{ALLOW}\n"), &two);
    assert_eq!((found.decisions, found.differences), (1, 1));
    assert_eq!(found.ended_early, Some(Side::Baseline));
    let first = found.first.unwrap();
    assert_eq!((first.line, first.baseline), (Some(3), None));
    assert!(first.fields.is_empty());
}

#[test]
fn an_allowed_difference_is_counted_apart() {
    let one = format!("{ALLOW}\n{NUDGE}\n{NUDGE}\n");
    let two = format!("{NUDGE}\n{DENY}\n{NUDGE}\n");
    let found = compare(one.as_bytes(), two.as_bytes(), |difference| {
        difference.line == Some(3)
    })
    .unwrap();
    assert_eq!((found.allowed, found.differences), (1, 1));
    assert_eq!(found.first.unwrap().line, Some(1));
}
