//! `unstuck scan` on the formats of many agents, where it looks for them, and what it is asked to leave out.

use std::{fmt::Write as _, fs, io::Write as _, path::PathBuf};

use lzma_rust2::{XzOptions, XzWriter};
use serde_json::Value;

use super::run::{Place, Ran, finish, repeats};

/// A recording of the crate that reads them.
fn fixture(name: &str) -> PathBuf {
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    crates.join("unstuck-transcript/tests/fixtures").join(name)
}

fn scan(place: &Place, args: &[&str]) -> (Ran, Value) {
    let ran = place.run(&[&["scan", "--format", "json"], args].concat());
    let report = serde_json::from_str(&ran.out);
    let report = report.unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    (ran, report)
}

/// A session of pi in a directory: a call that is repeated so often, from this day on.
fn pi_session(directory: &str, day: &str, times: usize) -> String {
    let mut text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{directory}-{day}\",\"timestamp\":\"{day}T09:00:00Z\",\"cwd\":\"{directory}\"}}\n"
    );
    for number in 1..=times {
        let (call, parent) = (2 * number, 2 * number - 1);
        let envelope = |id: usize, parent: usize| {
            format!(
                "\"type\":\"message\",\"id\":\"{id}\",\"parentId\":\"{parent}\",\"timestamp\":\"{day}T09:00:{number:02}Z\""
            )
        };
        let _ = writeln!(
            text,
            "{{{},\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"toolCall\",\"id\":\"c{number}\",\"name\":\"read\",\"arguments\":{{\"path\":\"a.txt\"}}}}]}}}}",
            envelope(call, parent)
        );
        let _ = writeln!(
            text,
            "{{{},\"message\":{{\"role\":\"toolResult\",\"toolCallId\":\"c{number}\",\"toolName\":\"read\",\"content\":[{{\"type\":\"text\",\"text\":\"no such file\"}}],\"isError\":true}}}}",
            envelope(call + 1, call)
        );
    }
    text
}

/// The paths of a report's runs, sorted.
fn paths(report: &Value) -> Vec<&str> {
    let runs = report["runs"].as_array().expect("runs");
    let mut paths: Vec<_> = runs.iter().filter_map(|run| run["path"].as_str()).collect();
    paths.sort_unstable();
    paths
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut writer = XzWriter::new(Vec::new(), XzOptions::default()).expect("a writer");
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory")
}

#[test]
fn every_call_and_result_of_each_format_is_counted_once() {
    let place = Place::new("scan_formats_counts");
    for (name, format, runs, calls, results) in [
        ("pi/normal.jsonl", "pi", 1, 5, 5),
        ("pi/first-version.jsonl", "pi", 1, 1, 1),
        ("claude-code-log/prefix.log", "claude-code-log", 1, 2, 2),
        ("claude-code-log/pretty.log", "claude-code-log", 1, 2, 2),
        (
            "claude-code-log/pretty-prefix.log",
            "claude-code-log",
            1,
            2,
            2,
        ),
        ("codex-exec-log/numbered.log", "codex-exec-log", 2, 3, 3),
        ("codex-exec-log/mixed.log", "codex-exec-log", 1, 2, 2),
        ("opencode-run-log/updates.log", "opencode-run-log", 1, 4, 3),
        ("opencode-run-log/bus.log", "opencode-run-log", 1, 2, 2),
        ("openinference/child-spans.json", "openinference", 1, 3, 3),
        ("openhands-llm/text.json", "openhands-llm", 1, 3, 2),
        ("openhands-llm/both.json", "openhands-llm", 1, 3, 2),
        ("openhands-llm/lines.jsonl", "openhands-llm", 1, 3, 2),
        ("openai-chat/response-beside.json", "openai-chat", 1, 3, 2),
        ("cline/xml.json", "cline", 1, 4, 3),
        ("cline/native.json", "cline", 1, 2, 2),
    ] {
        let path = fixture(name);
        let (ran, report) = scan(&place, &[path.to_str().expect("a path in UTF-8")]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{name}");
        let totals = &report["totals"];
        let counted = ["runs", "calls", "results"].map(|one| totals[one].as_u64().expect(one));
        assert_eq!(counted, [runs, calls, results], "{name}");
        assert_eq!(report["runs"][0]["format"], format, "{name}");
    }
}

#[test]
fn an_event_that_a_log_cut_off_is_an_error_with_its_line() {
    let place = Place::new("scan_formats_cut");
    let path = fixture("claude-code-log/broken.log");
    let (ran, report) = scan(&place, &[path.to_str().expect("a path in UTF-8")]);
    assert_eq!(ran.code, Some(0), "the other lines were read");
    let strict = ["scan", "--bad-lines", "fail"];
    let strict = [&strict[..], &[path.to_str().expect("a path in UTF-8")]].concat();
    assert_eq!(place.run(&strict).code, Some(2));
    assert_eq!(report["totals"]["calls"], 1);
    assert_eq!(report["errors"][0]["line"], 2);
    let error = report["errors"][0]["error"].as_str().expect("an error");
    let expected = "Line 2: the JSON object that begins on this line has no end";
    assert_eq!(error, expected);
}

#[test]
fn a_session_of_pi_that_goes_in_circles_is_reported() {
    let place = Place::new("scan_formats_pi");
    place.write("s.jsonl", pi_session("/home/ada/shop", "2026-03-01", 12));
    let (_, report) = scan(&place, &["s.jsonl"]);
    assert_eq!(report["totals"]["calls"], 12);
    assert_eq!(report["runs"][0]["loops"][0]["repeats"], 12);
}

#[test]
fn what_is_packed_with_xz_is_read_by_scan_and_by_tune() {
    let place = Place::new("scan_formats_xz");
    let halves = [packed(repeats(6).as_bytes()), packed(b"\n")].concat();
    place.write("events.jsonl.xz", halves).write(
        "s.jsonl.xz",
        packed(pi_session("/a", "2026-03-01", 9).as_bytes()),
    );
    let (ran, report) = scan(&place, &["."]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert_eq!(report["totals"]["calls"], 15);
    let ran = place.run(&["tune", "--format", "json", "events.jsonl.xz"]);
    assert!(!ran.err.contains("no event"), "{ran:?}");
    let tuned: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(tuned["events"], 12, "{tuned}");
}

#[test]
fn a_file_that_asks_for_gigabytes_to_be_unpacked_is_an_error() {
    let place = Place::new("scan_formats_xz_memory");
    let mut bytes = packed(repeats(6).as_bytes());
    // The header of the first block: its size, flags, the filter LZMA2, and the size of its dictionary.
    let end = 12 + (usize::from(bytes[12]) + 1) * 4 - 4;
    assert_eq!(bytes[14..16], [0x21, 1]);
    bytes[16] = 40;
    let mut sum = flate2::Crc::new();
    sum.update(&bytes[12..end]);
    bytes[end..end + 4].copy_from_slice(&sum.sum().to_le_bytes());
    place.write("big.jsonl.xz", bytes);
    let (ran, report) = scan(&place, &["big.jsonl.xz"]);
    assert_eq!(ran.code, Some(2));
    let error = report["errors"][0]["error"].as_str().expect("an error");
    assert!(error.contains("memory"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn sessions_are_found_where_agents_keep_them_and_unreadable_ones_are_named() {
    let place = Place::new("scan_formats_places");
    let tasks = "home/.config/Code/User/globalStorage";
    let task = |name: &str| fs::read(fixture(name)).expect("a recording");
    place
        .write(
            "home/.pi/agent/sessions/--home-ada--/s.jsonl",
            pi_session("/home/ada", "2026-03-01", 4),
        )
        .write(
            &format!("{tasks}/saoudrizwan.claude-dev/tasks/17/api_conversation_history.json"),
            task("cline/native.json"),
        )
        .write(
            &format!("{tasks}/rooveterinaryinc.roo-cline/tasks/18/api_conversation_history.json"),
            task("cline/xml.json"),
        );
    for name in ["a.jsonl", "b.jsonl", "sessions.db"] {
        place.write(&format!("home/.local/share/goose/sessions/{name}"), "x");
    }
    place
        .write(".crush/crush.db", "x")
        .write("home/.cursor/chats/1/2/store.db", "x");
    let ran = place.run_at_home("home", &["scan", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let runs = report["runs"].as_array().expect("runs");
    let mut found: Vec<_> = runs
        .iter()
        .map(|run| format!("{} {} {}", run["format"], run["session"], run["calls"]))
        .collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "\"cline\" \"17\" 2",
            "\"cline\" \"18\" 4",
            "\"pi\" \"/home/ada-2026-03-01\" 4"
        ]
    );
    for (path, files) in [
        ("home/.local/share/goose/sessions", "3 files"),
        (".crush/crush.db", "1 file"),
        ("home/.cursor/chats", "1 file"),
    ] {
        let path = place.path(path);
        let line = format!("found {} ({files}): not readable yet", path.display());
        assert!(ran.err.contains(&line), "{line}: {}", ran.err);
    }
    let ran = place.run_at_home("home", &["scan", "--agent", "goose"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("the sessions of `goose` are not readable yet"),
        "{ran:?}"
    );
    // A scan of a path says nothing of other places.
    let ran = place.run_at_home("home", &["scan", "home/.pi"]);
    assert!(!ran.err.contains("not readable"), "{ran:?}");
}

#[test]
fn runs_are_chosen_by_project_and_files_left_out_by_their_path() {
    let place = Place::new("scan_formats_project");
    place
        .write("in/1.jsonl", pi_session("/home/ada/shop", "2026-03-01", 4))
        .write(
            "in/2.jsonl",
            pi_session("/home/ada/shop-old", "2026-03-01", 4),
        )
        .write(
            "in/3.jsonl.xz",
            packed(pi_session("/srv/tools", "2026-03-01", 4).as_bytes()),
        )
        .write("in/shop/4.jsonl", repeats(4));
    let chosen = |args: &[&str]| {
        let (ran, report) = scan(&place, &[&["in"], args].concat());
        let groups = report["skipped"].as_array().expect("groups").iter();
        let groups = groups.map(|group| {
            let reason = group["reason"].as_str().expect("a reason");
            format!("{reason} {}", group["count"])
        });
        let groups: Vec<_> = groups.collect();
        // With the report on standard output, the other stream names them, too.
        assert_eq!(ran.err.lines().count(), groups.len(), "{ran:?}");
        (paths(&report).join(" "), groups.join(", "))
    };
    for (args, expected, said) in [
        (
            &["--project", "shop"][..],
            "in/1.jsonl in/2.jsonl in/shop/4.jsonl",
            "other-project 1",
        ),
        (&["--project", "*/shop"], "in/1.jsonl", "other-project 3"),
        (
            &["--project", "tools", "--project", "sho?"],
            "in/1.jsonl in/3.jsonl.xz",
            "other-project 2",
        ),
        (
            &["--exclude", "shop", "--exclude", "*.xz"],
            "in/1.jsonl in/2.jsonl",
            "excluded 2",
        ),
        (
            &["--exclude", "in/[1].jsonl"],
            "in/1.jsonl in/2.jsonl in/3.jsonl.xz in/shop/4.jsonl",
            "",
        ),
    ] {
        assert_eq!(
            chosen(args),
            (expected.to_owned(), said.to_owned()),
            "{args:?}"
        );
    }
}

#[test]
fn sessions_of_a_database_are_chosen_one_by_one() {
    let place = Place::new("scan_formats_database");
    let database = rusqlite::Connection::open(place.path("opencode.db")).expect("a database");
    database
        .execute_batch(
            "CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT);
             CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             INSERT INTO session VALUES ('one', NULL, '/home/ada/shop'), ('two', NULL, '/home/ada/tools');
             INSERT INTO message SELECT id, id, 1, '{\"role\":\"assistant\"}' FROM session;
             INSERT INTO part SELECT id, id, id, 1, '{\"type\":\"tool\",\"tool\":\"bash\",\"callID\":\"c\",\"state\":{\"status\":\"completed\",\"input\":{},\"output\":\"x\"}}' FROM session;",
        )
        .expect("tables");
    drop(database);
    let sessions = |args: &[&str]| {
        let (_, report) = scan(&place, &[&["opencode.db"], args].concat());
        let runs = report["runs"].as_array().expect("runs").clone();
        let names: Vec<_> = runs.iter().map(|run| run["session"].to_string()).collect();
        names.join(" ")
    };
    assert_eq!(sessions(&[]), "\"one\" \"two\"");
    assert_eq!(sessions(&["--project", "tools"]), "\"two\"");
    assert_eq!(sessions(&["--project", "nowhere"]), "");
    // Where no session is one of those, the reason is the filter.
    for (option, value, reason) in [
        ("--project", "nowhere", "other-project"),
        ("--until", "1960-01-01", "newer"),
    ] {
        let (_, report) = scan(&place, &["opencode.db", option, value]);
        assert_eq!(report["skipped"][0]["reason"], reason, "{report}");
    }
}

#[test]
fn runs_are_chosen_by_the_time_they_began() {
    let place = Place::new("scan_formats_until");
    for day in ["2026-03-01", "2026-03-02", "2026-03-03"] {
        place.write(&format!("{day}.jsonl"), pi_session("/a", day, 4));
    }
    let (_, report) = scan(
        &place,
        &[
            ".",
            "--since",
            "2026-03-02T00:00:00Z",
            "--until",
            "2026-03-03T00:00:00Z",
        ],
    );
    assert_eq!(paths(&report), ["./2026-03-02.jsonl"]);
    assert_eq!(report["totals"]["runs"], 1);
}

#[test]
fn loops_are_chosen_by_their_rule() {
    let place = Place::new("scan_formats_rule");
    place.write("s.jsonl", repeats(12));
    let asked = |rule: &str| {
        let (ran, report) = scan(&place, &["s.jsonl", "--rule", rule, "--fail-on", "nudge"]);
        let run = &report["runs"][0];
        let loops = run["loops"].as_array().expect("loops").len();
        (
            ran.code,
            loops,
            run["verdict"].clone(),
            report["totals"]["wasted"]["calls"].clone(),
        )
    };
    let (code, loops, verdict, wasted) = asked("exact-repeat");
    assert_eq!((code, loops), (Some(1), 1));
    assert!(verdict == "halt" && wasted == 11, "{verdict} {wasted}");
    let (code, loops, verdict, wasted) = asked("cycle");
    assert_eq!((code, loops), (Some(0), 0));
    assert!(verdict == "allow" && wasted == 0, "{verdict} {wasted}");
    let ran = place.run(&["scan", "s.jsonl", "--rule", "exact-repeats"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("did you mean `exact-repeat`?"), "{ran:?}");
}

/// A program that opens pages: it keeps what it was given, and ends with this code.
#[cfg(target_os = "linux")]
fn with_opener(place: &Place, code: u8, args: &[&str]) -> Ran {
    use std::os::unix::fs::PermissionsExt as _;
    let opener = place.path("bin/xdg-open");
    let seen = place.path("seen");
    let script = format!(
        "#!/bin/sh\ncat \"$1\" > '{}'\nexit {code}\n",
        seen.display()
    );
    place.write("bin/xdg-open", script);
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("it is ours");
    fs::create_dir_all(place.path("tmp")).expect("a directory can be made");
    let mut command = place.command(args);
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .env("PATH", format!("{}:{path}", place.path("bin").display()))
        .env("TMPDIR", place.path("tmp"));
    finish(command, b"")
}

#[cfg(target_os = "linux")]
#[test]
fn the_page_is_opened_from_a_file_that_only_its_owner_can_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new("scan_formats_open");
    place.write("s.jsonl", repeats(12));
    let ran = with_opener(&place, 0, &["scan", "s.jsonl", "--open"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{ran:?}");
    assert!(place.read("seen").contains("exact-repeat"));
    let pages = fs::read_dir(place.path("tmp")).expect("a directory");
    let pages: Vec<_> = pages.map(|page| page.expect("an entry").path()).collect();
    assert_eq!(pages.len(), 1, "{pages:?}");
    assert!(pages[0].extension().is_some_and(|end| end == "html"));
    let mode = fs::metadata(&pages[0])
        .expect("a page")
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0);
    let ran = with_opener(&place, 0, &["scan", "s.jsonl", "--open", "-o", "mine.html"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(place.read("seen"), place.read("mine.html"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_browser_that_cannot_be_opened_is_reported_with_the_page() {
    let place = Place::new("scan_formats_open_fails");
    place.write("s.jsonl", repeats(12));
    let args = ["scan", "s.jsonl", "--open", "-o", "page.html"];
    let ran = with_opener(&place, 3, &args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("`xdg-open` failed"), "{ran:?}");
    let page = place.path("page.html");
    let hint = format!("Open the page yourself: {}", page.display());
    assert!(ran.err.contains(&hint), "{ran:?}");
    let mut command = place.command(&args);
    command.env("PATH", "/nowhere");
    let ran = finish(command, b"");
    assert!(ran.err.contains("`xdg-open` is not installed"), "{ran:?}");
    let ran = place.run(&["scan", "s.jsonl", "--open", "--format", "json"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--open shows the HTML page"), "{ran:?}");
}
