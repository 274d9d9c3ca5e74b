//! `unstuck scan`.

use std::{fs, path::Path};

use serde_json::Value;
use unstuck_transcript::Format;

use super::run::{Place, Ran, repeats};

/// Calls that are all different.
fn healthy(calls: usize) -> String {
    let one = |id| {
        format!(
            "{{\"event\":\"call\",\"id\":{id},\"tool\":\"read_file\",\"args\":{{\"path\":\"part-{id}.txt\"}},\"at\":{id}000}}\n{{\"event\":\"result\",\"id\":{id},\"output\":\"text of part {id}\",\"at\":{id}500}}\n"
        )
    };
    (1..=calls).map(one).collect::<Vec<_>>().concat()
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn scan(place: &Place, args: &[&str]) -> Ran {
    let args = [&["scan", "--format", "json"], args].concat();
    place.run(&args)
}

/// The runs as `path verdict loops`, in the order they are reported in.
fn runs(report: &Value) -> Vec<String> {
    let runs = report["runs"].as_array().expect("runs");
    runs.iter()
        .map(|run| {
            format!(
                "{} {} {}",
                run["path"].as_str().expect("a path"),
                run["verdict"].as_str().expect("a verdict"),
                run["loops"].as_array().expect("loops").len()
            )
        })
        .collect()
}

#[test]
fn the_worst_run_comes_first_and_the_numbers_add_up() {
    let place = Place::new("scan_worst_first");
    place
        .write("in/fine.jsonl", healthy(8))
        .write("in/nudged.jsonl", repeats(3))
        .write("in/.hidden/halted.jsonl", repeats(30));
    let ran = scan(&place, &["in"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let report = json(&ran);
    assert_eq!(
        runs(&report),
        [
            "in/.hidden/halted.jsonl halt 1",
            "in/nudged.jsonl nudge 1",
            "in/fine.jsonl allow 0",
        ]
    );
    let worst = &report["runs"][0]["loops"][0];
    assert_eq!(worst["rule"], "exact-repeat");
    assert_eq!(worst["repeats"], 30);
    assert_eq!(
        (worst["from"].as_u64(), worst["to"].as_u64()),
        (Some(1), Some(60))
    );
    assert_eq!(worst["pattern"][0], "read_file a.txt");
    assert_eq!(worst["unchanged"], "no such file");
    assert_eq!(worst["wasted"]["calls"], 29);
    let totals = &report["totals"];
    assert_eq!(totals["files"], 3);
    assert_eq!(totals["calls"], 41);
    assert_eq!(totals["wasted"]["calls"], 31);
    assert_eq!(totals["stuck"], 2);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_told_and_all_others_are_reported() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let place = Place::new("scan_200_files");
    for number in 0..196 {
        let text = if number % 10 == 0 {
            repeats(4)
        } else {
            healthy(3)
        };
        // Equal files would be copies.
        let text = text + &format!("{{\"event\":\"user\",\"at\":{number}}}\n");
        place.write(&format!("in/{:02}/{number:03}.jsonl", number % 7), text);
    }
    let mut corrupt = healthy(3);
    corrupt.insert_str(
        corrupt.find('\n').expect("a line") + 1,
        "{\"event\":\"call\",\u{7}\n",
    );
    place.write("in/corrupt.jsonl", corrupt);
    place.write("in/binary.jsonl", [0_u8, 159, 146, 150].repeat(5_000));
    symlink("..", place.path("in/00/loop")).expect("a link");
    symlink("nowhere", place.path("in/dangling.jsonl")).expect("a link");
    // Root may read everything, except for this.
    place.write("in/unreadable.jsonl", healthy(3));
    let unreadable = place.path("in/unreadable.jsonl");
    fs::set_permissions(&unreadable, fs::Permissions::from_mode(0o000)).expect("modes");
    if fs::read(&unreadable).is_ok() {
        fs::remove_file(&unreadable).expect("removed");
        symlink("/proc/self/mem", &unreadable).expect("a link");
    }
    let ran = scan(&place, &["in", "--follow"]);
    assert_eq!(ran.code, Some(2));
    let report = json(&ran);
    assert_eq!(report["runs"].as_array().expect("runs").len(), 197);
    assert_eq!(report["totals"]["stuck"], 20);
    assert_eq!(report["totals"]["skipped"], 2, "the binary file and a link");
    let errors = report["errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert_eq!(errors[0]["path"], "in/corrupt.jsonl");
    assert_eq!(errors[0]["line"], 2);
    assert_eq!(errors[1]["path"], "in/unreadable.jsonl");
    assert!(ran.err.contains("in/corrupt.jsonl:2: "), "{}", ran.err);
    assert!(
        ran.err.contains("in/unreadable.jsonl: cannot "),
        "{}",
        ran.err
    );
    let text = place.run(&["scan", "in", "--follow"]);
    assert_eq!(text.code, Some(2));
    assert!(
        text.out.contains("20 of 197 runs got stuck in loops"),
        "{}",
        text.out
    );
    assert!(text.out.contains("in/corrupt.jsonl"), "{}", text.out);
}

#[test]
fn two_scans_are_the_same_to_the_byte_with_any_number_of_threads() {
    let place = Place::new("scan_determinism");
    for number in 0..40 {
        let text = match number % 4 {
            0 => repeats(3 + number),
            _ => healthy(2 + number),
        };
        place.write(&format!("in/{number}.jsonl"), text);
    }
    for output in ["json", "jsonl", "sarif", "markdown", "junit", "terminal"] {
        let with = |jobs: &str| place.run(&["scan", "in", "--format", output, "--jobs", jobs]);
        let first = with("1");
        assert_eq!(first.code, Some(0), "{output}: {}", first.err);
        assert!(!first.out.is_empty());
        assert_eq!(first, with("1"), "{output}");
        assert_eq!(first, with("2"), "{output}");
        assert_eq!(first, with("7"), "{output}");
    }
}

#[test]
fn the_exit_code_can_follow_the_verdict() {
    let place = Place::new("scan_fail_on");
    place
        .write("nudged.jsonl", repeats(3))
        .write("halted.jsonl", repeats(30));
    let code = |file: &str, limit: &str| scan(&place, &[file, "--fail-on", limit]).code;
    assert_eq!(code("nudged.jsonl", "nudge"), Some(1));
    assert_eq!(code("nudged.jsonl", "deny"), Some(0));
    assert_eq!(code("nudged.jsonl", "halt"), Some(0));
    assert_eq!(code("halted.jsonl", "halt"), Some(1));
    assert_eq!(scan(&place, &["halted.jsonl"]).code, Some(0));
}

#[test]
fn old_files_and_old_runs_are_left_out() {
    let place = Place::new("scan_since");
    // 2026-11-10 and 2026-11-14, by their own times; the files are new.
    let at = |day: u64| 1_794_268_800_000 + (day - 10) * 86_400_000;
    let run = |day: u64| repeats(3).replace("\"event\"", &format!("\"at\":{},\"event\"", at(day)));
    place
        .write("in/old.jsonl", run(10))
        .write("in/new.jsonl", run(14))
        .write("in/untimed.jsonl", repeats(3));
    let since = |time: &str| runs(&json(&scan(&place, &["in", "--since", time])));
    assert_eq!(
        since("2026-11-12"),
        ["in/new.jsonl nudge 1", "in/untimed.jsonl nudge 1"]
    );
    assert_eq!(since("2026-11-01").len(), 3);
    let wrong = scan(&place, &["in", "--since", "yesterday"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("7d"), "{}", wrong.err);
}

#[test]
fn one_agent_can_be_asked_for() {
    let place = Place::new("scan_agent");
    place.write("in/events.jsonl", repeats(3));
    assert_eq!(
        json(&scan(&place, &["in", "--agent", "events"]))["totals"]["runs"],
        1
    );
    let other = json(&scan(&place, &["in", "--agent", "Claude Code"]));
    assert_eq!(
        (&other["totals"]["runs"], &other["totals"]["skipped"]),
        (&0.into(), &1.into())
    );
    let wrong = scan(&place, &["in", "--agent", "claud-code"]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.err.contains("did you mean `claude-code`?"),
        "{}",
        wrong.err
    );
}

#[test]
fn standard_input_is_read_too() {
    let place = Place::new("scan_stdin");
    let ran = place.run_with(&["scan", "-", "--format", "json"], repeats(4).as_bytes());
    assert_eq!(runs(&json(&ran)), ["standard input nudge 1"]);
    // A page shows calls, for which the input is needed twice.
    let page = place.run_with(&["scan", "-", "--format", "html"], repeats(4).as_bytes());
    assert_eq!(page.code, Some(0), "{}", page.err);
    assert!(page.out.contains("no such file"));
}

#[test]
fn a_line_that_is_cut_off_is_no_error_and_one_that_is_too_long_is() {
    let place = Place::new("scan_lines");
    place.write(
        "live.jsonl",
        repeats(4) + "{\"event\":\"call\",\"id\":\"9\",\"to",
    );
    let live = scan(&place, &["live.jsonl"]);
    assert_eq!((live.code, live.err.as_str()), (Some(0), ""));
    assert_eq!(runs(&json(&live)), ["live.jsonl nudge 1"]);
    let mut long = repeats(2).into_bytes();
    long.extend(br#"{"event":"text","text":""#);
    long.resize(long.len() + (65 << 20), b'x');
    long.extend(b"\"}\n");
    long.extend(repeats(4).bytes());
    place.write("long.jsonl", long);
    assert_eq!(scan(&place, &["long.jsonl"]).code, Some(0));
    let long = scan(&place, &["long.jsonl", "--bad-lines", "fail"]);
    assert_eq!(long.code, Some(2));
    let report = json(&long);
    assert_eq!(report["errors"][0]["line"], 5);
    assert_eq!(report["runs"][0]["calls"], 6);
}

#[test]
fn what_is_no_transcript_is_an_error_where_it_was_named() {
    let place = Place::new("scan_unknown");
    place.write("notes.txt", "milk\nbread\n");
    let named = scan(&place, &["notes.txt"]);
    assert_eq!(named.code, Some(2));
    assert!(
        named
            .err
            .contains("notes.txt: Unknown transcript format. Supported: "),
        "{}",
        named.err
    );
    let missing = scan(&place, &["missing.jsonl"]);
    assert_eq!(missing.code, Some(2));
    assert!(
        missing.err.contains("missing.jsonl: cannot open it"),
        "{}",
        missing.err
    );
    assert_eq!(scan(&place, &["."]).code, Some(0));
}

#[test]
fn without_a_path_the_places_of_agents_are_read() {
    let place = Place::new("scan_places");
    let session = |text: &str| {
        let call = format!(
            r#"{{"type":"assistant","uuid":"u","timestamp":"2026-11-01T10:00:00.000Z","sessionId":"s","isSidechain":false,"message":{{"id":"m{text}","role":"assistant","model":"claude-sonnet-4-5","content":[{{"type":"tool_use","id":"t{text}","name":"Bash","input":{{"command":"make"}}}}],"usage":{{"input_tokens":1000,"output_tokens":100,"cache_read_input_tokens":10000,"cache_creation_input_tokens":0}}}}}}"#
        );
        let result = format!(
            r#"{{"type":"user","uuid":"v","timestamp":"2026-11-01T10:00:01.000Z","sessionId":"s","isSidechain":false,"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{text}","content":"no rule to make target"}}]}}}}"#
        );
        format!("{call}\n{result}\n")
    };
    let text: String = (0..5).map(|number| session(&number.to_string())).collect();
    place.write("user/.claude/projects/-shop/s.jsonl", text);
    let run = |args: &[&str]| place.run_at_home("user", args);
    let report = json(&run(&["scan", "--format", "json"]));
    let found = &report["runs"][0];
    assert_eq!(found["format"], "claude-code");
    assert_eq!(found["models"][0], "claude-sonnet-4-5");
    assert_eq!(found["spent"]["tokens"], 55_500);
    // 5 × (1000 × $3 + 100 × $15 + 10000 × $0.30) for a million tokens each.
    assert_eq!(found["spent"]["usd"].as_f64(), Some(0.0375));
    assert_eq!(found["loops"][0]["rule"], "exact-repeat");
    assert!(found["wasted"]["usd"].as_f64().expect("money") > 0.0);
    fs::remove_dir_all(place.path("user")).expect("removed");
    let nothing = run(&["scan"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), ""));
    assert!(
        nothing.err.contains("No transcripts were found"),
        "{}",
        nothing.err
    );
    assert!(
        nothing
            .err
            .contains(&format!("user{}.claude", std::path::MAIN_SEPARATOR)),
        "{}",
        nothing.err
    );
    assert!(
        nothing.err.contains("unstuck scan examples/transcripts"),
        "{}",
        nothing.err
    );
}

#[test]
fn prices_come_from_the_configuration_and_unknown_models_are_named() {
    let place = Place::new("scan_prices");
    let claude = r#"{"type":"assistant","uuid":"u","timestamp":"2026-11-01T10:00:00.000Z","sessionId":"s","isSidechain":false,"message":{"id":"m1","role":"assistant","model":"house-model-1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}],"usage":{"input_tokens":1000000,"output_tokens":1000000}}}"#;
    place.write("house.jsonl", format!("{claude}\n"));
    let unknown = json(&scan(&place, &["house.jsonl"]));
    assert_eq!(unknown["totals"]["unpriced"][0], "house-model-1");
    assert_eq!(unknown["totals"]["spent"]["usd"], Value::Null);
    place.write_trusted(
        "unstuck.toml",
        "[prices.\"house-*\"]\ninput = 0.5\noutput = 1.5\n",
    );
    let known = json(&scan(&place, &["house.jsonl"]));
    assert_eq!(known["totals"]["spent"]["usd"].as_f64(), Some(2.0));
    assert_eq!(
        known["totals"]["unpriced"].as_array().map(Vec::len),
        Some(0)
    );
    let shown = place.run(&["config", "show"]);
    assert!(shown.out.contains("[prices.\"house-*\"]"), "{}", shown.out);
}

#[test]
fn a_report_is_written_whole_to_a_file() {
    let place = Place::new("scan_out");
    place
        .write("stuck.jsonl", repeats(12))
        .write("report.html", "old");
    let ran = place.run(&[
        "scan",
        "stuck.jsonl",
        "--format",
        "html",
        "-o",
        "report.html",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let page = fs::read_to_string(place.path("report.html")).expect("written");
    assert!(page.contains("read_file") && page.trim_end().ends_with("</html>"));
    let left: Vec<_> = fs::read_dir(place.path("."))
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().starts_with(".unstuck"))
        .collect();
    assert_eq!(left.len(), 0, "nothing is left lying around");
    let nowhere = place.run(&["scan", "stuck.jsonl", "-o", "no/such/place.txt"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(
        nowhere.err.contains("cannot write no/such/place.txt"),
        "{}",
        nowhere.err
    );
}

#[test]
fn the_demo_set_shows_loops_of_several_formats() {
    let place = Place::new("scan_demo");
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/transcripts");
    let ran = scan(&place, &[&demo.display().to_string(), "--no-config"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report = json(&ran);
    assert_eq!(report["skipped"][0], Value::Null, "{}", ran.err);
    let runs = report["runs"].as_array().expect("runs");
    let mut formats: Vec<_> = runs
        .iter()
        .filter_map(|run| run["format"].as_str())
        .collect();
    formats.sort_unstable();
    formats.dedup();
    assert_eq!(
        formats,
        [
            "claude-code",
            "codex",
            "events",
            "gemini-cli",
            "mini-swe-agent",
            "openai-chat"
        ]
    );
    assert!(report["totals"]["loops"].as_u64() >= Some(7));
    let stuck = report["totals"]["stuck"].as_u64().expect("a number");
    assert!(stuck < runs.len() as u64, "some went well");
    assert!(report["totals"]["wasted"]["usd"].as_f64() > Some(0.1));
}

#[test]
fn every_format_is_read() {
    let place = Place::new("scan_formats");
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../unstuck-transcript/tests/fixtures");
    for format in Format::ALL {
        let directory = fixtures.join(format.name());
        let ran = scan(&place, &[&directory.display().to_string(), "--no-config"]);
        let report = json(&ran);
        let of_it = |run: &&Value| run["format"] == format.name();
        let runs = report["runs"].as_array().expect("runs");
        let calls: u64 = runs
            .iter()
            .filter(of_it)
            .filter_map(|run| run["calls"].as_u64())
            .sum();
        assert!(calls > 0, "{format}: {report:#}");
        // What is broken in some of the files is told, and does not hide the rest.
        let errors = report["errors"].as_array().expect("errors");
        let broken = errors.iter().any(|error| error["kind"] != "bad-lines");
        assert_eq!(ran.code, Some(if broken { 2 } else { 0 }), "{format}");
    }
}

#[test]
fn a_database_of_opencode_is_read_while_it_is_open() {
    let place = Place::new("scan_opencode");
    let database = rusqlite::Connection::open(place.path("opencode.db")).expect("a database");
    database
        .execute_batch(
            "PRAGMA journal_mode = WAL;
             CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT);
             CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             INSERT INTO session VALUES ('ses_1', NULL);",
        )
        .expect("tables");
    for number in 0..5 {
        let message = format!("msg_{number}");
        database
            .execute(
                "INSERT INTO message VALUES (?1, 'ses_1', ?2, ?3)",
                (
                    &message,
                    number * 1_000,
                    r#"{"role":"assistant","modelID":"m"}"#,
                ),
            )
            .expect("a row");
        let part = format!(
            r#"{{"type":"tool","tool":"bash","callID":"c{number}","state":{{"status":"completed","input":{{"command":"make"}},"output":"no rule"}}}}"#
        );
        database
            .execute(
                "INSERT INTO part VALUES (?1, ?2, 'ses_1', ?3, ?4)",
                (format!("prt_{number}"), &message, number * 1_000, part),
            )
            .expect("a row");
    }
    let ran = scan(&place, &["opencode.db"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let report = json(&ran);
    assert_eq!(report["runs"][0]["format"], "opencode");
    assert_eq!(report["runs"][0]["calls"], 5);
    assert_eq!(report["runs"][0]["loops"][0]["rule"], "exact-repeat");
    drop(database);
    let other = rusqlite::Connection::open(place.path("other.db")).expect("a database");
    other.execute_batch("CREATE TABLE t (a);").expect("a table");
    drop(other);
    assert_eq!(json(&scan(&place, &["."]))["totals"]["files"], 1);
}

/// Calls that fail with two errors in turn, as `failure-cascade` counts them.
fn two_errors() -> String {
    let one = |id: usize| {
        let error = ["file exceeds the limit", "the disk does not answer"][id % 2];
        format!(
            "{{\"event\":\"call\",\"id\":{id},\"tool\":\"read_file\",\"args\":{{\"path\":\"part-{id}.bin\"}},\"at\":{id}000}}\n{{\"event\":\"result\",\"id\":{id},\"status\":\"error\",\"output\":\"{error}\",\"at\":{id}500}}\n{{\"event\":\"turn\"}}\n"
        )
    };
    (1..=9).map(one).collect::<Vec<_>>().concat()
}

#[test]
fn a_result_is_said_to_be_that_of_every_call_only_where_it_is() {
    let place = Place::new("scan_last_result");
    place
        .write("in/same.jsonl", repeats(5))
        .write("in/two.jsonl", two_errors());
    let report = json(&scan(&place, &["in"]));
    let all = report["runs"].as_array().expect("runs").iter();
    let loops: Vec<_> = all.map(|run| &run["loops"][0]).collect();
    let of = |rule: &str| loops.iter().find(|each| each["rule"] == rule).expect(rule);
    assert_eq!(of("exact-repeat")["unchanged"], "no such file");
    assert_eq!(of("exact-repeat").get("last_result"), None);
    let two = loops.iter().find(|each| each["rule"] != "exact-repeat");
    let two = two.expect("a loop of failures");
    assert_eq!(two["unchanged"], "", "{two}");
    let last = two["last_result"].as_str().expect("a result");
    assert!(
        ["file exceeds the limit", "the disk does not answer"].contains(&last),
        "{last}"
    );
    for (format, every, other) in [
        (
            "terminal",
            "every time: no such file",
            format!("last result: {last}"),
        ),
        (
            "markdown",
            "every time: `no such file`",
            format!("last result: `{last}`"),
        ),
        (
            "junit",
            "every time: no such file",
            format!("last result: {last}"),
        ),
        (
            "html",
            "\"unchanged\":\"no such file\"",
            format!("\"last_result\":\"{last}\""),
        ),
    ] {
        let out = place.run(&["scan", "--format", format, "in"]).out;
        assert!(out.contains(every), "{format}: {out}");
        assert!(out.contains(&other), "{format}: {out}");
        assert!(!out.contains(&format!("every time: {last}")), "{format}");
    }
}
