//! Scans of what others wrote: databases, links and pipes.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt as _, symlink},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use serde_json::Value;

use crate::run::{Place, Ran, repeats};

const TABLES: &str = "\
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);";

/// Calls of one session, beginning with this number.
fn add_calls(database: &Connection, from: u32, count: u32) {
    for number in from..from + count {
        let message = format!("msg_{number}");
        let data = r#"{"role":"assistant","modelID":"m"}"#;
        let row = (&message, number, data);
        let insert = "INSERT INTO message VALUES (?1, 'ses_1', ?2, ?3)";
        database.execute(insert, row).expect("a row");
        let part = format!(
            r#"{{"type":"tool","tool":"bash","callID":"c{number}","state":{{"status":"completed","input":{{"command":"make"}},"output":"no rule"}}}}"#
        );
        let row = (format!("prt_{number}"), &message, number, part);
        let insert = "INSERT INTO part VALUES (?1, ?2, 'ses_1', ?3, ?4)";
        database.execute(insert, row).expect("a row");
    }
}

fn database(place: &Place, name: &str, pragmas: &str) -> Connection {
    let path = place.path(name);
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    let database = Connection::open(path).expect("a database");
    database.execute_batch(pragmas).expect("pragmas");
    database.execute_batch(TABLES).expect("tables");
    let session = "INSERT INTO session VALUES ('ses_1', NULL)";
    database.execute_batch(session).expect("a row");
    add_calls(&database, 0, 5);
    database
}

/// Name, size, times and content of every file in a directory.
fn state(directory: &Path) -> BTreeMap<String, (u64, i64, i64, Vec<u8>)> {
    let entries = fs::read_dir(directory).expect("a directory");
    entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let found = entry.metadata().expect("metadata");
            let name = entry.file_name().to_string_lossy().into_owned();
            // Readers of a live database take locks in its index, and that is what it is for.
            let content = if name.ends_with("-shm") {
                Vec::new()
            } else {
                fs::read(entry.path()).expect("content")
            };
            let times = (found.mtime(), found.mtime_nsec());
            (name, (found.len(), times.0, times.1, content))
        })
        .collect()
}

fn scan(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&["scan", "--format", "json"], args].concat())
}

fn calls(ran: &Ran) -> Value {
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    report["runs"][0]["calls"].clone()
}

#[test]
fn s11_a_scan_leaves_nothing_beside_a_database() {
    let place = Place::new("attack-s11-closed");
    drop(database(
        &place,
        "db/opencode.db",
        "PRAGMA journal_mode = WAL",
    ));
    let before = state(&place.path("db"));
    assert_eq!(before.len(), 1, "closed cleanly");
    let ran = scan(&place, &["db"]);
    assert_eq!((ran.code, calls(&ran)), (Some(0), 5.into()), "{}", ran.err);
    assert!(state(&place.path("db")) == before, "something was changed");
    // `top` reads databases in the same way.
    fs::create_dir_all(place.path("user/.local/share/opencode")).expect("made");
    let moved = place.path("user/.local/share/opencode/opencode.db");
    fs::rename(place.path("db/opencode.db"), moved).expect("moved");
    let before = state(&place.path("user/.local/share/opencode"));
    place.run_at_home("user", &["top", "--once"]);
    let ran = place.run_at_home("user", &["scan", "--format", "json"]);
    assert_eq!(calls(&ran), 5, "{}", ran.err);
    assert!(state(&place.path("user/.local/share/opencode")) == before);
}

#[test]
fn s11_a_log_that_was_not_written_back_is_read_and_left() {
    let place = Place::new("attack-s11-log");
    let writer = database(
        &place,
        "live/opencode.db",
        "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0",
    );
    add_calls(&writer, 5, 3);
    // As a program leaves it that was killed, with and without the index.
    for (name, endings) in [
        ("killed", &["", "-wal", "-shm"][..]),
        ("copied", &["", "-wal"]),
    ] {
        fs::create_dir_all(place.path(name)).expect("made");
        for ending in endings {
            let from = place.path(&format!("live/opencode.db{ending}"));
            fs::copy(from, place.path(&format!("{name}/opencode.db{ending}"))).expect("copied");
        }
        let before = state(&place.path(name));
        let ran = scan(&place, &[name]);
        assert_eq!(
            (ran.code, calls(&ran)),
            (Some(0), 8.into()),
            "{name}: {}",
            ran.err
        );
        assert!(state(&place.path(name)) == before, "{name} was changed");
    }
    // While the program still has it open and writes on.
    let before = state(&place.path("live"));
    let ran = scan(&place, &["live"]);
    assert_eq!((ran.code, calls(&ran)), (Some(0), 8.into()), "{}", ran.err);
    assert!(state(&place.path("live")) == before, "it was changed");
    add_calls(&writer, 8, 2);
    assert_eq!(calls(&scan(&place, &["live"])), 10);
    let mode: String = writer
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .expect("a mode");
    assert_eq!(mode, "wal");
}

#[test]
fn s11_a_locked_database_is_reported_and_never_read_in_pieces() {
    let place = Place::new("attack-s11-locked");
    let writer = database(&place, "opencode.db", "PRAGMA journal_mode = DELETE");
    writer.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
    add_calls(&writer, 5, 1);
    let ran = scan(&place, &["opencode.db"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("locked"), "{}", ran.err);
    writer.execute_batch("COMMIT").expect("done");
    let ran = scan(&place, &["opencode.db"]);
    assert_eq!((ran.code, calls(&ran)), (Some(0), 6.into()), "{}", ran.err);
}

#[test]
fn s11_virtual_tables_views_and_computed_columns_are_not_read() {
    let place = Place::new("attack-s11-schema");
    let part = r#"{"type":"tool","tool":"bash","callID":"c1","state":{"status":"completed","input":{"command":"make"},"output":"x"}}"#;
    let columns = "id, message_id, session_id, time_created, data";
    let row = format!("('p1', 'msg_0', 'ses_1', 1, '{part}')");
    for (name, replaced) in [
        (
            "virtual.db",
            format!(
                "CREATE VIRTUAL TABLE part USING fts5({columns}); INSERT INTO part VALUES {row};"
            ),
        ),
        (
            "view.db",
            format!(
                "CREATE TABLE other ({columns}); INSERT INTO other VALUES {row}; CREATE VIEW part AS SELECT * FROM other;"
            ),
        ),
        (
            "computed.db",
            format!(
                "CREATE TABLE part (id, message_id, session_id, time_created, data AS (hex(zeroblob(10)))); INSERT INTO part VALUES {};",
                "('p1', 'msg_0', 'ses_1', 1)"
            ),
        ),
    ] {
        let hostile = database(&place, name, "PRAGMA journal_mode = DELETE");
        hostile.execute_batch("DROP TABLE part").expect("gone");
        hostile.execute_batch(&replaced).expect("replaced");
        drop(hostile);
        let ran = scan(&place, &[name]);
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.out);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(report["totals"]["runs"], 0, "{name}");
    }
}

#[test]
fn s11_pipes_in_place_of_a_databases_files_are_not_waited_for() {
    let place = Place::new("attack-s11-pipes");
    for (directory, ending) in [("wal", "-wal"), ("shm", "-shm"), ("journal", "-journal")] {
        let name = format!("{directory}/opencode.db");
        drop(database(&place, &name, "PRAGMA journal_mode = WAL"));
        fifo(&place, &format!("{name}{ending}"));
        let ran = in_time(&place, &["scan", &name]).expect("it waits for a pipe");
        assert_eq!(ran.code, Some(2), "{ending}: {}", ran.out);
        assert!(ran.err.contains("not a regular file") || ran.out.contains("not a regular file"));
    }
}

fn fifo(place: &Place, name: &str) {
    let path = place.path(name);
    fs::create_dir_all(path.parent().expect("a directory")).expect("made");
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
}

/// Runs a command that must not wait for anything.
fn in_time(place: &Place, args: &[&str]) -> Option<Ran> {
    let mut child = place.command(args).spawn().expect("the command starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(20));
    }
    Some(Ran::from(child.wait_with_output().expect("ended")))
}

#[test]
fn s17_links_out_of_the_tree_are_followed_only_on_request() {
    let place = Place::new("attack-s17");
    place
        .write("elsewhere/runs/secret.jsonl", repeats(4))
        .write("elsewhere/one.jsonl", repeats(5))
        .write("tree/own/a.jsonl", repeats(6));
    symlink(place.path("elsewhere/runs"), place.path("tree/out")).expect("a link");
    symlink(
        place.path("elsewhere/one.jsonl"),
        place.path("tree/one.jsonl"),
    )
    .expect("a link");
    symlink("own/a.jsonl", place.path("tree/inside.jsonl")).expect("a link");
    symlink("..", place.path("tree/own/up")).expect("a link");
    symlink("../..", place.path("tree/own/out-by-parents")).expect("a link");
    let files = |args: &[&str]| {
        let ran = scan(&place, args);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        (report["totals"]["files"].clone(), ran.err)
    };
    let (count, said) = files(&["tree"]);
    assert_eq!(count, 1, "{said}");
    for word in [
        "skipped link",
        "tree/out",
        "tree/one.jsonl",
        "out-by-parents",
        "--follow",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    // A link that is named is meant.
    let (count, said) = files(&["tree/out"]);
    assert_eq!((count, said.as_str()), (1.into(), ""));
    assert_eq!(files(&["tree/one.jsonl"]).0, 1);
    // A link into another place that was named leads nowhere new.
    let (count, said) = files(&["tree/out", "tree", "elsewhere"]);
    assert_eq!(count, 3, "{said}");
    for flag in ["--follow", "-L"] {
        let (count, said) = files(&["tree", flag]);
        assert_eq!(count, 3, "{said}");
        assert!(!said.contains("skipped"), "{said}");
    }
}

#[test]
fn s17_the_places_of_agents_may_be_links_but_lead_no_further() {
    let place = Place::new("attack-s17-places");
    let call = r#"{"type":"assistant","uuid":"u","timestamp":"2026-11-01T10:00:00.000Z","sessionId":"s","isSidechain":false,"message":{"id":"m","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"make"}}]}}"#;
    place
        .write("dotfiles/claude/projects/p/s.jsonl", format!("{call}\n"))
        .write("other/t.jsonl", format!("{call}\n"));
    fs::create_dir_all(place.path("user")).expect("made");
    symlink(place.path("dotfiles/claude"), place.path("user/.claude")).expect("a link");
    symlink(
        place.path("other"),
        place.path("dotfiles/claude/projects/q"),
    )
    .expect("a link");
    let ran = place.run_at_home("user", &["scan", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["totals"]["files"], 1, "{}", ran.err);
    assert!(
        ran.err.contains("skipped link") && ran.err.contains("projects/q"),
        "{}",
        ran.err
    );
}

#[test]
fn s17_pipes_in_a_tree_are_named_and_not_waited_for() {
    let place = Place::new("attack-s17-pipes");
    place.write("tree/a.jsonl", repeats(4));
    fifo(&place, "tree/b.jsonl");
    let ran = in_time(&place, &["scan", "tree", "--format", "json"]).expect("it waits");
    assert_eq!((ran.code, calls(&ran)), (Some(0), 4.into()), "{}", ran.err);
    let named = ran.err.contains("pipe, socket or device") && ran.err.contains("b.jsonl");
    assert!(named, "{}", ran.err);
}

#[test]
fn s17_a_named_pipe_can_be_interrupted() {
    let place = Place::new("attack-s17-named");
    fifo(&place, "b.jsonl");
    let mut child = place
        .command(&["scan", "b.jsonl"])
        .spawn()
        .expect("the command starts");
    // Long enough for the handler of the signal to be there; before that the signal ends the process anyway.
    thread::sleep(Duration::from_millis(500));
    let interrupt = || {
        let id = child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status()
    };
    assert!(interrupt().expect("kill runs").success());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break Some(status);
        }
        if start.elapsed() > Duration::from_secs(10) {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert!(status.is_some(), "Ctrl-C does not end it");
}

#[test]
fn s17_a_named_pipe_is_read_to_its_end() {
    let place = Place::new("attack-s17-written");
    fifo(&place, "b.jsonl");
    for output in ["json", "html"] {
        let path = place.path("b.jsonl");
        let writer = thread::spawn(move || fs::write(path, repeats(4)));
        let words = ["scan", "b.jsonl", "--format", output, "-o", "report"];
        let ran = in_time(&place, &words).expect("it ends with its writer");
        assert_eq!(ran.code, Some(0), "{output}: {}", ran.err);
        assert!(place.read("report").contains("read_file"), "{output}");
        writer.join().expect("a thread").expect("written");
    }
}
