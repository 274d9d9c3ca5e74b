#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use super::*;

fn guard() -> Guard {
    Guard::new(Options::read("{}").unwrap()).unwrap()
}

fn decided(answer: Answer) -> serde_json::Value {
    match answer {
        Answer::Decided(text) => serde_json::from_str(&text).unwrap(),
        Answer::Allowed(line) => serde_json::json!({ "line": line }),
    }
}

const ARGS: Args<'_> = Args {
    json: Some(r#"{"path":"a"}"#),
    texts: &[],
};

fn round(guard: &mut Guard, output: Output<'_>) -> (Answer, Answer) {
    let event = Event::default();
    let before = guard.before_call(event, None, "read", ARGS, None).unwrap();
    let line = match &before {
        Answer::Allowed(line) => *line,
        Answer::Decided(text) => {
            let decision: serde_json::Value = serde_json::from_str(text).unwrap();
            decision["line"].as_u64().unwrap()
        }
    };
    let id = format!("unstuck-{line}");
    let after = guard.after_call(event, &id, None, output, None).unwrap();
    (before, after)
}

#[test]
fn the_third_equal_result_gets_a_nudge() {
    let mut guard = guard();
    assert_eq!(
        round(&mut guard, Output::Text("same")),
        (Answer::Allowed(1), Answer::Allowed(2))
    );
    round(&mut guard, Output::Json("\"same\""));
    let (_, after) = round(&mut guard, Output::Text("same"));
    assert_eq!(decided(after)["verdict"], "nudge");
}

#[test]
fn ids_after_a_restore_are_new() {
    let mut guard = guard();
    for _ in 0..5 {
        round(&mut guard, Output::Text("same"));
    }
    let event = Event::default();
    let snapshot = guard.snapshot(event).unwrap().unwrap();
    let mut restored = self::guard();
    restored.restore(event, &snapshot).unwrap();
    assert_eq!(restored.next_line, 11);
    assert_eq!(
        restored.check(event, "read", ARGS).unwrap(),
        guard.check(event, "read", ARGS).unwrap()
    );
}

#[test]
fn lines_are_answered_as_the_command_does() {
    let mut guard = guard();
    let text = b"\xef\xbb\xbf{\"event\":\"turn\"}\r\n\n{\n{\"event\":\"turn\"}";
    let answers = guard.check_lines(text).unwrap();
    let lines: Vec<_> = answers.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        r#"{"line":1,"session":"default","agent":"main","verdict":"allow"}"#
    );
    assert!(lines[1].starts_with(r#"{"line":3,"error":"not an event"#));
    assert!(lines[2].starts_with(r#"{"line":4,"#));
    assert_eq!(guard.next_line, 5);
}

#[test]
fn what_is_not_known_is_an_error_and_counts_nothing() {
    let mut guard = guard();
    let event = Event::default();
    let deep = "[".repeat(200) + &"]".repeat(200);
    let error = guard
        .before_call(event, None, "t", json(&deep), None)
        .unwrap_err();
    assert_eq!(error.code(), "value");
    let error = guard.observe(r#"{"event":"tur"}"#).unwrap_err();
    assert_eq!(error.code(), "event");
    let error = guard
        .after_call(event, "1", Some("well"), Output::Absent, None)
        .unwrap_err();
    assert_eq!(error.code(), "event");
    let error = guard.restore(event, b"nonsense").unwrap_err();
    assert_eq!(error.code(), "snapshot");
    assert_eq!(
        guard
            .before_call(event, None, "t", Args::default(), None)
            .unwrap(),
        Answer::Allowed(1)
    );
}

#[test]
fn a_call_may_state_its_identity() {
    let mut guard = guard();
    let event = Event::default();
    let stated = Some(r#"{"key":"k","read_only":true,"swarm":"s"}"#);
    let mut after = Answer::Allowed(0);
    for n in 1..=3 {
        let (id, args) = (n.to_string(), format!("[{n}]"));
        guard
            .before_call(event, Some(&id), "t", json(&args), stated)
            .unwrap();
        after = guard
            .after_call(event, &id, None, Output::Text("same"), None)
            .unwrap();
    }
    assert_eq!(decided(after)["verdict"], "nudge");
    let unknown = Some(r#"{"keys":"k"}"#);
    assert!(
        guard
            .before_call(event, None, "t", Args::default(), unknown)
            .is_err()
    );
}

fn json(text: &str) -> Args<'_> {
    Args {
        json: Some(text),
        texts: &[],
    }
}

#[test]
fn members_apart_are_put_where_they_belong() {
    let names = ["b\n", "a", "é", "\u{10000}"];
    let texts: Vec<String> = names
        .iter()
        .flat_map(|name| [(*name).to_owned(), format!("text\t{name}")])
        .collect();
    for json in [
        "",
        "{}",
        r#"{"c":[1.0,{"z":1,"y":2}],"\u0001":"\ud800","b":null,"\uff00":0}"#,
    ] {
        let read = if json.is_empty() { "{}" } else { json };
        let mut whole: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&read.replace("\\ud800", "\\ufffd")).unwrap();
        for [name, text] in texts.as_chunks::<2>().0 {
            whole.insert(name.clone(), text.clone().into());
        }
        let args = Args {
            json: (!json.is_empty()).then_some(json),
            texts: &texts,
        };
        let args = args.read(&mut Scratch::default()).unwrap();
        assert_eq!(args, Json::from_serialize(&whole).unwrap());
    }
    let broken = Args {
        json: Some("{"),
        texts: &texts,
    };
    assert!(broken.read(&mut Scratch::default()).is_err());
}
