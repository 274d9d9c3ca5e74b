use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    super::{
        Rest,
        tests::{Tree, is_guard, wish},
        undo,
    },
    *,
};

fn wishes() -> Vec<Wish> {
    vec![wish("Before", "guard"), wish("After", "guard")]
}

fn value(text: &str) -> Option<Value> {
    parse(text).unwrap().value.map(Into::into)
}

fn inserted(text: &str) -> Edited {
    insert(text, &[], &wishes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn removed(text: &str, record: Option<&Record>) -> String {
    remove(text, &["hooks"], &is_guard, record).unwrap()
}

const HANDLER: &str = r#"{
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "guard",
            "timeout": 5
          }
        ]
      }"#;

#[test]
fn an_empty_file_gets_an_object() {
    let edited = insert("", &[], &[wish("Before", "guard")]).unwrap();
    assert_eq!(
        edited.text,
        format!("{{\n  \"hooks\": {{\n    \"Before\": [\n      {HANDLER}\n    ]\n  }}\n}}\n")
    );
}

#[test]
fn comments_order_and_layout_stay() {
    let before = r#"// mine
{
  "model": "m", // the good one
  "hooks": {
    // format on save
    "After": [ { "hooks": [{"type": "command", "command": "fmt"}] } ],
  },
  "last": true // no comma here
}
"#;
    let edited = insert(before, &[], &[wish("Before", "guard")]).unwrap();
    let expected = format!(
        r#"// mine
{{
  "model": "m", // the good one
  "hooks": {{
    // format on save
    "After": [ {{ "hooks": [{{"type": "command", "command": "fmt"}}] }} ],
    "Before": [
      {HANDLER}
    ],
  }},
  "last": true // no comma here
}}
"#
    );
    assert_eq!(edited.text, expected);
}

#[test]
fn a_comment_behind_the_last_member_stays_behind_it() {
    let edited = inserted("{\n\t\"last\": true // mine\n}\n");
    assert!(
        edited
            .text
            .starts_with("{\n\t\"last\": true, // mine\n\t\"hooks\": {\n\t\t\"Before\""),
        "{}",
        edited.text
    );
}

#[test]
fn a_file_on_one_line_stays_on_one_line() {
    let edited = insert(r#"{"a":1}"#, &[], &[wish("Before", "guard")]).unwrap();
    assert_eq!(
        edited.text,
        r#"{"a":1, "hooks": {"Before": [{"matcher": "*", "hooks": [{"type": "command", "command": "guard", "timeout": 5}]}]}}"#
    );
}

#[test]
fn members_that_the_format_demands_are_added_once() {
    let defaults = [("version", Node::Number(1))];
    let text = |before| insert(before, &defaults, &[]).unwrap().text;
    assert_eq!(text("{}"), "{\n  \"version\": 1\n}");
    assert_eq!(text(r#"{"version": 2}"#), r#"{"version": 2}"#);
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    let refused = |text: &str| insert(text, &[], &wishes()).unwrap_err();
    let error = refused("{\n  \"a\": 1\n  \"b\": 2\n}");
    assert_eq!(error.line, 2, "{error}");
    assert!(error.message.starts_with("this is not JSON"), "{error}");
    for text in ["{", "{'a': 1}", "{a: 1}", "{} {}", "{\"a\": 0x1}"] {
        refused(text);
    }
}

#[test]
fn what_has_another_shape_is_refused_with_its_place() {
    let refused = |text: &str| insert(text, &[], &wishes()).unwrap_err();
    let error = refused("{\n  \"hooks\": []\n}");
    assert_eq!(
        (error.message.as_str(), error.line, error.column),
        ("`hooks` must be an object", 2, 12)
    );
    let error = refused("{\"hooks\": {\"After\": {}}}");
    assert_eq!(error.message, "`hooks.After` must be a list");
    assert_eq!(refused("[]").message, "the whole file must be an object");
}

#[test]
fn handlers_are_found_wherever_they_were_moved_to() {
    let text = r#"{
  "hooks": {
    "Before": [
      {
        "hooks": [
          { "command": "lint" },
          { "command": "guard" } // ours
        ]
      },
      { "command": "guard" }
    ],
    "Gone": [{ "hooks": [{ "command": "guard" }, { "command": "guard" }] }]
  }
}
"#;
    assert_eq!(
        removed(text, None),
        r#"{
  "hooks": {
    "Before": [
      {
        "hooks": [
          { "command": "lint" } // ours
        ]
      }
    ]
  }
}
"#
    );
}

#[test]
fn nothing_after_a_comment_is_swallowed() {
    let text =
        "{\"hooks\": {\"A\": [ // note\n {\"command\": \"guard\"}, {\"command\": \"other\"}]}}";
    let value = value(&removed(text, None));
    assert_eq!(value, Some(json!({"hooks": {"A": [{"command": "other"}]}})));
}

#[test]
fn what_is_left_is_told() {
    let rest = |text: &str| rest(text, &["version"]).unwrap();
    for text in ["", "// none", "{}", "{\"version\": 1}"] {
        assert_eq!(rest(text), Rest::Nothing, "{text}");
    }
    for text in ["{\"hooks\": {}}", "[]", "{\"version\": 1, \"a\": 1}"] {
        assert_eq!(rest(text), Rest::Something, "{text}");
    }
}

#[test]
fn commands_are_listed_by_event() {
    let found = commands(&inserted("{}").text, &["hooks"]).unwrap();
    let expected = ["Before", "After"].map(|event| (event.to_owned(), "guard".to_owned()));
    assert_eq!(found, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn what_was_added_is_taken_back_to_the_byte(tree in Tree::any()) {
        let text = tree.to_json();
        let edited = inserted(&text);
        prop_assert_eq!(undo(&edited.text, &edited.record.steps), Some(text));
    }

    #[test]
    fn only_bytes_are_added(tree in Tree::any()) {
        let text = tree.to_json();
        let edited = inserted(&text).text;
        let mut rest = edited.chars();
        prop_assert!(text.chars().all(|old| rest.any(|new| new == old)));
        let wanted = wishes();
        let new = value(&edited).unwrap();
        for wish in &wanted {
            let list = new["hooks"][&wish.list[1]].as_array().unwrap();
            let wanted = value(&wish.element.to_json(Layout::Inline)).unwrap();
            prop_assert_eq!(list.last().unwrap(), &wanted);
        }
    }

    #[test]
    fn by_what_they_run_exactly_our_entries_are_removed(tree in Tree::any()) {
        let text = tree.to_json();
        let edited = inserted(&text);
        let after = removed(&edited.text, Some(&edited.record));
        prop_assert_eq!(value(&after), value(&text), "{}", after);
    }

    #[test]
    fn in_a_usual_layout_no_record_is_needed(
        names in prop::collection::btree_set("[a-f]{1,3}", 0..4),
        theirs in prop::option::of("[a-f]{1,3}"),
    ) {
        let mut members: serde_json::Map<_, _> = names.into_iter().map(|name| (name, json!([1, {"x": null}]))).collect();
        if let Some(command) = theirs {
            members.insert("hooks".to_owned(), json!({"After": [{"hooks": [{"command": command}]}]}));
        }
        let text = serde_json::to_string_pretty(&Value::Object(members)).unwrap() + "\n";
        prop_assert_eq!(removed(&inserted(&text).text, None), text);
    }
}
