//! The calls of a loop and what they cost, compared with what was made and spent.

use std::{
    collections::{BTreeMap, HashSet},
    env,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::run::Place;

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("no number: {value}"))
}

fn numbers(value: &Value) -> Vec<u64> {
    list(value).iter().map(number).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A call as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Made {
    tool: String,
    args: String,
    output: String,
    failed: bool,
}

impl Made {
    fn new(tool: &str, args: &Value, output: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            args: args.to_string(),
            output: output.to_owned(),
            failed: false,
        }
    }

    fn args(&self) -> Value {
        serde_json::from_str(&self.args).expect("JSON")
    }
}

/// Calls as events, each with its result in a turn of its own: the lines 3n - 2 to 3n.
fn events(session: &str, calls: &[Made]) -> String {
    let mut out = String::new();
    for (at, call) in (1..).zip(calls) {
        let status = if call.failed { "error" } else { "ok" };
        let time = at * 10_000;
        for event in [
            json!({ "event": "call", "session": session, "id": at.to_string(), "tool": call.tool, "args": call.args(), "at": time }),
            json!({ "event": "result", "session": session, "id": at.to_string(), "status": status, "output": call.output, "at": time }),
            json!({ "event": "turn", "session": session, "at": time }),
        ] {
            out.push_str(&event.to_string());
            out.push('\n');
        }
    }
    out
}

/// What the turn of a call uses in the transcripts of this test.
fn tokens(call: u64) -> u64 {
    1_000 + call
}

/// Turns as a session of Claude Code, two lines for each: its calls and their results.
fn claude_code(session: &str, turns: &[&[Made]]) -> String {
    let line = |at: usize, kind: &str, message: Value| {
        let time =
            jiff::Timestamp::from_second(1_790_000_000 + 10 * i64::try_from(at).expect("a time"));
        let line = json!({
            "type": kind, "uuid": format!("{session}-{kind}-{at}"), "timestamp": time.expect("a time").to_string(),
            "sessionId": session, "cwd": "/home/ada/shop", "version": "2.1.300", "message": message,
        });
        format!("{line}\n")
    };
    let mut out = String::new();
    for (at, turn) in (1..).zip(turns) {
        let id = |place: usize| format!("toolu_{session}_{at}_{place}");
        let uses = turn.iter().enumerate().map(|(place, call)| {
            json!({ "type": "tool_use", "id": id(place), "name": call.tool, "input": call.args() })
        });
        let results = turn.iter().enumerate().map(|(place, call)| {
            json!({ "type": "tool_result", "tool_use_id": id(place), "content": call.output, "is_error": call.failed })
        });
        let used = tokens(at as u64);
        let message = json!({
            "id": format!("msg_{session}_{at}"), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
            "content": uses.collect::<Vec<_>>(), "usage": { "input_tokens": used - 7, "output_tokens": 7 },
        });
        out += &line(2 * at, "assistant", message);
        let results = json!({ "role": "user", "content": results.collect::<Vec<_>>() });
        out += &line(2 * at + 1, "user", results);
    }
    out
}

fn scan(place: &Place, path: &str) -> Value {
    let ran = place.run(&["scan", "--format", "json", path]);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// What does not hold for the loops of a run.
fn faults(run: &Value, calls: &[Made]) -> Vec<String> {
    let mut faults = Vec::new();
    let loops = list(&run["loops"]);
    let of_loops: HashSet<u64> = loops
        .iter()
        .flat_map(|each| numbers(&each["members"]))
        .collect();
    let call = |number: u64| &calls[usize::try_from(number).expect("a size") - 1];
    for each in loops {
        let members = numbers(&each["members"]);
        let (Some(first), Some(last)) = (members.first(), members.last()) else {
            if each["wasted"]["tokens"] != 0 {
                faults.push(format!("words waste tokens: {each}"));
            }
            continue;
        };
        // A call between the laps of a longer pattern has no place in a lap.
        if each["period"] == 1 {
            let kinds: HashSet<&Made> = members.iter().map(|one| call(*one)).collect();
            let outside =
                (*first..=*last).find(|one| !of_loops.contains(one) && kinds.contains(call(*one)));
            if let Some(outside) = outside {
                faults.push(format!("call {outside} is equal to one of {each}"));
            }
        }
    }
    let order: Vec<u64> = loops
        .iter()
        .map(|each| number(&each["calls"]["from"]))
        .collect();
    if !order.is_sorted() {
        faults.push(format!("loops begin with calls {order:?}"));
    }
    faults
}

/// What does not hold for the tokens and lines of a run that [`claude_code`] wrote, with one call in each turn.
fn faults_of_cost(run: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut sum = 0;
    for each in list(&run["loops"]) {
        let members = numbers(&each["members"]);
        let free = match each["rule"].as_str() {
            Some("aimless") => usize::MAX,
            _ => usize::try_from(number(&each["period"])).expect("a size"),
        };
        let expected: u64 = members.iter().skip(free).map(|call| tokens(*call)).sum();
        sum += expected;
        if number(&each["wasted"]["tokens"]) != expected {
            faults.push(format!("{expected} tokens were wasted: {each}"));
        }
        let lines = (number(&each["from"]), number(&each["to"]));
        if let (Some(first), Some(last)) = (members.first(), members.last())
            && lines != (2 * first - 1, 2 * last)
        {
            faults.push(format!("lines {lines:?}: {each}"));
        }
    }
    if number(&run["wasted"]["tokens"]) != sum || sum > number(&run["spent"]["tokens"]) {
        faults.push(format!("{sum} tokens in loops: {}", run["wasted"]));
    }
    faults
}

/// What decisions state of calls that ran, and loops do not show: decisions of `check` about lines of the events.
fn faults_of_numbers(run: &Value, decisions: &[Value]) -> Vec<String> {
    let loops = list(&run["loops"]);
    let mut faults = Vec::new();
    for (at, each) in loops.iter().enumerate() {
        let lines = number(&each["from"])..=number(&each["to"]);
        for decision in decisions {
            let line = number(&decision["line"]);
            let is_said = decision["verdict"] != "allow" && decision["rule"] == each["rule"];
            if !is_said || !lines.contains(&line) || list(&each["members"]).is_empty() {
                continue;
            }
            // Which of the last calls failed, or brought nothing new, only the engine knows: some of them may not be found.
            let message = decision["message"].as_str().expect("a message");
            if message.contains(" of the last ") {
                continue;
            }
            // Three lines for each call, of which the first is decided before it runs.
            let is_call = line % 3 == 1;
            let is_counted = !["stuck-outcome", "failure-cascade"]
                .contains(&each["rule"].as_str().expect("a rule"));
            let ran = number(&decision["repeats"]) - u64::from(is_call && is_counted);
            let finding = list(&decision["findings"])
                .iter()
                .find(|one| one["rule"] == each["rule"])
                .expect("a finding");
            let from = number(&finding["from"]).div_ceil(3);
            // A call is in one loop only.
            let others = loops.iter().enumerate().filter(|(other, _)| *other != at);
            let elsewhere = others
                .flat_map(|(_, other)| numbers(&other["members"]))
                .filter(|call| (from..=line.div_ceil(3)).contains(call))
                .count() as u64;
            if number(&each["repeats"]) + elsewhere < ran {
                faults.push(format!("{ran} calls in line {line}: {each}"));
            }
        }
    }
    faults
}

/// Six requests in other words, between calls that differ; the fifth is counted when the sixth is about to be made.
#[test]
fn a_call_that_the_engine_counted_later_is_shown() {
    let asked = [
        "check the menus and prices of the following restaurants near Washington Square Park to confirm they have vegan mains under $15 and offer dine-in services: Palma, Westville Hudson, Awash Ethiopian Restaurant, Union Square Cafe, and Lillie's Victorian Establishment.",
        "continue to check the menus and prices of Westville Hudson, Awash Ethiopian Restaurant, Union Square Cafe, and Lillie's Victorian Establishment to confirm they have vegan mains under $15 and offer dine-in services.",
        "check the menus and prices of Awash Ethiopian Restaurant, Union Square Cafe, and Lillie's Victorian Establishment to confirm they have vegan mains under $15 and offer dine-in services.",
        "check the menus and prices of Union Square Cafe and Lillie's Victorian Establishment to confirm they have vegan mains under $15 and offer dine-in services.",
        "check the menu and prices of Lillie's Victorian Establishment to confirm they have vegan mains under $15 and offer dine-in services.",
        "review the menu and prices for Lillie's Victorian Establishment to confirm if they have vegan mains under $15 and offer dine-in services.",
    ];
    let mut calls = Vec::new();
    for (at, text) in asked.iter().enumerate() {
        calls.push(Made::new(
            "delegate:WebSurfer",
            &json!({ "input": format!("Please {text}") }),
            "",
        ));
        let page = format!(
            "Here is a screenshot of page {at}, {}",
            "words of it ".repeat(at + 1)
        );
        calls.push(Made::new(
            "WebSurfer",
            &json!({ "input": format!("I clicked link {at}.") }),
            &page,
        ));
    }
    let place = Place::new("loops-counted");
    place.write("a.jsonl", events("a", &calls));
    let report = scan(&place, "a.jsonl");
    let run = &report["runs"][0];
    let decisions = place.run(&["check", "a.jsonl"]).answers();
    let told = decisions.iter().filter(|one| one["verdict"] != "allow");
    assert_eq!(told.map(|one| number(&one["repeats"])).max(), Some(6));
    assert_eq!(
        run["loops"][0]["members"],
        json!([1, 3, 5, 7, 9, 11]),
        "{run}"
    );
    assert_eq!(faults_of_numbers(run, &decisions), [""; 0]);
    assert_eq!(faults(run, &calls), [""; 0]);
}

/// Two commands in turn that fail in the same way: none of them is unrelated to the others.
#[test]
fn equal_calls_within_a_loop_belong_to_it() {
    let failing = |command: &str| Made {
        failed: true,
        ..Made::new(
            "bash",
            &json!({ "command": command }),
            "1969-12-30 (expected 1969-12-31)",
        )
    };
    let mut calls = vec![failing("python reproduce.py")];
    for at in 0..8 {
        calls.push(failing(
            [
                "sed -i s/a/b/ show.py && python reproduce.py",
                "sed -i s/b/a/ show.py && python reproduce.py",
            ][at % 2],
        ));
    }
    let place = Place::new("loops-equal");
    place.write("a.jsonl", events("a", &calls));
    let report = scan(&place, "a.jsonl");
    let run = &report["runs"][0];
    assert_eq!(faults(run, &calls), [""; 0]);
    assert_eq!(list(&run["loops"]).len(), 1, "{run}");
    assert_eq!(
        run["loops"][0]["members"],
        json!([1, 2, 3, 4, 5, 6, 7, 8, 9])
    );
}

#[test]
fn tokens_of_a_loop_are_those_of_its_calls_after_the_first() {
    let same = [Made::new(
        "Bash",
        &json!({ "command": "make" }),
        "nothing to do",
    )];
    let place = Place::new("loops-tokens");
    place.write("a.jsonl", claude_code("a", &[same.as_slice(); 4]));
    let report = scan(&place, "a.jsonl");
    let run = &report["runs"][0];
    assert_eq!(run["loops"][0]["wasted"]["calls"], 3, "{run}");
    assert_eq!(run["loops"][0]["wasted"]["tokens"], 1_002 + 1_003 + 1_004);
    assert_eq!(run["spent"]["tokens"], 1_001 + 1_002 + 1_003 + 1_004);
    assert_eq!(faults_of_cost(run), [""; 0]);
}

/// Turns of two calls, of which one is in the loop: it has half of their tokens.
#[test]
fn the_calls_of_a_turn_share_its_tokens() {
    let same = Made::new("Bash", &json!({ "command": "make" }), "nothing to do");
    let turns: Vec<[Made; 2]> = (0..5)
        .map(|at| {
            let name = json!({ "file_path": format!("/home/ada/shop/{at}.ts") });
            let other = Made::new("Read", &name, &format!("export const part_{at} = {at};"));
            [other, same.clone()]
        })
        .collect();
    let turns: Vec<&[Made]> = turns.iter().map(<[Made; 2]>::as_slice).collect();
    let place = Place::new("loops-shared");
    place.write("a.jsonl", claude_code("a", &turns));
    let report = scan(&place, "a.jsonl");
    let each = &report["runs"][0]["loops"][0];
    assert_eq!(each["members"], json!([2, 4, 6, 8, 10]), "{report}");
    // Of an odd number the later call has one more.
    assert_eq!(each["wasted"]["tokens"], 501 + 502 + 502 + 503);
}

#[test]
fn words_waste_no_tokens() {
    let place = Place::new("loops-words");
    let text = "I will now look at the file and see what is in it. ".repeat(40);
    let mut lines = String::new();
    for at in 0..4 {
        let line = json!({
            "type": "assistant", "uuid": format!("a-{at}"), "timestamp": format!("2026-11-02T09:00:0{at}.000Z"), "sessionId": "a",
            "cwd": "/home/ada/shop", "version": "2.1.300", "message": {
                "id": format!("msg_{at}"), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
                "content": [{ "type": "text", "text": text }], "usage": { "input_tokens": 9_000, "output_tokens": 500 },
            },
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    place.write("a.jsonl", lines);
    let report = scan(&place, "a.jsonl");
    let run = &report["runs"][0];
    assert!(!list(&run["loops"]).is_empty(), "{report}");
    assert_eq!(faults(run, &[]), [""; 0]);
    assert_eq!(run["wasted"]["tokens"], 0);
}

/// `UNSTUCK_CORPUS=public.norm.jsonl.xz cargo test -p unstuck-cli --test cli -- --ignored loops --nocapture`
#[test]
#[ignore = "needs a corpus of recorded runs, by UNSTUCK_CORPUS"]
fn loops_of_the_corpus_have_all_equal_calls_and_their_tokens() {
    let corpus = env::var_os("UNSTUCK_CORPUS").expect("UNSTUCK_CORPUS names a corpus of runs");
    let mut unpack = Command::new("xz");
    unpack.arg("-dc").arg(corpus).stdout(Stdio::piped());
    let mut child = unpack.spawn().expect("xz");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let place = Place::new("loops-corpus");
    let mut runs: BTreeMap<String, Vec<Made>> = BTreeMap::new();
    for (at, line) in lines.enumerate() {
        let run: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let calls: Vec<Made> = list(&run["steps"]).iter().filter_map(recorded).collect();
        if calls.is_empty() {
            continue;
        }
        let name = format!("run-{:05}", at + 1);
        place.write(&format!("events/{name}.jsonl"), events(&name, &calls));
        let turns: Vec<&[Made]> = calls.chunks(1).collect();
        place.write(&format!("claude/{name}.jsonl"), claude_code(&name, &turns));
        runs.insert(name, calls);
    }
    assert!(child.wait().expect("an end").success());
    for directory in ["events", "claude"] {
        let report = scan(&place, directory);
        assert_eq!(report["errors"], json!([]));
        println!("{directory}: {} runs, {}", runs.len(), report["totals"]);
        let mut all = Vec::new();
        for run in list(&report["runs"]) {
            let path = Path::new(run["path"].as_str().expect("a path"));
            let name = path.file_stem().expect("a name").to_string_lossy();
            let mut found = faults(run, &runs[&*name]);
            if directory == "claude" {
                found.extend(faults_of_cost(run));
            } else if !list(&run["loops"]).is_empty() {
                let decisions = place.run(&["check", &format!("events/{name}.jsonl")]);
                found.extend(faults_of_numbers(run, &decisions.answers()));
            }
            all.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
        }
        let shown = &all[..all.len().min(5)];
        assert!(all.is_empty(), "{} faults: {shown:#?}", all.len());
    }
}

/// A step of the corpus, where it is a call.
fn recorded(step: &Value) -> Option<Made> {
    let tool = step["tool"].as_str()?;
    if tool.is_empty() || tool.starts_with("say:") {
        return None;
    }
    let args = match &step["args"] {
        Value::Object(_) => step["args"].clone(),
        other => json!({ "input": other }),
    };
    let failed = step["error"].as_bool().unwrap_or(false);
    let output = step["result"].as_str().unwrap_or_default();
    Some(Made {
        failed,
        ..Made::new(tool, &args, output)
    })
}
