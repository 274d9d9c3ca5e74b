//! `unstuck tune` on transcripts: places are lines of the file, and files are read and counted as `unstuck scan` does.

use serde_json::{Value, json};

use super::run::{Place, Ran};

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// A session of Claude Code that looks at a build so many times, and then goes on. Turns are events without a
/// line of their own, so that there are more events than lines.
fn poller(session: &str, times: usize) -> String {
    let mut text = String::new();
    let mut line = |kind: &str, message: Value, number: usize, part: usize| {
        let line = json!({
            "type": kind,
            "uuid": format!("{session}-{kind}-{number}"),
            "sessionId": session,
            "isSidechain": false,
            "timestamp": format!("2026-11-01T10:{:02}:{:02}.{part}23Z", number / 60, number % 60),
            "message": message,
        });
        text += &line.to_string();
        text.push('\n');
    };
    line(
        "user",
        json!({"role": "user", "content": "Merge it when the build is done."}),
        0,
        1,
    );
    for number in 0..times + 3 {
        let (tool, input, output) = match number.checked_sub(times) {
            None => ("ci", json!({"build": 7}), "pending"),
            Some(0) => ("ci", json!({"build": 7}), "success"),
            Some(1) => ("merge", json!({"build": 7}), "merged"),
            Some(_) => ("notify", json!({"who": "team"}), "sent"),
        };
        let id = format!("toolu_{session}Abq7Zx{:012}Kd", number * 7_919);
        line(
            "assistant",
            json!({
                "id": format!("msg_{session}_{number}"),
                "role": "assistant",
                "model": "claude-sonnet-4-5",
                "content": [
                    {"type": "tool_use", "id": id, "name": tool, "input": input},
                ],
            }),
            number,
            2,
        );
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": output}]);
        line(
            "user",
            json!({"role": "user", "content": result}),
            number,
            3,
        );
    }
    text
}

#[test]
fn what_is_no_longer_reported_is_placed_by_lines_of_the_file() {
    let place = Place::new("tune-lines");
    for session in ["p1", "p2", "p3", "p4", "p5"] {
        place.write(&format!("runs/{session}.jsonl"), poller(session, 4));
    }
    let tune = report(&place.run(&["tune", "runs", "--format", "json"]));
    let missed = tune["proposals"][0]["effect"]["missed"]
        .as_array()
        .unwrap_or_else(|| panic!("no proposal: {tune}"));
    assert!(!missed.is_empty(), "{tune}");
    let example = &tune["groups"][0]["examples"][0];
    for one in missed {
        // Behind the line of the person there are two lines for each of the five calls.
        assert_eq!(one["from"], 2, "{one}");
        assert_eq!(
            (&one["from"], &one["to"]),
            (&example["from"], &example["to"])
        );
        let last = one["to"].as_u64().expect("a line");
        assert!((9..=11).contains(&last), "{one}");
    }
    let text = place.run(&["tune", "runs"]).out;
    let lines = format!("p1.jsonl, lines 2 to {}: ", missed[0]["to"]);
    assert!(text.contains(&lines), "{text}");
}

/// A file, its copy, a part of it and the same session resumed under another name.
fn duplicated(place: &Place) {
    let whole = poller("whole", 12);
    let part: String = whole.split_inclusive('\n').take(19).collect();
    let resumed = whole.replace("\"sessionId\":\"whole\"", "\"sessionId\":\"again\"");
    let more = poller("other", 9);
    place
        .write("dup/a.jsonl", &whole)
        .write("dup/b.jsonl", &whole)
        .write("dup/c.jsonl", part)
        .write("dup/d.jsonl", resumed + &more);
}

#[test]
fn tune_counts_what_a_scan_counts_where_files_repeat_each_other() {
    let place = Place::new("tune-copies");
    duplicated(&place);
    let scan = report(&place.run(&["scan", "dup", "--format", "json"]));
    let ran = place.run(&["tune", "dup", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let tune = report(&ran);
    assert_eq!(scan["totals"]["calls"], 15 + 12);
    assert_eq!(tune["calls"], scan["totals"]["calls"]);
    assert_eq!(tune["files"], scan["totals"]["files"]);
    assert_eq!(tune["repeated"], scan["totals"]["repeated"]);
    assert_eq!(tune["skipped"], scan["skipped"]);
    assert_eq!(tune["skipped"][0]["reason"], "copy");
    // One alarm for each of the two sessions, however many files have them.
    assert_eq!(tune["alarms"]["all"], scan["totals"]["loops"], "{tune}");
    let text = place.run(&["tune", "dup"]).out;
    assert!(text.contains(" skipped, copy of another file:\n"), "{text}");
    assert!(
        text.contains(" left out: recorded more than once, counted once.\n"),
        "{text}"
    );
}

#[test]
fn files_are_skipped_for_the_reasons_of_a_scan() {
    let place = Place::new("tune-reasons");
    let utf16: Vec<u8> = "{\"a\": 1}\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place
        .write("in/a.jsonl", poller("a", 4))
        .write("in/empty.jsonl", "")
        .write("in/packed.jsonl.bz2", b"BZh91AY&SY")
        .write("in/wide.jsonl", utf16)
        .write("in/notes.txt", "hello\n");
    let scan = report(&place.run(&["scan", "in", "--format", "json"]));
    let tune = report(&place.run(&["tune", "in", "--format", "json"]));
    assert_eq!(tune["skipped"], scan["skipped"]);
    let reasons = tune["skipped"].as_array().expect("groups").iter();
    let reasons: Vec<_> = reasons.map(|group| group["reason"].clone()).collect();
    assert_eq!(reasons, ["unknown-format", "packed", "utf16", "empty"]);
    assert_eq!(
        tune["skipped"][1]["advice"],
        "Unpack them first; gzip, zstd and xz are read as they are."
    );
    let text = place.run(&["tune", "in"]).out;
    assert!(
        text.contains("1 file skipped, UTF-16 text:\n  in/wide.jsonl\n  Convert them first: iconv"),
        "{text}"
    );
    // A file that was named was meant to be read, and the report tells why it was not.
    let ran = place.run(&["tune", "in/packed.jsonl.bz2"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.out.contains("Packed with bzip2, which is not read."),
        "{}",
        ran.out
    );
}
