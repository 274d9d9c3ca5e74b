use std::{
    fs,
    io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, pipe},
    os::fd::BorrowedFd,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    thread,
};

use tempfile::TempDir;
use unstuck::{Preset, Settings};
use unstuck_audit::{AuditFile, AuditOptions, OnFailure, Start, verify};
use unstuck_mcp::{Guard, GuardOptions, Line};

use super::*;
use crate::{
    batch::FromClient,
    nonblocking::{NonBlockingWriter, Takes},
};

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

/// A server's input that knows what must be on record before it is written to.
struct Witness {
    to: PipeWriter,
    audit: PathBuf,
}

impl Write for Witness {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let audit = fs::read_to_string(&self.audit)?;
        // It may begin and end within a line.
        for rest in std::str::from_utf8(bytes)
            .unwrap()
            .split("\"text\":")
            .skip(1)
        {
            if let Some((said, _)) = rest.split_once('}') {
                assert!(audit.contains(said), "{said} is not on record");
            }
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl AsFd for Witness {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.to.as_fd()
    }
}

fn outbox<W: Write + AsFd>(to: W) -> Outbox<W> {
    Outbox::new(NonBlockingWriter::new(to, Takes::ALittle))
}

fn lines(from: PipeReader) -> impl Iterator<Item = String> {
    BufReader::new(from)
        .lines()
        .map(|line| line.unwrap() + "\n")
}

#[test]
fn calls_are_on_record_before_they_are_passed_on_whoever_does_it() {
    const MANY: usize = 600;
    let place = TempDir::new().unwrap();
    let audit = place.path().join("audit.jsonl");
    let shared = shared(&audit);
    let (from_server, to) = pipe().unwrap();
    let to_server = outbox(Witness {
        to,
        audit: audit.clone(),
    });
    let (_client, to_client) = pipe().unwrap();
    let to_client = outbox(to_client);
    let recorder = Recorder::new(&shared);
    let reader = thread::spawn(move || {
        assert!(lines(from_server).take(MANY).eq((0..MANY).map(call)));
    });
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                recorder.try_settle(&to_client, &to_server);
                thread::yield_now();
            }
        });
        let mut judge = FromClient::new(&shared);
        for id in 0..MANY {
            judge.judge(Line::Whole(call(id).as_bytes()));
            if id % 5 != 0 {
                recorder.take(judge.hand_over());
            }
            if id % 50 == 0 {
                recorder.settle(&to_client, &to_server);
            }
        }
        recorder.take(judge.hand_over());
        recorder.settle(&to_client, &to_server);
        assert!(recorder.is_empty());
        while !to_server.is_empty() {
            to_server.flush();
        }
        is_over.store(true, Ordering::Release);
    });
    reader.join().unwrap();
    assert!(to_client.is_empty());
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
    let (from_server, to_server) = pipe().unwrap();
    let (from_client, to_client) = pipe().unwrap();
    let (to_client, to_server) = (outbox(to_client), outbox(to_server));
    let recorder = Recorder::new(&shared);
    let mut judge = FromClient::new(&shared);
    for id in 0..4 {
        judge.judge(Line::Whole(call(id).as_bytes()));
        judge.judge(Line::Whole(NOTE.as_bytes()));
        recorder.take(judge.hand_over());
    }
    recorder.settle(&to_client, &to_server);
    to_client.close();
    to_server.close();
    assert_eq!(lines(from_server).collect::<Vec<_>>(), [NOTE; 4]);
    let denials: Vec<_> = lines(from_client).collect();
    assert_eq!(denials.len(), 4);
    for denial in denials {
        assert!(denial.contains("cannot be written"), "{denial}");
    }
}
