use super::*;

fn kinds(body: &str) -> Vec<bool> {
    let events = read(body.as_bytes()).unwrap();
    events.iter().map(|event| event.event.is_ok()).collect()
}

#[test]
fn one_event_many_and_lines_are_read() {
    let turn = r#"{"event":"turn"}"#;
    assert_eq!(kinds(turn), [true]);
    assert_eq!(kinds("{\n  \"event\": \"turn\"\n}"), [true]);
    assert_eq!(kinds(&format!("[{turn}, {turn}]")), [true, true]);
    assert_eq!(kinds(&format!("{turn}\n\n{turn}\r\n")), [true, true]);
    assert_eq!(kinds("[]"), [] as [bool; 0]);
}

#[test]
fn what_is_not_an_event_is_an_error_in_its_place() {
    let turn = r#"{"event":"turn"}"#;
    assert_eq!(
        kinds(&format!(r#"[{turn}, 5, {{"event":"x"}}, {turn}]"#)),
        [true, false, false, true]
    );
    assert_eq!(
        kinds(&format!("{turn}\nnonsense\n{turn}")),
        [true, false, true]
    );
    // Duplicate members, as in every other place that reads events.
    let events = read(br#"{"event":"turn","event":"turn"}"#).unwrap();
    assert_eq!(events.len(), 1);
}

#[test]
fn bodies_without_events_are_refused() {
    for body in ["", " \n", "[", "[1,", "\u{feff}[1"] {
        let read = read(body.as_bytes());
        assert!(
            read.is_err() || read.unwrap().iter().all(|event| event.event.is_err()),
            "{body}"
        );
    }
    assert!(read(b"\xff").is_err());
    for body in ["5", "null", "\"text\"", "\0", "{", "nonsense\n{"] {
        assert!(read(body.as_bytes()).is_err(), "{body}");
    }
    let many = format!("[{}1]", "1,".repeat(MOST));
    assert!(read(many.as_bytes()).is_err());
}
