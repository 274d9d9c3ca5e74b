#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use super::*;

fn events(recording: &str) -> Vec<Event> {
    let recording: Value = serde_json::from_str(recording).unwrap();
    let lines = recording["events"].as_str().unwrap().lines();
    let lines = lines.map(|line| Event::parse(line.as_bytes()).unwrap());
    lines.collect()
}

#[test]
fn events_are_written_as_they_are_read() {
    let lines = [
        r#"{"event":"call","session":"s","agent":"a","swarm":"w","at":7,"id":"1","tool":"t","args":{"a":"\u0000é"},"key":"k","read_only":true,"idempotent":false}"#,
        r#"{"event":"result","session":"s","agent":"a","id":"1","status":"error","output":null,"exit_code":2}"#,
        r#"{"event":"result","session":"s","agent":"a","id":"1"}"#,
        r#"{"event":"step","session":"s","agent":"a","code":"c","output":[1.5]}"#,
        r#"{"event":"text","session":"s","agent":"a","text":"t","role":"thinking"}"#,
        r#"{"event":"turn","session":"s","agent":"a","tokens":3,"cost":0.25}"#,
        r#"{"event":"user","session":"s","agent":"a"}"#,
        r#"{"event":"reset","session":"s","agent":"a"}"#,
    ];
    for line in lines {
        let event = Event::parse(line.as_bytes()).unwrap();
        assert_eq!(Event::parse(super::line(&event).as_bytes()).unwrap(), event);
    }
    let recording = read_transcript("run", lines.join("\n").as_bytes()).unwrap();
    assert!(
        recording.starts_with(r#"{"format":"events","#),
        "{recording}"
    );
    assert_eq!(events(&recording).len(), lines.len());
}

#[test]
fn what_cannot_be_read_is_a_problem() {
    let text = "{\"event\":\"user\"}\n{\"event\":\n{\"event\":\"turn\"}\n";
    let recording = read_transcript("run", text.as_bytes()).unwrap();
    assert_eq!(events(&recording).len(), 2);
    let recording: Value = serde_json::from_str(&recording).unwrap();
    assert_eq!(recording["problems"][0]["line"], 2);

    let unknown = read_transcript("run", b"no transcript").unwrap();
    assert_eq!(unknown, r#"{"format":null,"events":"","problems":[]}"#);
}
