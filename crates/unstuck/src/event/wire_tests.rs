use super::*;

fn error(line: &str) -> String {
    Event::parse(line.as_bytes()).unwrap_err().to_string()
}

#[test]
fn defaults_are_those_of_the_contract() {
    let event = Event::parse(br#"{"event":"call","id":7,"tool":"t"}"#).unwrap();
    assert_eq!(
        event,
        Event::call(Call::new("7", "t", Json::empty_object()))
    );
    assert_eq!(event.swarm_name(), "default");
}

#[test]
fn every_kind_of_event_is_read() {
    let kinds = [
        (r#"{"event":"result","id":"a"}"#, "Result"),
        (r#"{"event":"step","code":"x"}"#, "Step"),
        (r#"{"event":"text","text":"x","role":"thinking"}"#, "Text"),
        (r#"{"event":"turn","tokens":10,"cost":0.5}"#, "Turn"),
        (r#"{"event":"user","text":"x"}"#, "User"),
        (r#"{"event":"retry"}"#, "Retry"),
        (r#"{"event":"compaction"}"#, "Compaction"),
        (r#"{"event":"resume"}"#, "Resume"),
        (r#"{"event":"reset"}"#, "Reset"),
    ];
    for (line, kind) in kinds {
        let event = Event::parse(line.as_bytes()).unwrap();
        assert!(format!("{:?}", event.kind).starts_with(kind), "{line}");
    }
}

#[test]
fn a_missing_output_null_and_the_empty_string_are_three_things() {
    let output = |line: &str| match Event::parse(line.as_bytes()).unwrap().kind {
        EventKind::Step(step) => step.output,
        other => panic!("{other:?}"),
    };
    assert_eq!(output(r#"{"event":"step","code":"x"}"#), None);
    assert_eq!(
        output(r#"{"event":"step","code":"x","output":null}"#),
        Some(Json::null())
    );
    assert_eq!(
        output(r#"{"event":"step","code":"x","output":""}"#),
        Some(Json::string(""))
    );
}

#[test]
fn unknown_fields_are_ignored_and_so_are_fields_of_other_events() {
    let event = Event::parse(br#"{"event":"turn","tool":5,"x":{"y":[1]},"session":"s"}"#).unwrap();
    assert_eq!(event, Event::turn().in_session("s"));
}

#[test]
fn null_stands_for_a_field_that_is_not_there() {
    let event = Event::parse(br#"{"event":"turn","session":null,"at":null}"#).unwrap();
    assert_eq!(event, Event::turn());
}

#[test]
fn duplicate_keys_are_read_last() {
    let event = Event::parse(br#"{"event":"turn","session":"a","session":"b"}"#).unwrap();
    assert_eq!(&*event.session, "b");
}

#[test]
fn errors_say_what_is_wrong() {
    assert_eq!(
        error("[]"),
        "not an event: expected a JSON object, found an array"
    );
    assert_eq!(error("{}"), "not an event: the field `event` is missing");
    assert_eq!(
        error(r#"{"event":"call","id":"1"}"#),
        "`call` needs the field `tool`"
    );
    assert_eq!(
        error(r#"{"event":"call","tool":"t"}"#),
        "`call` needs the field `id`"
    );
    assert_eq!(
        error(r#"{"event":"call","id":true,"tool":"t"}"#),
        "the field `id` must be a string or a number, found a boolean"
    );
    assert_eq!(
        error(r#"{"event":"turn","at":1.5}"#),
        "the field `at` must be an integer (milliseconds), found a number"
    );
    assert_eq!(
        error(r#"{"event":"result","id":"1","status":"fine"}"#),
        "the field `status` must be one of ok, error, denied, cancelled and pending, found `fine`"
    );
    assert!(error(r#"{"event":"cal"}"#).starts_with("unknown event `cal`; known are call, result"));
    assert_eq!(
        error(r#"{"event":"turn""#),
        "not an event: unexpected end of input"
    );
    let surrogate = r#"{"event":"call","id":"1","tool":"t","args":{"a":"\ud800"}}"#;
    assert!(
        error(surrogate).contains("lone surrogate"),
        "{}",
        error(surrogate)
    );
    let number = r#"{"event":"call","id":"1","tool":"t","args":{"a":1e999}}"#;
    assert!(
        error(number).contains("number beyond a double"),
        "{}",
        error(number)
    );
    let deep = format!(
        r#"{{"event":"call","id":"1","tool":"t","args":{}1{}}}"#,
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    assert!(
        error(&deep).contains("nesting deeper than 128 levels"),
        "{}",
        error(&deep)
    );
    let bytes = Event::parse(b"{\"event\":\"turn\",\"x\":\"\xff\"}").unwrap_err();
    assert!(bytes.to_string().contains("invalid UTF-8"), "{bytes}");
}

#[test]
fn money_that_is_no_amount_counts_as_nothing() {
    for line in [
        r#"{"event":"turn","cost":-1}"#,
        r#"{"event":"turn","tokens":-5}"#,
    ] {
        assert_eq!(Event::parse(line.as_bytes()).unwrap(), Event::turn());
    }
}
