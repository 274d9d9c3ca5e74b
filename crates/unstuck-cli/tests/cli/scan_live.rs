//! `unstuck scan`, while it is running: Ctrl-C and `--watch`.

#![cfg(unix)]

use std::{
    fs::OpenOptions,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Command},
    time::{Duration, Instant},
};

use super::run::{Place, repeats};

/// Far more than anything here takes on the slowest machine.
const LIMIT: Duration = Duration::from_mins(2);

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn ctrl_c_ends_with_what_was_found_so_far() {
    let place = Place::new("scan_interrupt");
    place.write("stuck.jsonl", repeats(12));
    let mut command = place.command(&[
        "scan",
        "--jobs",
        "1",
        "--format",
        "json",
        "stuck.jsonl",
        "-",
    ]);
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // More than fits into the pipe and into what waits behind it: when it is gone, the file before it has been read.
    let line = "{\"event\":\"turn\",\"session\":\"piped\"}\n".repeat(100_000);
    stdin.write_all(line.as_bytes()).expect("it reads");
    interrupt(&child);
    // The pipe stays open: nothing but the signal ends the scan.
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["totals"]["interrupted"], true);
    assert_eq!(report["runs"][0]["path"], "stuck.jsonl");
    assert_eq!(report["runs"][0]["loops"][0]["rule"], "exact-repeat");
    drop(stdin);
}

#[test]
fn a_watch_tells_what_is_new_and_nothing_else() {
    let place = Place::new("scan_watch");
    place
        .write("in/old.jsonl", repeats(30))
        .write("in/live.jsonl", repeats(2));
    let mut command = place.command(&["scan", "--watch", "in"]);
    let mut child = command.spawn().expect("it starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let begun = stderr.next().expect("a line").expect("text");
    assert!(begun.contains("watching 2 files"), "{begun}");
    let mut live = OpenOptions::new()
        .append(true)
        .open(place.path("in/live.jsonl"))
        .expect("it is there");
    // Two calls are in the file.
    let third = repeats(3)[repeats(2).len()..].to_owned();
    // Half a line first: it is not read before it is whole.
    let (half, rest) = third.split_at(20);
    live.write_all(half.as_bytes()).expect("written");
    live.flush().expect("written");
    std::thread::sleep(Duration::from_millis(600));
    live.write_all(rest.as_bytes()).expect("written");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let told = stdout.next().expect("a line").expect("text");
    assert!(
        told.starts_with("nudge exact-repeat 3x read_file a.txt"),
        "{told}"
    );
    assert!(told.contains("in/live.jsonl:6"), "{told}");
    // A file that was not there before is news from its first line on.
    place.write("in/new.jsonl", repeats(3));
    let told = stdout.next().expect("a line").expect("text");
    assert!(told.contains("in/new.jsonl:6"), "{told}");
    interrupt(&child);
    let begin = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        assert!(begin.elapsed() < LIMIT, "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(stdout.count(), 0, "old loops are no news");
}

#[test]
fn a_watch_writes_lines_only() {
    let place = Place::new("scan_watch_wrong");
    let page = place.run(&["scan", "--watch", "--format", "html", "."]);
    assert_eq!(page.code, Some(2));
    assert!(page.err.contains("--format jsonl"), "{}", page.err);
    let piped = place.run(&["scan", "--watch", "-"]);
    assert_eq!(piped.code, Some(2));
    assert!(piped.err.contains("unstuck check"), "{}", piped.err);
}

#[test]
fn a_watch_of_one_file_counts_it_as_one() {
    let place = Place::new("scan_watch_one");
    place.write("in/live.jsonl", repeats(2));
    let mut child = place
        .command(&["scan", "--watch", "in"])
        .spawn()
        .expect("it starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let begun = stderr.next().expect("a line").expect("text");
    interrupt(&child);
    assert!(begun.contains("watching 1 file; "), "{begun}");
    child.wait().expect("it ends");
}
