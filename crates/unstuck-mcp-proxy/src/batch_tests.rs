use std::{fs, path::Path};

use tempfile::TempDir;
use unstuck::{Preset, Settings};
use unstuck_audit::{AuditFile, AuditOptions, OnFailure, Start, verify};
use unstuck_mcp::{Guard, GuardOptions, Line};

use super::*;

fn call(id: usize) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"text\":\"text {id}\"}}}}}}\n"
    )
}

const NOTE: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}\n";

fn shared(audit: &Path) -> SharedGuard {
    let options = GuardOptions::new("s", Settings::of(Preset::Standard));
    let audit = AuditFile::open(audit, AuditOptions::default()).unwrap();
    SharedGuard::new(
        Guard::new(options),
        Some(audit),
        OnFailure::Deny,
        1 << 20,
        unstuck_text::Notify::silent(),
    )
}

#[test]
fn calls_are_on_record_before_they_are_passed_on() {
    const MANY: usize = 600;
    let place = TempDir::new().unwrap();
    let audit = place.path().join("audit.jsonl");
    let shared = shared(&audit);
    let mut judge = FromClient::new(&shared);
    let mut passed = String::new();
    for id in 0..MANY {
        judge.judge(Line::Whole(call(id).as_bytes()));
        if id % 5 == 0 || id + 1 == MANY {
            judge.settle(|batch| {
                let lines = std::str::from_utf8(&batch.to_server).unwrap();
                let recorded = fs::read_to_string(&audit).unwrap();
                for rest in lines.split("\"text\":").skip(1) {
                    let (said, _) = rest.split_once('}').unwrap();
                    assert!(recorded.contains(said), "{said} is not on record");
                }
                passed.push_str(lines);
            });
        }
    }
    assert_eq!(passed, (0..MANY).map(call).collect::<String>());
    shared.close();
    let verified = verify(&audit, None, Start::First, |_| {}).unwrap();
    // That it was passed on, and that it was never answered.
    assert_eq!(verified.lines, u64::try_from(2 * MANY).unwrap());
}

#[test]
fn calls_that_cannot_be_recorded_are_denied_and_other_messages_go_on() {
    let place = TempDir::new().unwrap();
    let audit = place.path().join("audit.jsonl");
    let shared = shared(&audit);
    fs::remove_file(&audit).unwrap();
    let mut judge = FromClient::new(&shared);
    for id in 0..4 {
        judge.judge(Line::Whole(call(id).as_bytes()));
        judge.judge(Line::Whole(NOTE.as_bytes()));
    }
    let (to_server, to_client) =
        judge.settle(|batch| (batch.to_server.clone(), batch.to_client.clone()));
    assert_eq!(to_server, NOTE.repeat(4).as_bytes());
    let denials = String::from_utf8(to_client).unwrap();
    assert_eq!(denials.lines().count(), 4);
    for denial in denials.lines() {
        assert!(denial.contains("cannot be written"), "{denial}");
    }
}
