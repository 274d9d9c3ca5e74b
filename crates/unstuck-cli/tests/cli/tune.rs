//! `unstuck tune`.

use serde_json::{Value, json};

use crate::run::{Place, Ran};

/// A recording that is written call by call.
struct Recorder {
    session: &'static str,
    calls: usize,
    text: String,
}

impl Recorder {
    fn of(session: &'static str) -> Self {
        Self {
            session,
            calls: 0,
            text: String::new(),
        }
    }

    fn call(mut self, tool: &str, args: &Value, output: &Value) -> Self {
        self.calls += 1;
        let (session, id) = (self.session, self.calls);
        for event in [
            json!({"event": "call", "session": session, "id": id, "tool": tool, "args": args}),
            json!({"event": "result", "session": session, "id": id, "output": output}),
        ] {
            self.text += &event.to_string();
            self.text.push('\n');
        }
        self
    }
}

/// Looks at a build so many times, then it is done and the agent goes on.
fn poller(session: &'static str, times: usize) -> String {
    let build = json!({"build": 7});
    let mut run = Recorder::of(session);
    for _ in 0..times {
        run = run.call("ci", &build, &json!({"build": 7, "conclusion": null}));
    }
    run.call("ci", &build, &json!({"build": 7, "conclusion": "success"}))
        .call("merge", &build, &json!("merged"))
        .call("notify", &json!({"who": "team"}), &json!("sent"))
        .text
}

/// Five runs that look at a build this often, each in a file of its own.
fn pollers(place: &Place, directory: &str, times: [usize; 5]) {
    let sessions = ["p1", "p2", "p3", "p4", "p5"];
    for (session, times) in sessions.into_iter().zip(times) {
        place.write(
            &format!("{directory}/{session}.jsonl"),
            poller(session, times),
        );
    }
}

/// Reads a file that is not there until the recording ends.
fn stuck(session: &'static str, times: usize) -> String {
    let mut run = Recorder::of(session);
    for _ in 0..times {
        run = run.call(
            "read_file",
            &json!({"path": "x.py"}),
            &json!("no such file"),
        );
    }
    run.text
}

/// Asks for a state that never changes, with members beside it that do.
fn volatile(session: &'static str) -> String {
    let words = ["oak", "elm", "ash", "fir", "yew", "box", "bay", "fig"];
    let mut run = Recorder::of(session);
    for n in 0..14 {
        let mood = [words[n % 8], words[(n * 5 + 1) % 8]].concat();
        let answer = json!({"state": "idle", "mood": mood, "elapsed": n * 7 + 3});
        run = run.call("get_status", &json!({"job": "j"}), &answer);
    }
    run.text
}

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).expect("JSON")
}

/// The proposed TOML must be a configuration as it stands, with no more to remark than an empty one.
fn accept(place: &Place, toml: &str) {
    let check = |text: &str| {
        place.write("proposed.toml", text);
        place.run(&["config", "check", "proposed.toml"])
    };
    let (empty, proposed) = (check(""), check(toml));
    assert_eq!(proposed, empty, "{toml}");
    assert_eq!(proposed.code, Some(0));
}

#[test]
fn a_poller_is_told_apart_from_a_stuck_run() {
    let place = Place::new("tune-report");
    place
        .write("runs/a/poller.jsonl", poller("build", 12))
        .write("runs/stuck.jsonl", stuck("lost", 9))
        .write("runs/notes.txt", "not a transcript");
    let settings = "[rules.exact-repeat]\nnudge = 3\nwarning = \"never\"\ncritical = \"never\"\ndeny = 5\nhalt = 8\n";
    place.write_trusted("unstuck.toml", settings);
    let ran = place.run(&["tune", "runs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let message = |call: &str| {
        let check = place.run_with(&["check"], poller("build", 12).as_bytes());
        let first = check
            .answers()
            .into_iter()
            .find(|one| one["verdict"] == "nudge");
        let text = first.expect("a nudge")["message"]
            .as_str()
            .expect("text")
            .to_owned();
        let text = text
            .trim_start_matches("[unstuck] ")
            .replace("ci {\"build\":7}", call);
        assert!(text.ends_with('.'), "{text}");
        text
    };
    let expected = format!(
        r"2 recordings, 2 sessions, 24 calls, 48 events
1 file skipped, unknown format:
  runs/notes.txt
  `unstuck scan --help` lists the formats.

Verdicts the agents would have got

2 alarms: 2 halted. A pattern counts once, by the strictest answer it got.
1 recovered unaided, 1 never recovered.
How a run went on is a guess from what it did next. Name runs that were fine with --healthy to be sure.

exact-repeat on ci: 1 alarm in 1 run (1 halted)
  1 recovered unaided
  - runs/a/poller.jsonl, session build, lines 1 to 25: recovered unaided
    nudge at line 6, deny at line 9, halt at line 15
    {}
    10 more repeats followed, 13 in all

exact-repeat on read_file: 1 alarm in 1 run (1 halted)
  1 never recovered
  - runs/stuck.jsonl, session lost, lines 1 to 18: never recovered
    nudge at line 6, deny at line 9, halt at line 15
    MESSAGE
    6 more repeats followed, 9 in all

Proposals

None: no change to a single tool is supported by these recordings.

Not proposed

A tool is made less strict only if that removes at least 5 unneeded alarms in at least 3 runs.
  ci: the best change removes 1 unneeded alarm in 1 run: too few to go by
",
        message("ci {\"build\":7}")
    );
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| {
            if line.starts_with("    `read_file x.py`") {
                "    MESSAGE".to_owned()
            } else {
                line.to_owned()
            }
        });
        lines.collect()
    };
    assert_eq!(lines(&ran.out), lines(&expected), "{}", ran.out);
    assert_eq!(place.run(&["tune", "runs"]), ran, "twice the same");
}

/// One run is not evidence enough to be less strict with every call of a tool.
#[test]
fn a_tool_is_loosened_only_for_enough_alarms_in_enough_runs() {
    let place = Place::new("tune-enough");
    let proposed = |directory: &str| {
        let report = report(&place.run(&["tune", directory, "--format", "json"]));
        let proposals = report["proposals"].as_array().expect("proposals").len();
        (proposals, report["withheld"].clone())
    };
    pollers(&place, "five", [12, 30, 30, 30, 30]);
    let (proposals, withheld) = proposed("five");
    assert_eq!((proposals, withheld), (1, json!([])));
    pollers(&place, "four", [12, 30, 30, 30, 1]);
    let (proposals, withheld) = proposed("four");
    assert_eq!(
        (proposals, withheld),
        (
            0,
            json!([{"tool": "ci", "why": "too-few", "alarms": 4, "runs": 4}])
        )
    );
    // The same number of alarms, all of them in one run.
    let one = poller("p", 12).repeat(6);
    place.write("one/run.jsonl", one);
    assert_eq!(proposed("one").0, 0);
    let text = place.run(&["tune", "one"]).out;
    assert!(
        text.contains("only if that removes at least 5 unneeded alarms in at least 3 runs"),
        "{text}"
    );
}

#[test]
fn a_proposal_lists_what_would_no_longer_be_reported() {
    let place = Place::new("tune-missed");
    pollers(&place, "runs", [12, 30, 30, 30, 30]);
    let text = place.run(&["tune", "runs"]).out;
    assert!(
        text.contains("removes 5 alarms: 5 recovered unaided"),
        "{text}"
    );
    assert!(
        text.contains(
            "   would no longer be reported:\n     runs/p2.jsonl, lines 1 to 61: exact-repeat × 31, ci {\"build\":7} (recovered unaided)\n"
        ),
        "{text}"
    );
    assert!(text.contains("     and 2 more\n"), "{text}");
}

/// What cannot be read says nothing about the settings.
#[test]
fn settings_never_fit_where_nothing_was_read() {
    let place = Place::new("tune-unread");
    place.write("noise.jsonl", [0xff, 0xfe, b'\n', 0x80, b'\n']);
    place.write("text/notes.txt", "hello\n");
    for path in ["noise.jsonl", "text"] {
        let ran = place.run(&["tune", path]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.out.starts_with("Nothing was read.\n"), "{}", ran.out);
        assert!(
            !ran.out.contains("fits") && !ran.out.contains("Proposals"),
            "{}",
            ran.out
        );
        let ran = place.run(&["tune", path, "--format", "toml"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.out.contains("nothing was read"), "{}", ran.out);
    }
}

/// The same files as a scan, packed or not.
#[test]
fn packed_recordings_are_read_as_a_scan_reads_them() {
    use std::io::Write as _;

    let place = Place::new("tune-packed");
    let text = poller("p", 12);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("packed");
    place.write("runs/a.jsonl.gz", packed.finish().expect("packed"));
    place.write("runs/readme.jsonl", "{\"type\":\"something else\"}\n");
    let scan = report(&place.run(&["scan", "runs", "--format", "json"]));
    let ran = place.run(&["tune", "runs", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let tune = report(&ran);
    assert_eq!(tune["calls"], scan["totals"]["calls"]);
    assert_eq!(tune["broken"]["lines"], 0);
    assert_eq!(tune["skipped"], scan["skipped"]);
    assert_eq!(tune["skipped"][0]["files"][0]["path"], "runs/readme.jsonl");
    // On standard input, too.
    let packed = std::fs::read(place.path("runs/a.jsonl.gz")).expect("a file");
    let ran = place.run_with(&["tune", "-", "--format", "json"], &packed);
    assert_eq!(report(&ran)["calls"], scan["totals"]["calls"], "{ran:?}");
}

/// Every message is shown to its end.
#[test]
fn messages_are_not_cut_off() {
    let place = Place::new("tune-sentences");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/transcripts");
    let report = report(&place.run(&["tune", examples, "--format", "json"]));
    let text = place.run(&["tune", examples]).out;
    let groups = report["groups"].as_array().expect("groups");
    let examples = groups
        .iter()
        .flat_map(|one| one["examples"].as_array().expect("examples"));
    let mut seen = 0;
    for example in examples {
        let message = example["message"].as_str().expect("a message");
        assert_eq!(message.matches('`').count() % 2, 0, "{message}");
        assert!(message.ends_with(['.', '?', '!', ':']), "{message}");
        for line in message.lines().filter(|line| !line.trim().is_empty()) {
            assert!(text.contains(&format!("    {line}\n")), "{line}\n{text}");
        }
        seen += 1;
    }
    assert!(seen >= 5, "{seen}");
    assert!(
        !text.contains("1 more repeats") && !text.contains("1 more laps"),
        "{text}"
    );
}

#[test]
fn what_is_proposed_is_a_configuration_that_does_what_was_said() {
    let place = Place::new("tune-toml");
    pollers(&place, "runs", [30; 5]);
    place
        .write("runs/stuck.jsonl", stuck("lost", 9))
        .write("runs/volatile.jsonl", volatile("idle"));
    let before = report(&place.run(&["tune", "runs", "--format", "json"]));
    let kinds: Vec<_> = before["proposals"]
        .as_array()
        .expect("proposals")
        .iter()
        .map(|one| (one["tool"].as_str(), one["kind"].as_str()))
        .collect();
    assert_eq!(
        kinds,
        [
            (Some("ci"), Some("ladder")),
            (Some("get_status"), Some("volatile_fields"))
        ]
    );
    for proposal in before["proposals"].as_array().expect("proposals") {
        accept(&place, proposal["toml"].as_str().expect("TOML"));
    }
    let toml = place.run(&["tune", "runs", "--format", "toml"]).out;
    assert_eq!(before["toml"], json!(toml));
    accept(&place, &toml);
    let args = [
        "tune",
        "runs",
        "--format",
        "json",
        "--config",
        "proposed.toml",
    ];
    let after = report(&place.run(&args));
    let alarms = |report: &Value, ending: &str| report["alarms"]["endings"][ending].as_u64();
    assert_eq!(alarms(&before, "recovered"), Some(5));
    assert_eq!(alarms(&after, "recovered"), Some(0));
    assert_eq!(alarms(&before, "looping"), Some(1));
    assert_eq!(
        alarms(&after, "looping"),
        Some(2),
        "the hidden loop is caught"
    );
    assert_eq!(after["proposals"], json!([]));
}

#[test]
fn in_healthy_runs_every_alarm_is_a_false_one() {
    let place = Place::new("tune-healthy");
    for session in ["a1", "a2", "a3", "a4", "a5"] {
        place.write(&format!("good/{session}.jsonl"), stuck(session, 12));
    }
    place.write("bad/b.jsonl", poller("b", 6));
    let json = |extra: &[&str]| {
        let args = [&["tune", "good", "bad", "--format", "json"], extra].concat();
        report(&place.run(&args))
    };
    let endings = |report: &Value| report["alarms"]["endings"].clone();
    assert_eq!(
        endings(&json(&[])),
        json!({"healthy": 0, "recovered": 1, "helped": 0, "looping": 5})
    );
    let told = json(&["--healthy", "good", "--healthy", "b"]);
    assert_eq!(
        endings(&told),
        json!({"healthy": 6, "recovered": 0, "helped": 0, "looping": 0})
    );
    assert_eq!(told["healthy_sessions"], 6);
    let tools = told["proposals"].as_array().expect("proposals").iter();
    let tools = tools.map(|one| one["tool"].clone()).collect::<Vec<_>>();
    assert_eq!(tools, [json!("read_file")]);
    assert_eq!(told["withheld"][0]["tool"], "ci", "{}", told["withheld"]);
}

#[test]
fn raising_a_ladder_over_a_loop_is_not_free() {
    let place = Place::new("tune-cost");
    // The tool waits by design in one run, and two others hang on it until they end.
    let hang = |session| {
        let mut run = Recorder::of(session);
        for _ in 0..9 {
            run = run.call("ci", &json!({"build": 7}), &json!({"conclusion": null}));
        }
        run.text
    };
    pollers(&place, "runs", [30; 5]);
    for session in ["one", "two", "three"] {
        place.write(&format!("runs/{session}.jsonl"), hang(session));
    }
    let told = report(&place.run(&["tune", "runs", "--format", "json"]));
    // Five alarms less are not worth three loops that are missed.
    assert_eq!(told["proposals"], json!([]));
    assert_eq!(
        told["withheld"],
        json!([{"tool": "ci", "why": "costs-more", "alarms": 5, "costs": 3}])
    );
    let text = place.run(&["tune", "runs"]).out;
    assert!(
        text.contains("ci: a change that removes 5 unneeded alarms would cost 3 missed loops\n"),
        "{text}"
    );
}

#[test]
fn a_broken_line_is_reported_and_the_rest_is_read() {
    let place = Place::new("tune-broken");
    let events = poller("p", 5);
    let (first, rest) = events.split_once('\n').expect("lines");
    place.write(
        "a.jsonl",
        format!("{first}\nnot JSON\n{rest}{{\"event\":\n"),
    );
    place.write("other.jsonl", "{\"type\":\"something\"}\n");
    let ran = place.run(&["tune", "a.jsonl", "other.jsonl"]);
    assert_eq!(ran.code, Some(2));
    let lines: Vec<_> = ran.out.lines().take(6).collect();
    assert_eq!(lines[0], "1 recording, 1 session, 8 calls, 16 events");
    assert_eq!(lines[1], "2 lines could not be read:");
    assert!(lines[2].starts_with("  a.jsonl:2: "), "{lines:?}");
    assert!(lines[3].starts_with("  a.jsonl:18: "), "{lines:?}");
    assert_eq!(lines[4], "1 file could not be read:");
    assert!(
        lines[5].starts_with("  other.jsonl: Unknown transcript format. "),
        "{lines:?}"
    );
    // With the settings on standard output, what is wrong goes to the other stream.
    let ran = place.run(&["tune", "a.jsonl", "--format", "toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("2 lines could not be read:\n"),
        "{}",
        ran.err
    );
    accept(&place, &ran.out);
}

#[test]
fn standard_input_is_replayed_too() {
    let place = Place::new("tune-stdin");
    let sessions = ["p1", "p2", "p3", "p4", "p5"].map(|session| poller(session, 12));
    let ran = place.run_with(
        &["tune", "-", "--format", "toml"],
        sessions.concat().as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("\ntool = \"ci\"\n"), "{}", ran.out);
}

#[test]
fn healthy_work_needs_no_settings() {
    let place = Place::new("tune-nothing");
    place.write("a.jsonl", poller("p", 1));
    let ran = place.run(&["tune", "a.jsonl"]);
    let expected = "\
1 recording, 1 session, 4 calls, 8 events

The standard settings would have reported nothing.

Proposals

None: no alarm was unneeded, as far as these recordings show.
";
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), expected));
    let toml = place.run(&["tune", "a.jsonl", "--format", "toml"]).out;
    accept(&place, &toml);
}

#[test]
fn a_path_without_recordings_is_an_error() {
    let place = Place::new("tune-missing");
    place.write("empty/notes.txt", "");
    let ran = place.run(&["tune", "missing"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.starts_with("error: missing: cannot open it: "),
        "{}",
        ran.err
    );
    let ran = place.run(&["tune", "empty"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.out.starts_with("Nothing was read.\n1 file skipped"),
        "{}",
        ran.out
    );
}

/// Every run in them is replayed: the calls are those that a scan counts.
#[test]
fn transcripts_are_recordings_too() {
    let place = Place::new("tune-transcripts");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/transcripts");
    let scan = report(&place.run(&["scan", examples, "--format", "json"]));
    let ran = place.run(&["tune", examples, "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let tune = report(&ran);
    assert!(scan["totals"]["calls"].as_u64() > Some(100), "{scan}");
    assert_eq!(tune["calls"], scan["totals"]["calls"]);
    assert_eq!(tune["files"], scan["totals"]["files"]);
    assert!(tune["alarms"]["all"].as_u64() > Some(0), "{tune}");

    let transcript = std::fs::read(format!("{examples}/openai-chat/support-desk.json"));
    let piped = place.run_with(&["tune", "-"], &transcript.unwrap());
    assert_eq!(piped.code, Some(0), "{}", piped.err);
    assert!(
        piped.out.starts_with("1 recording, 1 session, "),
        "{}",
        piped.out
    );
}

#[test]
fn without_a_path_the_known_places_are_looked_into() {
    let place = Place::new("tune-places");
    let ran = place.run_at_home("user", &["tune"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no transcripts were found"), "{}", ran.err);

    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/transcripts");
    let name = "claude-code/c1a0de01-7001-4a00-8000-000000000001.jsonl";
    let transcript = std::fs::read(format!("{examples}/{name}")).unwrap();
    place.write("user/.claude/projects/shop/1.jsonl", transcript);
    let ran = place.run_at_home("user", &["tune"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.starts_with("1 recording, 1 session, "),
        "{}",
        ran.out
    );
}
