//! What `unstuck scan` does not read is counted and named; exit codes and output files.

use std::{fs, io::Write as _};

use serde_json::{Value, json};

use super::run::{Place, Ran, repeats};

fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("packed");
    packed.finish().expect("packed")
}

/// Events without a call: a run would have calls.
const NO_CALLS: &str = "{\"event\":\"user\"}\n{\"event\":\"text\",\"text\":\"hello\"}\n";

/// A directory with one transcript and a file of each kind that is skipped.
fn mixed(name: &str) -> Place {
    let place = Place::new(name);
    let wide: Vec<u8> = repeats(3)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place
        .write("in/run.jsonl", repeats(4))
        .write("in/no-calls.jsonl", NO_CALLS)
        .write("in/empty.jsonl", "")
        .write("in/blank.jsonl", "\n \n")
        .write("in/packed.jsonl.bz2", b"BZh91AY&SY\x01\x02\x03")
        .write("in/wide.jsonl", [b"\xff\xfe".to_vec(), wide].concat());
    for number in 0..5 {
        place.write(
            &format!("in/notes-{number}.txt"),
            format!("notes {number}\n"),
        );
    }
    let other = rusqlite::Connection::open(place.path("in/other.db")).expect("a database");
    other.execute_batch("CREATE TABLE t (a);").expect("a table");
    place
}

const EXPECTED: [(&str, u64, &str); 6] = [
    ("unknown-format", 5, "in/notes-0.txt"),
    ("no-run", 1, "in/no-calls.jsonl"),
    ("packed", 1, "in/packed.jsonl.bz2"),
    ("utf16", 1, "in/wide.jsonl"),
    ("database", 1, "in/other.db"),
    ("empty", 2, "in/blank.jsonl"),
];

#[test]
fn every_skipped_file_is_counted_and_named_by_reason() {
    let place = mixed("scan_skipped_reasons");
    let report = parsed(&place.run(&["scan", "in", "--format", "json"]));
    let groups = report["skipped"]
        .as_array()
        .unwrap_or_else(|| panic!("{report}"));
    let found: Vec<_> = groups
        .iter()
        .map(|group| {
            let reason = group["reason"].as_str().expect("a reason");
            let first = group["files"][0]["path"].as_str().expect("a path");
            (reason, group["count"].as_u64().expect("a count"), first)
        })
        .collect();
    assert_eq!(found, EXPECTED);
    assert_eq!(report["totals"]["skipped"], 11);
    assert_eq!(report["totals"]["files"], 1);
    assert_eq!(groups[0]["files"].as_array().map(Vec::len), Some(3));
    assert!(
        groups[0]["advice"]
            .as_str()
            .is_some_and(|advice| advice.contains("Supported: "))
    );
    assert_eq!(groups[1]["files"][0]["detail"], "events");
    assert_eq!(groups[2]["files"][0]["detail"], "bzip2");
    let all = parsed(&place.run(&["scan", "in", "--format", "json", "--verbose"]));
    assert_eq!(all["skipped"][0]["files"].as_array().map(Vec::len), Some(5));
    for output in ["terminal", "markdown", "html", "jsonl"] {
        let text = place
            .run(&["scan", "in", "--format", output, "--verbose"])
            .out;
        for (_, _, path) in EXPECTED {
            assert!(text.contains(path), "{output} has no {path}: {text}");
        }
        assert!(text.contains("in/notes-4.txt"), "{output}");
    }
    let text = place.run(&["scan", "in"]).out;
    for words in [
        "Skipped 11 files",
        "unknown format",
        "and 2 more",
        "--verbose lists all files",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn each_kind_of_file_has_its_own_sentence_when_it_is_named() {
    let place = mixed("scan_skipped_sentences");
    for (name, sentence) in [
        (
            "in/notes-0.txt",
            "Unknown transcript format. Supported: events, claude-code-log, ",
        ),
        ("in/empty.jsonl", "The file is empty."),
        (
            "in/packed.jsonl.bz2",
            "Packed with bzip2, which is not read. Unpack it first.",
        ),
        ("in/wide.jsonl", "UTF-16 text is not read. Convert it first"),
        ("in/other.db", "A database, but without sessions"),
    ] {
        let ran = place.run(&["scan", name, "--format", "json"]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        let error = parsed(&ran)["errors"][0]["error"].clone();
        let error = error.as_str().expect("an error");
        assert!(error.starts_with(sentence), "{name}: {error}");
    }
    let text = place.run(&["scan", "in/no-calls.jsonl"]).out;
    let words = "No agent runs found in 1 file (format events recognised, but no tool calls).";
    assert!(text.contains(words), "{text}");
    let markdown = place
        .run(&["scan", "in/no-calls.jsonl", "--format", "markdown"])
        .out;
    assert!(
        markdown.contains("No agent runs found") && !markdown.contains("circles"),
        "{markdown}"
    );
}

#[test]
fn files_older_than_asked_for_are_counted() {
    let place = Place::new("scan_skipped_older");
    place
        .write("in/a.jsonl", repeats(3))
        .write("in/b.jsonl", repeats(4));
    let ran = place.run(&["scan", "in", "--since", "2099-01-01", "--format", "json"]);
    let report = parsed(&ran);
    assert_eq!(report["skipped"][0]["reason"], "older", "{report}");
    assert_eq!(report["skipped"][0]["count"], 2);
    let ran = place.run(&["scan", "in", "--since", "2099-01-01", "--fail-on", "nudge"]);
    assert_eq!(ran.code, Some(0), "nothing new is not a failure: {ran:?}");
    assert!(ran.out.contains("older than --since"), "{}", ran.out);
}

#[test]
fn files_without_a_run_of_the_time_or_project_asked_for_are_counted() {
    let place = Place::new("scan_skipped_filters");
    place
        .write("in/a.jsonl", repeats_at(1_790_000_000_000))
        .write("in/b.jsonl", repeats_at(1_790_000_100_000));
    for (option, value, reason, title) in [
        ("--until", "2000-01-01", "newer", "newer than --until"),
        (
            "--project",
            "nowhere",
            "other-project",
            "other project than --project names",
        ),
    ] {
        let report = parsed(&place.run(&["scan", "in", option, value, "--format", "json"]));
        let groups = report["skipped"].as_array().expect("groups");
        assert_eq!(groups.len(), 1, "{report}");
        assert_eq!(
            (&groups[0]["reason"], &groups[0]["count"]),
            (&json!(reason), &json!(2))
        );
        let ran = place.run(&["scan", "in", option, value, "--fail-on", "nudge"]);
        assert_eq!(ran.code, Some(0), "no run asked for is an answer: {ran:?}");
        let words = format!("No agent runs found in 2 files ({title}).");
        assert!(ran.out.contains(&words), "{}", ran.out);
        assert!(!ran.out.contains("please report"), "{}", ran.out);
    }
    // Nothing was judged where everything was excluded.
    let ran = place.run(&["scan", "in", "--exclude", "in", "--fail-on", "nudge"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.out.contains("left out by --exclude"), "{}", ran.out);
}

/// Equal calls that begin at this time.
fn repeats_at(start: u64) -> String {
    let event = |number: u64| {
        let (id, at) = (format!("{start}-{number}"), start + number * 1_500);
        let call = json!({"event": "call", "id": id, "tool": "bash", "args": {"command": "make"}, "at": at});
        let result = json!({"event": "result", "id": id, "output": "no rule", "at": at + 500});
        format!("{call}\n{result}\n")
    };
    (0..4).map(event).collect()
}

#[test]
fn suggested_commands_read_what_was_scanned() {
    let place = Place::new("scan_skipped_next");
    place
        .write("in/a.jsonl", repeats(6))
        .write("my runs/b.jsonl", repeats(6));
    let text = place.run(&["scan", "in", "my runs"]).out;
    for command in [
        "unstuck scan in 'my runs' -o report.html\n",
        "unstuck tune in 'my runs'\n",
    ] {
        assert!(text.contains(command), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_special_files_are_in_the_report() {
    let place = Place::new("scan_skipped_links");
    place
        .write("in/a.jsonl", repeats(3))
        .write("out/b.jsonl", repeats(4));
    std::os::unix::fs::symlink(place.path("out/b.jsonl"), place.path("in/b.jsonl"))
        .expect("a link");
    std::os::unix::fs::symlink("nowhere", place.path("in/dead.jsonl")).expect("a link");
    let socket = std::os::unix::net::UnixListener::bind(place.path("in/s"));
    let report = parsed(&place.run(&["scan", "in", "--format", "json"]));
    let reasons = report["skipped"].as_array().expect("groups").iter();
    let reasons: Vec<_> = reasons
        .map(|group| group["reason"].as_str().expect("a reason"))
        .collect();
    let expected: &[&str] = if socket.is_ok() {
        &["link", "dead-link", "special"]
    } else {
        &["link", "dead-link"]
    };
    assert_eq!(reasons, expected);
}

#[test]
fn exit_codes_tell_loops_from_files_that_cannot_be_read() {
    let place = Place::new("scan_skipped_codes");
    place
        .write("notes/a.txt", "notes\n")
        .write("none/readme.md", "# nothing\n")
        .write("loop/a.jsonl", repeats(4))
        .write("stray/a.jsonl", repeats(1) + "42\n[\n" + &repeats(1))
        .write("both/a.jsonl", repeats(4) + "42\n")
        .write("cut/a.json", "[{\"role\":\"user\",\"content\":\"go\"},\n{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"bash\",\"arguments\":\"{}\"}}]},\n{\"ro");
    let code = |args: &[&str]| {
        let ran = place.run(&[&["scan"], args].concat());
        ran.code.unwrap_or_else(|| panic!("{ran:?}"))
    };
    // Nothing could be read: a build must not be green on that.
    assert_eq!(code(&["notes", "--fail-on", "nudge"]), 2);
    assert_eq!(code(&["none", "--fail-on", "halt"]), 2);
    assert_eq!(code(&["notes"]), 0);
    assert_eq!(code(&["loop", "--fail-on", "nudge"]), 1);
    assert_eq!(code(&["loop", "--fail-on", "halt"]), 0);
    assert_eq!(code(&["loop", "missing.jsonl"]), 2);
    assert_eq!(code(&["loop", "missing.jsonl", "--fail-on", "nudge"]), 1);
    assert_eq!(code(&["loop", "missing.jsonl", "--fail-on", "halt"]), 2);
    // A stray bad line is reported, and matters only if asked for.
    assert_eq!(code(&["stray"]), 0);
    assert_eq!(code(&["stray", "--fail-on", "nudge"]), 0);
    assert_eq!(code(&["stray", "--bad-lines", "fail"]), 2);
    assert_eq!(code(&["both", "--fail-on", "nudge"]), 1);
    assert_eq!(
        code(&["both", "--fail-on", "nudge", "--bad-lines", "fail"]),
        1
    );
    assert_eq!(code(&["cut"]), 2);
    let ran = place.run(&["scan", "stray", "--format", "json"]);
    let error = &parsed(&ran)["errors"][0];
    assert_eq!(error["kind"], "bad-lines", "{error}");
    assert_eq!(error["error"], "Line 3 is not a JSON object");
    assert!(
        ran.err
            .contains("Line 3 is not a JSON object (1 more line like this)"),
        "{}",
        ran.err
    );
}

#[test]
fn packed_files_that_are_cut_off_are_read_up_to_the_cut() {
    let place = Place::new("scan_skipped_cut");
    let mut text = String::new();
    for part in 0..200 {
        // Different texts, so that the packed file has several blocks.
        for line in repeats(40).lines() {
            text += &line.replace(
                "no such file",
                &format!("no such file {part} {}", part * 7919),
            );
            text.push('\n');
        }
    }
    let whole = gzip(&text);
    place.write("cut.jsonl.gz", &whole[..whole.len() / 2]);
    let zstd = ruzstd::encoding::compress_to_vec(
        text.as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    place.write("cut.jsonl.zst", &zstd[..zstd.len() * 3 / 4]);
    for (name, program) in [("cut.jsonl.gz", "gzip"), ("cut.jsonl.zst", "zstd")] {
        let ran = place.run(&["scan", name, "--format", "json"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let report = parsed(&ran);
        let calls = report["totals"]["calls"].as_u64().expect("a count");
        assert!(calls > 100 && calls < 8_000, "{name}: {calls} calls");
        let error = &report["errors"][0];
        assert_eq!(error["kind"], "incomplete");
        let sentence =
            format!("The {program} data is cut off; everything before that point was read.");
        assert_eq!(error["error"], sentence);
    }
}

#[test]
fn an_output_file_never_replaces_an_input() {
    let place = Place::new("scan_skipped_overwrite");
    let text = repeats(4);
    place.write("in/h.jsonl", &text);
    let refused = |args: &[&str]| {
        let ran = place.run(&[&["scan"], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
        assert!(
            ran.err.contains("one of the files to read"),
            "{args:?}: {}",
            ran.err
        );
        assert_eq!(place.read("in/h.jsonl"), text, "{args:?}");
    };
    refused(&["in/h.jsonl", "--format", "jsonl", "-o", "in/h.jsonl"]);
    refused(&["in", "-o", "in/h.jsonl"]);
    refused(&["in", "-o", "in/../in/h.jsonl"]);
    fs::hard_link(place.path("in/h.jsonl"), place.path("hard.jsonl")).expect("a link");
    refused(&["in", "-o", "hard.jsonl"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in/h.jsonl", place.path("soft.jsonl")).expect("a link");
        refused(&["in", "-o", "soft.jsonl"]);
    }
    // A report among the transcripts is replaced by the next one.
    for _ in 0..2 {
        let ran = place.run(&["scan", "in", "-o", "in/report.html"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn the_ending_of_an_output_file_decides_its_format_and_must_fit() {
    let place = Place::new("scan_skipped_endings");
    place.write("a.jsonl", repeats(4));
    for (name, start) in [
        ("x.html", "<!doctype html>"),
        ("x.json", "{\n"),
        ("x.sarif", "{\n"),
        ("x.md", "## "),
        ("x.xml", "<?xml"),
        ("x.txt", "\n"),
    ] {
        let ran = place.run(&["scan", "a.jsonl", "-o", name]);
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        let text = place.read(name);
        assert!(
            text.starts_with(start),
            "{name}: {}",
            &text[..text.len().min(80)]
        );
    }
    assert!(place.read("x.sarif").contains("sarif-2.1.0"));
    for (name, output) in [("y.html", "json"), ("y.json", "html"), ("y.md", "terminal")] {
        let ran = place.run(&["scan", "a.jsonl", "--format", output, "-o", name]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(
            ran.err.contains("does not fit the ending"),
            "{name}: {}",
            ran.err
        );
        assert!(!place.path(name).exists());
    }
    let ran = place.run(&["scan", "a.jsonl", "--format", "sarif", "-o", "z.json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = place.run(&["scan", "a.jsonl", "-o", "nodir/x.html"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("cannot write nodir/x.html: there is no directory nodir"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains(".unstuck-"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn waiting_for_a_named_pipe_ends_with_the_first_signal() {
    use std::{
        process::Command,
        time::{Duration, Instant},
    };

    let place = Place::new("scan_skipped_pipe");
    let made = Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(made.expect("mkfifo").success());
    for output in ["terminal", "html"] {
        for signal in ["-TERM", "-INT"] {
            let mut command = place.command(&["scan", "pipe", "--format", output]);
            let child = command.stdout(std::process::Stdio::null()).spawn();
            let mut child = child.expect("a scan");
            std::thread::sleep(Duration::from_millis(700));
            let sent = Command::new("kill")
                .args([signal, &child.id().to_string()])
                .status();
            assert!(sent.expect("kill").success());
            let start = Instant::now();
            let code = loop {
                if let Some(status) = child.try_wait().expect("a status") {
                    break status.code();
                }
                if start.elapsed() > Duration::from_secs(10) {
                    child.kill().expect("killed");
                    panic!("{output} {signal}: still waiting after the first signal");
                }
                std::thread::sleep(Duration::from_millis(20));
            };
            assert_eq!(code, Some(130), "{output} {signal}");
        }
    }
}

#[test]
fn tables_are_two_files_with_a_row_for_every_file() {
    let place = Place::new("scan_tables");
    place.write("in/a.jsonl", repeats(4));
    place.write("in/notes.txt", "Nothing happened.\n".repeat(9));
    let ran = place.run(&["scan", "in", "-o", "t.parquet"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out, "");
    for name in ["t.parquet", "t.loops.parquet"] {
        let bytes = fs::read(place.path(name)).expect("written");
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            text.contains("a.jsonl") && text.contains("notes.txt"),
            "{name}"
        );
        assert!(
            ran.err.contains(&format!("wrote {name} (2 rows)")),
            "{}",
            ran.err
        );
    }
    // The second file is no transcript either.
    place.write("in/x.loops.parquet", repeats(5));
    for words in [
        ["scan", "in", "-o", "in/x.parquet"].as_slice(),
        &["scan", "in/x.loops.parquet", "-o", "in/x.parquet"],
    ] {
        let ran = place.run(words);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.err.contains("cannot write in/x.loops.parquet"),
            "{ran:?}"
        );
        assert_eq!(place.read("in/x.loops.parquet"), repeats(5));
        assert!(!place.path("in/x.parquet").exists());
    }
    let ran = place.run(&["scan", "in", "-o", "-"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("leave out `-o`"), "{ran:?}");
    let ran = place.run(&["scan", "in", "--format", "parquet"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("-o FILE.parquet"), "{}", ran.err);
    let ran = place.run(&["scan", "in", "--watch", "--format", "parquet"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}
