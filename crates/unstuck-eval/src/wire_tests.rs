use std::fs;

use super::*;
use crate::trajectory::Trajectory;

const RUN: &str = r#"{"id":"r","set":"s","label":{},"steps":[{"role":"user","text":"go"},
{"role":"assistant","text":"I look","tool":"read","args":{"p":"\u00e9 \"x\"","n":1.50},"result":"none","error":true,"agent":"a"},
{"role":"assistant","text":"done"}]}"#;

#[test]
fn what_is_written_is_read_as_the_same_event() {
    let run = Trajectory::parse(RUN.as_bytes()).unwrap();
    let events = events(&run);
    assert_eq!(events.len(), 7);
    for (_, event) in events {
        let event = event.unwrap();
        let line = line(&event).unwrap();
        assert_eq!(Event::parse(line.as_bytes()).unwrap(), event, "{line}");
    }
}

#[test]
fn runs_become_sessions_and_events_are_copied() {
    let directory = std::env::temp_dir().join(format!("unstuck-wire-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let runs = directory.join("runs.jsonl");
    let one_line = RUN.replace('\n', "");
    fs::write(&runs, format!("{one_line}\n{one_line}\n")).unwrap();
    let stream = directory.join("stream.jsonl");
    fs::write(&stream, "{\"event\":\"turn\"}\nnot an event").unwrap();
    let mut out = Vec::new();
    let lines = write_events(&[runs, stream], &mut out).unwrap();
    fs::remove_dir_all(&directory).unwrap();
    let out = String::from_utf8(out).unwrap();
    let out: Vec<_> = out.lines().collect();
    assert_eq!((lines, out.len()), (16, 16));
    assert!(
        out[0].starts_with(r#"{"event":"user","session":"r","#),
        "{}",
        out[0]
    );
    assert!(
        out[7].starts_with(r#"{"event":"user","session":"r#2","#),
        "{}",
        out[7]
    );
    assert_eq!(out[14..], [r#"{"event":"turn"}"#, "not an event"]);
}

#[test]
fn a_file_packed_with_zstd_is_unpacked() {
    let path = std::env::temp_dir().join(format!("unstuck-wire-{}.jsonl.zst", std::process::id()));
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let packed = ruzstd::encoding::compress_to_vec("{\"event\":\"turn\"}\n".as_bytes(), level);
    fs::write(&path, packed).unwrap();
    let mut out = Vec::new();
    let lines = write_events(std::slice::from_ref(&path), &mut out).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(
        (lines, out.as_slice()),
        (1, b"{\"event\":\"turn\"}\n".as_slice())
    );
}
