//! One count: repeats, laps, members, waste, `scan`, `top` and `tune` agree with each other and with the calls.

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{
    hook::stuck,
    run::{Place, finish},
};

/// Loops of words, messages and money: no call belongs to them.
const WORDS: [&str; 4] = ["chant", "summary-loop", "relay", "budget"];

/// The most members that a report lists.
const LISTED: u64 = 1_000;

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("no number: {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What does not hold in a report.
fn faults(report: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut sums = [0; 4];
    for run in list(&report["runs"]) {
        let mut of_run = Vec::new();
        let wasted: u64 = list(&run["loops"])
            .iter()
            .map(|each| {
                faults_of_loop(run, each, &mut of_run);
                number(&each["wasted"]["calls"])
            })
            .sum();
        let calls = number(&run["calls"]);
        if wasted != number(&run["wasted"]["calls"]) {
            of_run.push(format!(
                "loops waste {wasted}, the run {}",
                run["wasted"]["calls"]
            ));
        }
        if wasted > calls {
            of_run.push(format!("{wasted} wasted of {calls}"));
        }
        let mut members: Vec<u64> = list(&run["loops"])
            .iter()
            .flat_map(|each| list(&each["members"]))
            .map(number)
            .collect();
        let all = members.len();
        members.sort_unstable();
        members.dedup();
        if members.len() != all {
            of_run.push("a call is in two loops".to_owned());
        }
        let tools: u64 = list(&run["tools"])
            .iter()
            .map(|tool| number(&tool["calls"]))
            .sum();
        if list(&run["tools"]).len() < 12 && tools != calls {
            of_run.push(format!("tools have {tools} calls of {calls}"));
        }
        for (sum, one) in sums.iter_mut().zip([
            calls,
            number(&run["results"]),
            list(&run["loops"]).len() as u64,
            wasted,
        ]) {
            *sum += one;
        }
        let place = format!("{} {} {}", run["path"], run["session"], run["agent"]);
        faults.extend(of_run.into_iter().map(|fault| format!("{place}: {fault}")));
    }
    let totals = &report["totals"];
    let told = [
        &totals["calls"],
        &totals["results"],
        &totals["loops"],
        &totals["wasted"]["calls"],
    ]
    .map(number);
    if told != sums {
        faults.push(format!("totals are {told:?}, the sums {sums:?}"));
    }
    faults
}

fn faults_of_loop(run: &Value, each: &Value, faults: &mut Vec<String>) {
    let rule = each["rule"].as_str().expect("a rule");
    let (repeats, period) = (number(&each["repeats"]), number(&each["period"]));
    let members: Vec<u64> = list(&each["members"]).iter().map(number).collect();
    let wasted = number(&each["wasted"]["calls"]);
    let (from, to) = (number(&each["calls"]["from"]), number(&each["calls"]["to"]));
    let calls = number(&run["calls"]);
    let mut wants = |holds: bool, what: &str| {
        if !holds {
            faults.push(format!("{what}: {each}"));
        }
    };
    wants(from <= to && to <= calls, "calls within the run");
    wants(from >= 1 || calls == 0, "calls are counted from one");
    let tool = each["tool"].as_str().expect("a tool");
    if let Some(first) = each["pattern"][0].as_str()
        && !WORDS.contains(&rule)
        && first != "…"
    {
        wants(
            first.starts_with(tool) && !tool.is_empty(),
            "the tool of the pattern",
        );
    }
    if members.is_empty() {
        wants(WORDS.contains(&rule), "a loop of calls has calls");
        wants(wasted == 0, "words waste no calls");
        return;
    }
    let all = repeats * period;
    wants(
        members.len() as u64 == all.min(LISTED),
        "laps × period are its calls",
    );
    let expected = if rule == "aimless" { 0 } else { all - period };
    wants(wasted == expected, "waste is what follows the first lap");
    wants(members.is_sorted_by(|one, other| one < other), "in order");
    wants(members[0] == from, "it begins with its first call");
    wants(
        all > LISTED || members.last() == Some(&to),
        "it ends with its last call",
    );
    wants(repeats <= calls, "× N is not more than the calls there are");
    let strip = list(&each["strip"]);
    if !strip.is_empty() {
        let of_loop: Vec<u64> = (from..)
            .zip(strip)
            .filter(|(_, beat)| number(&beat["lap"]) > 0)
            .map(|(call, _)| call)
            .collect();
        let drawn = from + strip.len() as u64;
        let shown: Vec<u64> = members
            .iter()
            .copied()
            .filter(|call| *call < drawn)
            .collect();
        wants(of_loop == shown, "the strip draws its calls");
        for (call, beat) in (from..).zip(strip) {
            let place = members.iter().position(|member| *member == call);
            let lap = place.map_or(0, |place| place as u64 / period + 1);
            wants(lap == number(&beat["lap"]), "the strip draws its laps");
        }
    }
}

/// The report that a page shows.
fn of_page(page: &str) -> Value {
    let (_, data) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .expect("data");
    let (data, _) = data.split_once("</script>").expect("the end of the data");
    serde_json::from_str(data).expect("JSON")
}

fn scan(place: &Place, path: &str) -> (Value, Value) {
    let ran = place.run(&["scan", "--format", "json", path]);
    let report = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let ran = place.run(&["scan", "--format", "html", path]);
    (report, of_page(&ran.out))
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn counts_of_every_example_agree() {
    let place = Place::new("identities-examples");
    let (report, page) = scan(&place, examples().to_str().expect("a path"));
    assert_eq!(faults(&report), [""; 0]);
    assert_eq!(faults(&page), [""; 0]);
    assert!(
        number(&report["totals"]["loops"]) >= 8,
        "{}",
        report["totals"]
    );
    assert_eq!(report["totals"], page["totals"]);
}

/// `UNSTUCK_SAMPLES=transcripts cargo test -p unstuck-cli --test cli -- --ignored every_sample`
#[test]
#[ignore = "needs a directory of transcripts, by UNSTUCK_SAMPLES"]
fn counts_of_every_sample_agree() {
    let samples = env::var_os("UNSTUCK_SAMPLES").expect("UNSTUCK_SAMPLES names a directory");
    let samples = fs::canonicalize(samples).expect("a directory of transcripts");
    let place = Place::new("identities-samples");
    let (report, page) = scan(&place, samples.to_str().expect("a path"));
    assert_eq!(faults(&report), [""; 0]);
    assert_eq!(faults(&page), [""; 0]);
    assert!(number(&report["totals"]["runs"]) > 0);
}

/// The example that was reported with ten repeats in nine calls.
#[test]
fn a_loop_repeats_no_more_often_than_it_has_calls() {
    let place = Place::new("identities-dates");
    let path = examples().join("transcripts/mini-swe-agent/dates-1970.traj.json");
    let (report, _) = scan(&place, path.to_str().expect("a path"));
    let each = &report["runs"][0]["loops"][0];
    assert_eq!(each["rule"], "stuck-outcome");
    assert_eq!(
        (number(&each["repeats"]), number(&each["wasted"]["calls"])),
        (9, 8)
    );
    assert_eq!(each["members"], json!([2, 3, 4, 5, 6, 7, 8, 9, 10]));
}

/// Edits between failing tests are drawn and do not belong to the loop.
#[test]
fn the_strip_shows_the_calls_in_between() {
    let place = Place::new("identities-strip");
    let path =
        examples().join("transcripts/claude-code/c1a0de01-7001-4a00-8000-000000000001.jsonl");
    let ran = place.run(&["scan", path.to_str().expect("a path")]);
    assert!(ran.out.contains("▒··█·█·█·█·█·█·█\n"), "{}", ran.out);
    assert!(ran.out.contains("· unrelated call"), "{}", ran.out);
}

/// Makes files new, so that `top` shows them.
fn at_home(place: &Place) -> String {
    let from = examples().join("transcripts/claude-code");
    let name = "c1a0de01-7001-4a00-8000-000000000001.jsonl";
    let now = jiff::Timestamp::now().to_string();
    let text = fs::read_to_string(from.join(name)).expect("an example");
    let recent: Vec<String> = text
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).expect("JSON");
            if !line["timestamp"].is_null() {
                line["timestamp"] = now.as_str().into();
            }
            format!("{line}\n")
        })
        .collect();
    place.write(
        &format!("home/.claude/projects/shop/{name}"),
        recent.concat(),
    );
    format!("home/.claude/projects/shop/{name}")
}

/// Calls and wasted calls of the only agent that `top` lists.
fn top(place: &Place) -> (u64, u64) {
    let mut command = place.command(&["top", "--once"]);
    command.env("HOME", place.path("home"));
    for name in [
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
    ] {
        command.env_remove(name);
    }
    let ran = finish(command, b"");
    let mut lines = ran.out.lines().skip_while(|line| !line.contains("WASTED"));
    let head = lines.next().unwrap_or_else(|| panic!("no table: {ran:?}"));
    let row = lines.next().expect("a row");
    // Numbers stand right below the end of their column's name.
    let column = |name: &str| {
        let end = head.find(name).expect("a column") + name.len();
        let end = head[..end].chars().count();
        let text: String = row.chars().take(end).collect();
        let word = text.split_whitespace().last().expect("a number").to_owned();
        word.parse().unwrap_or(0)
    };
    (column("CALLS"), column("WASTED"))
}

#[test]
fn top_and_scan_count_the_same_waste() {
    let place = Place::new("identities-top");
    let path = at_home(&place);
    let (report, _) = scan(&place, &path);
    let totals = &report["totals"];
    let expected = (number(&totals["calls"]), number(&totals["wasted"]["calls"]));
    assert_eq!(expected, (28, 15));
    assert_eq!(top(&place), expected);
}

/// Five calls ran, and the others were denied: a call that did not run is not wasted.
#[test]
fn a_denied_call_is_not_wasted() {
    for times in [3, 5, 7, 9, 12] {
        let place = Place::new(&format!("identities-hooks-{times}"));
        stuck(&place, times);
        let (calls, wasted) = top(&place);
        assert_eq!(calls, times as u64);
        assert_eq!(
            wasted,
            calls.min(5) - 1,
            "all but the first of those that ran, of {times}"
        );
    }
}

/// `tune` counts every report of a rule, `scan` the loops that they are about.
#[test]
fn every_loop_of_scan_is_an_alarm_of_tune() {
    let place = Place::new("identities-tune");
    let path = examples().join("transcripts");
    agrees_with_tune(&place, path.to_str().expect("a path"));
}

/// A file, its copy, and the beginning of it in a file of its own.
#[test]
fn scan_and_tune_count_repeated_files_once() {
    let place = Place::new("identities-copies");
    let path =
        examples().join("transcripts/claude-code/c1a0de01-7001-4a00-8000-000000000001.jsonl");
    let text = fs::read_to_string(path).expect("an example");
    let lines: Vec<_> = text.lines().collect();
    let part = lines[..lines.len() * 2 / 3].join("\n") + "\n";
    place
        .write("in/a.jsonl", &text)
        .write("in/b.jsonl", &text)
        .write("in/c.jsonl", part);
    agrees_with_tune(&place, "in");
    // The ids are counters and the times whole seconds, so that the part is not known to be one; the copy is.
    let (report, _) = scan(&place, "in");
    assert_eq!(report["skipped"][0]["reason"], "copy");
    assert!(number(&report["totals"]["calls"]) < 2 * 28, "{report}");
}

fn agrees_with_tune(place: &Place, path: &str) {
    let (report, _) = scan(place, path);
    let ran = place.run(&["tune", "--format", "json", path]);
    let tune: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert!(number(&tune["alarms"]["all"]) >= number(&report["totals"]["loops"]));
    assert_eq!(tune["calls"], report["totals"]["calls"]);
    for each in list(&report["runs"])
        .iter()
        .flat_map(|run| list(&run["loops"]))
    {
        let is_told =
            |group: &&Value| group["rule"] == each["rule"] && group["tool"] == each["tool"];
        assert!(
            list(&tune["groups"]).iter().any(|group| is_told(&group)),
            "{each}"
        );
    }
}

/// A call as the corpus has it.
struct Recorded {
    tool: String,
    args: String,
}

/// `UNSTUCK_CORPUS=public.norm.jsonl.xz cargo test -p unstuck-cli --test cli -- --ignored corpus --nocapture`
#[test]
#[ignore = "needs a corpus of recorded runs, by UNSTUCK_CORPUS"]
fn counts_of_the_corpus_agree_in_two_formats() {
    let corpus = env::var_os("UNSTUCK_CORPUS").expect("UNSTUCK_CORPUS names a corpus of runs");
    let place = Place::new("identities-corpus");
    let mut made: Vec<Vec<Recorded>> = Vec::new();
    let mut chats = std::collections::HashSet::new();
    let mut unpack = Command::new("xz");
    unpack.arg("-dc").arg(corpus).stdout(Stdio::piped());
    let mut child = unpack.spawn().expect("xz");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for (at, line) in lines.enumerate() {
        let run: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let calls = steps(&run);
        if calls.is_empty() {
            continue;
        }
        let name = format!("run-{:05}", at + 1);
        let chat = chat(&run, &calls).to_string();
        // Some runs are in it twice. A copy of a file is counted once.
        if !chats.insert(chat.clone()) {
            continue;
        }
        place.write(&format!("chat/{name}.json"), chat);
        place.write(
            &format!("claude/{name}.jsonl"),
            claude_code(&run, &calls, &name),
        );
        made.push(
            calls
                .iter()
                .map(|step| Recorded {
                    tool: step["tool"].as_str().unwrap_or_default().to_owned(),
                    args: step["args"].to_string(),
                })
                .collect(),
        );
    }
    assert!(child.wait().expect("an end").success());
    let total: u64 = made.iter().map(|calls| calls.len() as u64).sum();
    let by_name: std::collections::BTreeMap<String, &Vec<Recorded>> =
        fs::read_dir(place.path("chat"))
            .expect("files")
            .map(|entry| {
                entry
                    .expect("a file")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .map(|name| name.trim_end_matches(".json").to_owned())
            .zip(&made)
            .collect();
    for directory in ["chat", "claude"] {
        let ran = place.run(&["scan", "--format", "json", directory]);
        let report: Value = serde_json::from_str(&ran.out).expect("a report");
        let totals = &report["totals"];
        println!("{directory}: {} files, {totals}", made.len());
        let faults = faults(&report);
        assert!(
            faults.is_empty(),
            "{} faults: {:#?}",
            faults.len(),
            &faults[..faults.len().min(5)]
        );
        assert_eq!(number(&totals["calls"]), total, "calls of the corpus");
        let (mut loops, mut unlike) = (0, Vec::new());
        for run in list(&report["runs"]) {
            let path = Path::new(run["path"].as_str().expect("a path"));
            let name = path.file_stem().expect("a name").to_string_lossy();
            let calls = by_name[&*name];
            assert_eq!(number(&run["calls"]), calls.len() as u64, "{name}");
            for each in list(&run["loops"]) {
                loops += 1;
                if !is_like(each, calls) {
                    unlike.push(format!("{name} {each}"));
                }
            }
        }
        println!(
            "{directory}: {loops} loops, {} of them with calls that are not alike",
            unlike.len()
        );
        let shown = &unlike[..unlike.len().min(3)];
        assert!(
            unlike.len() * 100 <= loops,
            "{} of {loops}: {shown:#?}",
            unlike.len()
        );
    }
}

/// Are the calls of a loop what its rule says they are?
fn is_like(each: &Value, calls: &[Recorded]) -> bool {
    let period = usize::try_from(number(&each["period"])).expect("a size");
    let members: Vec<&Recorded> = list(&each["members"])
        .iter()
        .map(|call| &calls[usize::try_from(number(call)).expect("a size") - 1])
        .collect();
    let same = |one: &Recorded, other: &Recorded| one.tool == other.tool && one.args == other.args;
    match each["rule"].as_str().expect("a rule") {
        "exact-repeat" | "poll" | "call-burst" => members.iter().all(|one| same(one, members[0])),
        "cycle" => members
            .iter()
            .zip(&members[period..])
            .all(|(one, next)| same(one, next)),
        "near-repeat" => members.iter().all(|one| one.tool == members[0].tool),
        _ => true,
    }
}

/// The calls of a run.
fn steps(run: &Value) -> Vec<&Value> {
    let tool = |step: &&Value| {
        step["tool"]
            .as_str()
            .is_some_and(|tool| !tool.is_empty() && !tool.starts_with("say:"))
    };
    list(&run["steps"]).iter().filter(tool).collect()
}

fn output(step: &Value) -> String {
    let text = step["result"]
        .as_str()
        .map_or_else(String::new, str::to_owned);
    // Where the recording was cut, the whole is known by its sum.
    match step["result_sha"].as_str() {
        Some(sum) if text.len() >= 4_000 => format!("{text}\n[cut {sum}]"),
        _ => text,
    }
}

fn arguments(step: &Value) -> Value {
    match &step["args"] {
        Value::Object(args) => Value::Object(args.clone()),
        other => json!({ "input": other }),
    }
}

/// A run as a chat of OpenAI's API.
fn chat(run: &Value, calls: &[&Value]) -> Value {
    let task = run["task"].as_str().unwrap_or("the task");
    let mut messages = vec![json!({ "role": "user", "content": task })];
    for (number, step) in (1..).zip(calls) {
        let id = format!("call_{number}");
        messages.push(json!({
            "role": "assistant", "content": step["text"],
            "tool_calls": [{ "id": id, "type": "function", "function": {
                "name": step["tool"], "arguments": arguments(step).to_string(),
            }}],
        }));
        messages.push(json!({ "role": "tool", "tool_call_id": id, "content": output(step) }));
    }
    json!({ "model": "some-model", "messages": messages })
}

/// A run as a session of Claude Code.
fn claude_code(run: &Value, calls: &[&Value], session: &str) -> String {
    let line = |at: usize, kind: &str, message: Value| {
        let time = 1_790_000_000 + 10 * i64::try_from(at).expect("a time");
        let time = jiff::Timestamp::from_second(time).expect("a time");
        let line = json!({
            "parentUuid": null, "isSidechain": false, "type": kind, "uuid": format!("{session}-{kind}-{at}"),
            "timestamp": time.to_string(), "cwd": "/home/ada/shop", "sessionId": session, "version": "2.1.300",
            "message": message,
        });
        format!("{line}\n")
    };
    let task = run["task"].as_str().unwrap_or("the task");
    let mut out = line(0, "user", json!({ "role": "user", "content": task }));
    for (number, step) in (1..).zip(calls) {
        let id = format!("toolu_{session}_{number}");
        let call =
            json!({ "type": "tool_use", "id": id, "name": step["tool"], "input": arguments(step) });
        let mut content = vec![call];
        if let Some(text) = step["text"].as_str().filter(|text| !text.trim().is_empty()) {
            content.insert(0, json!({ "type": "text", "text": text }));
        }
        out += &line(
            2 * number,
            "assistant",
            json!({
                "id": format!("msg_{session}_{number}"), "type": "message", "role": "assistant", "model": "some-model",
                "content": content, "usage": { "input_tokens": 10, "output_tokens": 10 },
            }),
        );
        let is_error = step["error"].as_bool().unwrap_or(false);
        out += &line(
            2 * number + 1,
            "user",
            json!({ "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": id, "content": output(step), "is_error": is_error },
            ]}),
        );
    }
    out
}
