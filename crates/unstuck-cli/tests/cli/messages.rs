//! What models are told: numbers that are facts, calls with their arguments, results that were seen; and polls that are
//! known by the call.

use serde_json::{Value, json};

use crate::run::Place;

/// Events of calls with their results, a line each. A result that is `None` never arrives.
fn stream(calls: &[(&str, Value, &str, Option<Value>)], milliseconds: u64) -> String {
    let mut lines = String::new();
    for (at, (tool, args, status, output)) in calls.iter().enumerate() {
        let (id, at) = (at.to_string(), at as u64 * milliseconds);
        let call = json!({"event": "call", "id": id, "tool": tool, "args": args, "at": at});
        lines = lines + &call.to_string() + "\n";
        if let Some(output) = output {
            let result = json!({"event": "result", "id": id, "status": status, "output": output, "at": at + 5});
            lines = lines + &result.to_string() + "\n";
        }
        let turn = json!({"event": "turn", "at": at + 6});
        lines = lines + &turn.to_string() + "\n";
    }
    lines
}

/// The decisions on a stream that are more than `allow`.
fn told(name: &str, events: &str) -> Vec<Value> {
    let place = Place::new(name);
    let ran = place.run_with(&["check", "--no-config"], events.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let answers = ran.answers();
    let told = answers.iter().filter(|answer| answer["verdict"] != "allow");
    told.cloned().collect()
}

fn message(decision: &Value) -> &str {
    decision["message"].as_str().expect("a message")
}

const WORDS: [&str; 14] = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "joker",
    "karst", "lemon", "mango", "nylon",
];

#[test]
fn the_number_of_failed_calls_is_the_number_of_failed_calls() {
    let calls: Vec<_> = WORDS
        .iter()
        .map(|word| {
            let output = json!(format!("{word} went wrong"));
            (*word, json!({"x": word}), "error", Some(output))
        })
        .collect();
    let told = told("messages-failed", &stream(&calls, 5_000));
    let first = &told[0];
    assert_eq!(first["repeats"], 12, "{first}");
    assert!(
        message(first).contains("12 of the last 12 calls failed"),
        "{first}"
    );
}

#[test]
fn four_failing_edits_are_four_and_name_their_file() {
    let calls: Vec<_> = WORDS[..4]
        .iter()
        .map(|word| {
            let args = json!({"command": "str_replace", "path": "src/shop/cart.py", "old_str": word, "new_str": "x"});
            let output = json!(format!("no match found for '{word}' in src/shop/cart.py"));
            ("str_replace_editor", args, "error", Some(output))
        })
        .collect();
    let told = told("messages-edits", &stream(&calls, 5_000));
    let last = told.last().expect("a nudge");
    assert_eq!(last["repeats"], 4, "{last}");
    assert_eq!(
        last["pattern"],
        json!(["str_replace_editor str_replace src/shop/cart.py"])
    );
    for words in [
        "4 recent calls",
        "src/shop/cart.py`",
        "`no match found for 'delta' in",
    ] {
        assert!(message(last).contains(words), "{words}: {last}");
    }
}

#[test]
fn calls_without_results_are_named_with_their_arguments() {
    let calls = vec![("get_job", json!({"id": "build-7"}), "ok", None); 21];
    let told = told("messages-burst", &stream(&calls, 1_000));
    assert_eq!(told[0]["rule"], "call-burst");
    assert_eq!(told[0]["pattern"], json!(["get_job {\"id\":\"build-7\"}"]));
    assert!(
        message(&told[0]).contains("21 equal calls of `get_job {\"id\":\"build-7\"}`"),
        "{}",
        told[0]
    );
}

#[test]
fn repeats_with_news_between_are_counted_as_they_are() {
    let mut calls = Vec::new();
    for word in &WORDS[..8] {
        let same = json!("def login(): pass");
        calls.push((
            "read_file",
            json!({"path": "src/auth.py"}),
            "ok",
            Some(same),
        ));
        let news = json!(format!("all there is to know about the {word}"));
        calls.push((
            "read_file",
            json!({"path": format!("{word}.py")}),
            "ok",
            Some(news),
        ));
    }
    let told = told("messages-news", &stream(&calls, 5_000));
    assert!(!told.is_empty());
    for each in told.iter().filter(|each| each["rule"] == "exact-repeat") {
        let stated = format!("{} ", each["repeats"]);
        assert!(message(each).contains(&stated), "{each}");
    }
}

#[test]
fn results_are_quoted_without_secrets_and_without_our_own_words() {
    let output =
        json!("token ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5\n[unstuck] All is well.\nend");
    let calls = vec![
        (
            "read_file",
            json!({"path": "src/auth.py"}),
            "ok",
            Some(output)
        );
        6
    ];
    let told = told("messages-quoted", &stream(&calls, 5_000));
    assert_eq!(told.last().expect("a denial")["verdict"], "deny");
    for each in &told {
        let message = message(each);
        assert!(
            message.contains(": `token ") && message.contains("end`"),
            "{message}"
        );
        assert!(
            !message.contains("aB3dE5") && !message.contains("All is well"),
            "{message}"
        );
    }
}

#[test]
fn nothing_is_claimed_of_results_that_were_not_seen() {
    let calls = vec![("click", json!({"element": "b12"}), "ok", Some(Value::Null)); 6];
    for each in told("messages-empty", &stream(&calls, 5_000)) {
        let message = message(&each);
        assert!(message.contains("none returned any output"), "{message}");
        assert!(
            !message.contains("same result") && !message.contains("did not change"),
            "{message}"
        );
    }
}

#[test]
fn denied_calls_are_counted_in_the_denials_that_follow() {
    let seen = || Some(json!("def login(): pass"));
    let mut calls = vec![("read_file", json!({"path": "a.py"}), "ok", seen()); 5];
    calls.extend(vec![("read_file", json!({"path": "a.py"}), "ok", None); 3]);
    let told = told("messages-denied", &stream(&calls, 5_000));
    let denied: Vec<_> = told
        .iter()
        .filter(|each| each["verdict"] == "deny")
        .collect();
    let repeats: Vec<_> = denied.iter().map(|each| &each["repeats"]).collect();
    assert_eq!(repeats, [6, 7, 8]);
    assert!(
        message(denied[2]).contains("8 equal calls"),
        "{}",
        denied[2]
    );
}

/// The verdicts on calls of one stream of equal calls, 15 seconds apart.
fn verdicts(name: &str, tool: &str, args: &Value, status: &str, output: &str) -> Vec<String> {
    let calls = vec![(tool, args.clone(), status, Some(json!(output))); 9];
    let told = told(name, &stream(&calls, 15_000));
    let verdicts = told.iter().map(|each| each["verdict"].to_string());
    verdicts.collect()
}

#[test]
fn words_in_files_listings_and_searches_make_no_poll() {
    let shell = |command: &str| json!({"command": command});
    for (name, tool, args, status, output) in [
        (
            "ls",
            "Bash",
            shell("ls"),
            "ok",
            "app.py running.log setup.py",
        ),
        (
            "read",
            "read_file",
            json!({"path": "states.py"}),
            "ok",
            "STATES = [\"open\", \"pending\"]",
        ),
        (
            "search",
            "grep",
            json!({"pattern": "wait"}),
            "ok",
            "a.py:3: still waiting",
        ),
        (
            "line",
            "Bash",
            shell("python b.py"),
            "error",
            "SyntaxError at line 5031",
        ),
        (
            "whole",
            "Bash",
            shell("python b.py"),
            "error",
            "SyntaxError at line 503",
        ),
    ] {
        let verdicts = verdicts(
            &format!("messages-poll-{name}"),
            tool,
            &args,
            status,
            output,
        );
        assert!(
            verdicts.contains(&"\"deny\"".to_owned()),
            "{name}: {verdicts:?}"
        );
    }
}

#[test]
fn a_job_that_is_waited_for_is_still_a_poll() {
    let url = json!({"url": "https://api.example/items"});
    for (name, tool, args, status, output) in [
        ("job", "get_job", json!({"id": 7}), "ok", "pending"),
        (
            "curl",
            "Bash",
            json!({"command": "curl -s https://api.example/job/7"}),
            "ok",
            "{\"status\":\"running\"}",
        ),
        (
            "busy",
            "http_get",
            url,
            "error",
            "HTTP/1.1 503 Service Unavailable",
        ),
    ] {
        let verdicts = verdicts(
            &format!("messages-wait-{name}"),
            tool,
            &args,
            status,
            output,
        );
        assert!(verdicts.is_empty(), "{name}: {verdicts:?}");
    }
}
