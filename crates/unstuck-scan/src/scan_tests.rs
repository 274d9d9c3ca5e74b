use super::*;
use unstuck_report::ErrorKind;

/// The same call nine times, with the same result.
fn stuck() -> String {
    let call = r#"{"event":"call","id":"1","tool":"search","args":{"q":"salt"}}
{"event":"result","id":"1","output":"no hits"}
"#;
    call.repeat(9)
}

#[test]
fn bytes_are_reported_like_a_file() {
    let scan = Scan::new(Settings::default()).calls(Calls::Shown);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.jsonl");
    std::fs::write(&path, stuck()).unwrap();
    let mut of_bytes = scan.bytes("run.jsonl", stuck().as_bytes());
    let of_file = scan.paths([&path]).run().unwrap();
    assert_eq!(of_bytes.runs[0].loops[0].rule, "exact-repeat");
    assert!(!of_bytes.runs[0].loops[0].excerpt.is_empty());
    of_bytes.runs[0].path.clone_from(&of_file.runs[0].path);
    assert_eq!(of_bytes, of_file);
}

#[test]
fn a_scan_without_paths_and_places_reads_nothing() {
    let report = Scan::new(Settings::default()).run().unwrap();
    let mut nothing = Report::default();
    nothing.redact();
    assert_eq!(report, nothing);
}

#[test]
fn bytes_that_are_not_a_transcript_are_an_error_of_the_report() {
    let report = Scan::new(Settings::default()).bytes("notes.txt", *b"some notes");
    assert_eq!(report.runs, []);
    assert_eq!(report.errors[0].kind, ErrorKind::Unreadable);
}

#[test]
fn only_formats_that_are_asked_for_are_read() {
    let scan = Scan::new(Settings::default()).formats(vec![Format::Codex]);
    assert!(scan.wants(Format::Codex) && !scan.wants(Format::ClaudeCode));
    let report = scan.bytes("run.jsonl", stuck().as_bytes());
    assert_eq!(report.totals.runs, 0);
    assert_eq!(report.skipped[0].reason, SkipReason::NotAsked);
}
