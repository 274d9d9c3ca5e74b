use std::time::Duration;

use unstuck::{Preset, Settings};
use unstuck_audit::{AuditFile, AuditOptions, OnFailure};
use unstuck_mcp::{Codec, GuardOptions};
use unstuck_text::Notify;

use super::*;

fn guard(path: &std::path::Path) -> RecordedGuard {
    let options = GuardOptions::new("s", Settings::of(Preset::Standard));
    let audit = AuditFile::open(path, AuditOptions::default()).expect("a log");
    let notify = Notify::new(|_| {});
    let guard = Guard::new(options);
    let shared = SharedGuard::new(guard, Some(audit), OnFailure::Deny, 1 << 20, notify);
    RecordedGuard::start(shared).expect("a thread")
}

fn judge(guard: &RecordedGuard, line: &str) -> (ToServer, Option<Unrecorded>) {
    let message = Codec::default().read(line.as_bytes());
    guard.judge_client(Origin::default(), message, line.as_bytes())
}

fn call(id: u64) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t"}}}}"#)
}

#[tokio::test]
async fn calls_are_on_record_before_they_are_passed_on() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("audit.jsonl");
    let guard = guard(&path);
    let (said, unrecorded) = judge(&guard, &call(1));
    assert!(matches!(said, ToServer::ForwardCall(_)));
    let unrecorded = unrecorded.expect("a call");
    assert_eq!(guard.recorded(Origin::default(), unrecorded).await, Ok(()));
    let text = std::fs::read_to_string(&path).expect("a log");
    assert!(text.contains("\"event\":\"forward\""), "{text}");
    guard.close();
}

#[tokio::test]
async fn a_message_that_is_not_a_call_waits_for_nothing() {
    let place = tempfile::tempdir().expect("a directory");
    let guard = guard(&place.path().join("audit.jsonl"));
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let (said, unrecorded) = judge(&guard, ping);
    assert_eq!(said, ToServer::Forward);
    assert!(unrecorded.is_none());
    guard.close();
}

#[tokio::test]
async fn a_call_that_comes_after_the_end_does_not_run() {
    let place = tempfile::tempdir().expect("a directory");
    let guard = guard(&place.path().join("audit.jsonl"));
    let (_, unrecorded) = judge(&guard, &call(1));
    guard.close();
    let unrecorded = unrecorded.expect("a call");
    let waits = guard.recorded(Origin::default(), unrecorded);
    let said = tokio::time::timeout(Duration::from_secs(10), waits).await;
    assert!(matches!(said, Ok(Err(_))), "{said:?}");
}
