//! `unstuck scan` counts, reports and prices every call once, however often it is recorded.

use serde_json::{Value, json};

use super::run::{Place, Ran, repeats};

fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn scan(place: &Place, args: &[&str]) -> Value {
    let ran = place.run(&[&["scan", "--format", "json"], args].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    parsed(&ran)
}

/// One id as providers make them.
fn id(kind: &str, number: usize) -> String {
    format!("{kind}_01Abq7Zx{:012}Kd", number * 7_919)
}

/// Messages `from..to` of a conversation in Claude Code's format, in which the same command fails again and again. The
/// session's name is not part of them.
fn messages(session: &str, range: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for number in range {
        let line = |kind: &str, message: Value, millis: usize| {
            json!({
                "type": kind,
                "uuid": id(kind, number),
                "sessionId": session,
                "isSidechain": false,
                "timestamp": format!("2026-11-01T10:{:02}:{:02}.{millis:03}Z", number / 60, number % 60),
                "message": message,
            })
        };
        let call = json!({
            "id": id("msg", number),
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "usage": {"input_tokens": 1_000, "output_tokens": 100},
            "content": [{
                "type": "tool_use",
                "id": id("toolu", number),
                "name": "Bash",
                "input": {"command": "make"},
            }],
        });
        let result = json!({
            "role": "user",
            "content": [{
                "type": "tool_result",
                "tool_use_id": id("toolu", number),
                "is_error": true,
                "content": "make: no rule to make target",
            }],
        });
        for line in [line("assistant", call, 123), line("user", result, 456)] {
            text += &line.to_string();
            text.push('\n');
        }
    }
    text
}

/// A last message without a call.
fn farewell(session: &str, number: usize) -> String {
    let message = json!({
        "type": "assistant",
        "uuid": id("assistant", number),
        "sessionId": session,
        "isSidechain": false,
        "timestamp": format!("2026-11-01T10:59:{:02}.789Z", number % 60),
        "message": {
            "id": id("msg", number),
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "usage": {"input_tokens": 1_000, "output_tokens": 100},
            "content": [{"type": "text", "text": "I give up."}],
        },
    });
    format!("{message}\n")
}

/// Sums that must not grow with copies.
fn sums(report: &Value) -> [Value; 5] {
    let totals = &report["totals"];
    [
        totals["calls"].clone(),
        totals["results"].clone(),
        totals["loops"].clone(),
        totals["wasted"].clone(),
        totals["spent"].clone(),
    ]
}

#[test]
fn a_copy_of_a_file_counts_once() {
    let place = Place::new("scan_copies_file");
    let (session, events) = (messages("s", 0..8), repeats(5));
    place
        .write("one/a.jsonl", &session)
        .write("one/b.jsonl", &events);
    let one = scan(&place, &["one"]);
    assert_eq!(one["totals"]["calls"], 13);
    place
        .write("two/a.jsonl", &session)
        .write("two/a.jsonl.bak", &session)
        .write("two/b.jsonl", &events)
        .write("two/old/b.jsonl", &events);
    let two = scan(&place, &["two"]);
    assert_eq!(sums(&two), sums(&one));
    assert_eq!(two["totals"]["runs"], 2);
    let group = &two["skipped"][0];
    assert_eq!(
        (&group["reason"], &group["count"]),
        (&json!("copy"), &json!(2)),
        "{two}"
    );
    assert_eq!(group["files"][0]["path"], "two/a.jsonl.bak");
    assert_eq!(group["files"][0]["detail"], "same as two/a.jsonl");
    let text = place.run(&["scan", "two"]).out;
    assert!(text.contains("copy of another file"), "{text}");
}

#[test]
fn a_resumed_or_forked_session_counts_its_new_messages_only() {
    let place = Place::new("scan_copies_fork");
    // The whole conversation in one file.
    place.write("whole/s.jsonl", messages("s", 0..9));
    let whole = scan(&place, &["whole"]);
    assert_eq!(whole["totals"]["calls"], 9);
    // It was resumed after five calls, in a file and under a name of its own.
    place
        .write("resumed/old.jsonl", messages("old", 0..5))
        .write("resumed/new.jsonl", messages("new", 0..9));
    let resumed = scan(&place, &["resumed"]);
    assert_eq!(sums(&resumed), sums(&whole));
    assert_eq!(resumed["totals"]["repeated"], 5);
    assert_eq!(resumed["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(resumed["runs"][0]["path"], "resumed/new.jsonl");
    assert_eq!(resumed["skipped"][0]["reason"], "copy");
    assert_eq!(
        resumed["skipped"][0]["files"][0]["detail"],
        "its messages are in resumed/new.jsonl"
    );
    let text = place.run(&["scan", "resumed"]).out;
    assert!(text.contains("5 repeated messages left out"), "{text}");
    // Two branches go on from the same five calls.
    place
        .write(
            "forked/a.jsonl",
            messages("a", 0..5) + &messages("a", 20..24),
        )
        .write(
            "forked/b.jsonl",
            messages("b", 0..5) + &messages("b", 40..43),
        );
    let forked = scan(&place, &["forked"]);
    let totals = &forked["totals"];
    assert_eq!(
        (&totals["calls"], &totals["results"]),
        (&json!(12), &json!(12)),
        "{totals}"
    );
    assert_eq!(totals["spent"]["tokens"], 12 * 1_100);
    assert_eq!(totals["repeated"], 5);
    assert_eq!(totals["runs"], 2);
}

#[test]
fn words_after_the_last_repeated_call_are_not_paid_twice() {
    let place = Place::new("scan_copies_words");
    place
        .write("in/old.jsonl", messages("old", 0..4) + &farewell("old", 4))
        .write(
            "in/new.jsonl",
            messages("new", 0..4) + &farewell("new", 4) + &messages("new", 5..7),
        );
    let report = scan(&place, &["in"]);
    assert_eq!(report["totals"]["calls"], 6);
    assert_eq!(
        report["totals"]["spent"]["tokens"],
        7 * 1_100,
        "{}",
        report["totals"]
    );
    assert_eq!(report["totals"]["runs"], 1);
}

#[test]
fn a_call_that_is_told_twice_in_one_file_counts_once() {
    let place = Place::new("scan_copies_call");
    let text = messages("s", 0..3);
    let lines: Vec<_> = text.lines().collect();
    // A proxy sent every message twice before its result came.
    let pairs = lines.chunks(2);
    let twice: Vec<_> = pairs.flat_map(|pair| [pair[0], pair[0], pair[1]]).collect();
    let twice = twice.join("\n") + "\n";
    place.write("once.jsonl", &text).write("twice.jsonl", twice);
    // And a session was appended to itself.
    place.write("again.jsonl", format!("{text}{text}"));
    let once = scan(&place, &["once.jsonl"]);
    for name in ["twice.jsonl", "again.jsonl"] {
        let report = scan(&place, &[name]);
        assert_eq!(sums(&report), sums(&once), "{name}");
        assert_eq!(report["totals"]["repeated"], 3, "{name}");
    }
}

#[test]
fn equal_calls_with_ids_of_their_own_or_counters_are_different_calls() {
    let place = Place::new("scan_copies_different");
    // The same id again and again, as some models write it, and runs of a benchmark that begin alike.
    let call = |id: &str, number: usize| {
        format!(
            "{{\"event\":\"call\",\"id\":\"{id}\",\"tool\":\"bash\",\"args\":{{\"command\":\"make\"}},\"at\":{number}000}}\n{{\"event\":\"result\",\"id\":\"{id}\",\"output\":\"no rule\",\"at\":{number}500}}\n"
        )
    };
    let counted: String = (1..=6).map(|number| call("call_0", number)).collect();
    place
        .write("in/a.jsonl", counted.clone() + &call("call_1", 7))
        .write("in/b.jsonl", counted + &call("call_2", 8));
    let report = scan(&place, &["in"]);
    assert_eq!(report["totals"]["calls"], 14);
    assert_eq!(report["totals"]["repeated"], 0);
    assert_eq!(report["runs"][0]["loops"][0]["repeats"], 7, "{report}");
}

#[test]
fn copies_give_the_same_report_in_any_order_and_with_any_number_of_threads() {
    let place = Place::new("scan_copies_order");
    for number in 0..12 {
        let own = 100 * (number + 1);
        let text = messages(&format!("s{number}"), 0..10) + &messages("x", own..own + number % 4);
        place.write(&format!("in/{number:02}.jsonl"), text);
    }
    let files: Vec<String> = (0..12)
        .map(|number| format!("in/{number:02}.jsonl"))
        .collect();
    let mut orders = vec![files.clone(), files.iter().rev().cloned().collect()];
    orders.push([&files[5..], &files[..5]].concat());
    let mut reports = Vec::new();
    for order in &orders {
        for jobs in ["1", "2", "7"] {
            let mut args = vec!["scan", "--format", "json", "--verbose", "--jobs", jobs];
            args.extend(order.iter().map(String::as_str));
            let mut report = parsed(&place.run(&args));
            // Skipped files are listed in the order they were given in.
            for group in report["skipped"].as_array_mut().expect("groups") {
                let files = group["files"].as_array_mut().expect("files");
                files.sort_by_key(|file| file["path"].to_string());
            }
            reports.push(report);
        }
    }
    assert_eq!(
        reports[0]["totals"]["calls"],
        10 + (0..12).map(|n| n % 4).sum::<i32>()
    );
    for report in &reports {
        assert_eq!(report, &reports[0]);
    }
    // The page shows calls, which are read a second time.
    let page = place.run(&["scan", "in", "--format", "html"]);
    assert_eq!(page.code, Some(0));
}

/// A recorder that writes counters for ids and whole seconds for times, whose file was appended to itself.
#[test]
fn a_file_that_was_appended_to_itself_counts_once_with_counters_and_whole_seconds_too() {
    let place = Place::new("scan_copies_seconds");
    let mut text = String::new();
    for number in 1..=5 {
        let (id, at) = (
            format!("call_{number}"),
            1_790_000_000_000_u64 + number * 1_000,
        );
        for event in [
            json!({"event": "call", "id": id, "tool": "bash", "args": {"command": "make"}, "at": at}),
            json!({"event": "result", "id": id, "output": "no rule", "at": at}),
        ] {
            text += &event.to_string();
            text.push('\n');
        }
    }
    place.write("once/s.jsonl", &text);
    let once = scan(&place, &["once"]);
    assert_eq!(once["totals"]["calls"], 5);
    let doubled: String = text
        .split_inclusive('\n')
        .flat_map(|line| [line, line])
        .collect();
    for (name, text) in [("again", format!("{text}{text}")), ("twice", doubled)] {
        place.write(&format!("{name}/s.jsonl"), text);
        let report = scan(&place, &[name]);
        assert_eq!(sums(&report), sums(&once), "{name}");
        assert_eq!(report["totals"]["repeated"], 5, "{name}");
    }
}
