use serde_json::{Value, json};
use unstuck::Event;

use super::*;
use crate::tune::story::Story;

/// The members of calls of one tool with their answers.
fn fields(pairs: impl IntoIterator<Item = (Value, Value)>) -> Fields {
    let (mut fields, mut story) = (Fields::default(), Story::default());
    let mut memory = FieldMemory::default();
    for (id, (args, output)) in pairs.into_iter().enumerate() {
        let call = json!({"event": "call", "id": id, "tool": "t", "args": args});
        let result = json!({"event": "result", "id": id, "output": output});
        for event in [call, result] {
            let mut event = Event::parse(event.to_string().as_bytes()).expect("an event");
            let happening = story.see(&mut event).expect("an agent that is followed");
            fields.see(&event, &happening, &mut memory);
        }
    }
    fields
}

fn names(found: Option<(&Rc<str>, Vec<String>, u64)>) -> Option<(Vec<String>, u64)> {
    found.map(|(_, names, seen)| (names, seen))
}

#[test]
fn members_that_change_again_and_again_may_be_volatile() {
    let answers = (0..6).map(|n| (json!({"job": 1}), json!({"state": n / 4, "elapsed": n})));
    let fields = fields(answers);
    // The state changed once, together with the time.
    assert_eq!(
        names(fields.volatile().next()),
        Some((vec!["elapsed".into()], 4))
    );
}

#[test]
fn an_answer_of_which_nothing_stays_is_no_volatile_member() {
    let fields = fields((0..6).map(|n| (json!({}), json!({"n": n}))));
    assert_eq!(names(fields.volatile().next()), None);
}

#[test]
fn answers_to_different_calls_are_not_compared() {
    let fields = fields((0..6).map(|n| (json!({"job": n}), json!({"state": 0, "job": n}))));
    assert_eq!(names(fields.volatile().next()), None);
}

#[test]
fn arguments_that_never_change_the_answer_are_left_out_of_the_key() {
    let calls = (0..8).map(|n| {
        let query = n / 4;
        let found = format!("what was found for {query}");
        (json!({"query": query, "trace": n}), json!(found))
    });
    // With the query the trace changes too; one more pair shows that the query alone makes a difference.
    let last = [
        (json!({"query": 7, "trace": 9}), json!("seven")),
        (json!({"query": 8, "trace": 9}), json!("eight")),
    ];
    let fields = fields(calls.chain(last));
    assert_eq!(names(fields.keys().next()), Some((vec!["query".into()], 6)));
}

#[test]
fn an_answer_that_is_always_the_same_tells_nothing_about_arguments() {
    let bulk = (0..8).map(|n| (json!({"table": "users", "row": n}), json!("ok")));
    assert_eq!(names(fields(bulk).keys().next()), None);
}
