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
        .write("runs/notes.txt", "not looked at");
    let settings = "[rules.exact-repeat]\nnudge = 3\nwarning = \"never\"\ncritical = \"never\"\ndeny = 5\nhalt = 8\n";
    place.write_trusted("unstuck.toml", settings);
    let ran = place.run(&["tune", "runs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let expected = r#"2 recordings, 2 sessions, 24 calls, 48 events

What would have been said

2 alarms: 2 halted. A pattern counts once, by the strictest answer it got.
1 recovered unaided, 1 never recovered.
How a run went on is a guess from what it did next. Name runs that were fine with --healthy to be sure.

exact-repeat on ci: 1 alarm in 1 run (1 halted)
  1 recovered unaided
  - runs/a/poller.jsonl, session build, lines 1 to 25: recovered unaided
    nudge at line 6, deny at line 9, halt at line 15
    `ci {"build":7}` returned the same result 3 times: `{"build":7,"conclusion":null}`.
    10 more repeats followed, 13 in all

exact-repeat on read_file: 1 alarm in 1 run (1 halted)
  1 never recovered
  - runs/stuck.jsonl, session lost, lines 1 to 18: never recovered
    nudge at line 6, deny at line 9, halt at line 15
    `read_file x.py` returned the same result 3 times: `no such file`.
    6 more repeats followed, 9 in all

Proposals

1. ci: more patience, by what was left alone in these runs

   [[tools]]
   tool = "ci"
   ladder = { nudge = 14, deny = 16, halt = 19 }

   removes 1 alarm: 1 recovered unaided
   costs 0 alarms in runs that did not recover unaided

`--output toml` prints all of them for unstuck.toml, `unstuck config check` checks it.
"#;
    assert_eq!(ran.out, expected);
    assert_eq!(place.run(&["tune", "runs"]).out, expected, "twice the same");
}

#[test]
fn what_is_proposed_is_a_configuration_that_does_what_was_said() {
    let place = Place::new("tune-toml");
    place
        .write("runs/poller.jsonl", poller("build", 30))
        .write("runs/stuck.jsonl", stuck("lost", 9))
        .write("runs/volatile.jsonl", volatile("idle"));
    let before = report(&place.run(&["tune", "runs", "--output", "json"]));
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
    let toml = place.run(&["tune", "runs", "--output", "toml"]).out;
    assert_eq!(before["toml"], json!(toml));
    accept(&place, &toml);
    let args = [
        "tune",
        "runs",
        "--output",
        "json",
        "--config",
        "proposed.toml",
    ];
    let after = report(&place.run(&args));
    let alarms = |report: &Value, ending: &str| report["alarms"]["endings"][ending].as_u64();
    assert_eq!(alarms(&before, "recovered"), Some(1));
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
    place
        .write("good/a.jsonl", stuck("a", 12))
        .write("bad/b.jsonl", poller("b", 6));
    let json = |extra: &[&str]| {
        let args = [&["tune", "good", "bad", "--output", "json"], extra].concat();
        report(&place.run(&args))
    };
    let endings = |report: &Value| report["alarms"]["endings"].clone();
    assert_eq!(
        endings(&json(&[])),
        json!({"healthy": 0, "recovered": 1, "helped": 0, "looping": 1})
    );
    let told = json(&["--healthy", "good", "--healthy", "b"]);
    assert_eq!(
        endings(&told),
        json!({"healthy": 2, "recovered": 0, "helped": 0, "looping": 0})
    );
    assert_eq!(told["healthy_sessions"], 2);
    let tools = told["proposals"].as_array().expect("proposals").iter();
    let tools = tools.map(|one| one["tool"].clone()).collect::<Vec<_>>();
    assert_eq!(tools, [json!("ci"), json!("read_file")]);
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
    place
        .write("runs/poller.jsonl", poller("p", 30))
        .write("runs/one.jsonl", hang("one"))
        .write("runs/two.jsonl", hang("two"));
    let told = report(&place.run(&["tune", "runs", "--output", "json"]));
    // One alarm less is not worth two loops that nobody is told of.
    assert_eq!(told["proposals"], json!([]));
    let text = place.run(&["tune", "runs"]).out;
    assert!(
        text.contains("\nNone: standard fits these recordings"),
        "{text}"
    );
}

#[test]
fn a_broken_line_is_reported_and_the_rest_is_read() {
    let place = Place::new("tune-broken");
    let events = poller("p", 5);
    place.write("a.jsonl", format!("not JSON\n{events}{{\"event\":"));
    place.write("transcript.jsonl", "{\"type\":\"summary\"}\n");
    let ran = place.run(&["tune", "a.jsonl", "transcript.jsonl"]);
    assert_eq!(ran.code, Some(2));
    let lines: Vec<_> = ran.out.lines().take(6).collect();
    assert_eq!(lines[0], "2 recordings, 1 session, 8 calls, 16 events");
    assert_eq!(lines[1], "3 lines are no event:");
    assert!(lines[2].starts_with("  a.jsonl:1: "), "{lines:?}");
    assert!(lines[3].starts_with("  a.jsonl:18: "), "{lines:?}");
    assert!(lines[4].starts_with("  transcript.jsonl:1: "), "{lines:?}");
    assert!(
        lines[5].starts_with("1 file without any event: "),
        "{lines:?}"
    );
    // With the settings on standard output, what is wrong goes to the other stream.
    let ran = place.run(&["tune", "a.jsonl", "--output", "toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("2 lines are no event:\n"), "{}", ran.err);
    accept(&place, &ran.out);
}

#[test]
fn standard_input_is_replayed_too() {
    let place = Place::new("tune-stdin");
    let ran = place.run_with(
        &["tune", "-", "--output", "toml"],
        poller("p", 12).as_bytes(),
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

The standard settings would have said nothing.

Proposals

None: standard fits these recordings, as far as settings of single tools go.
";
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), expected));
    let toml = place.run(&["tune", "a.jsonl", "--output", "toml"]).out;
    accept(&place, &toml);
}

#[test]
fn a_path_without_recordings_is_an_error() {
    let place = Place::new("tune-missing");
    place.write("empty/notes.txt", "");
    for (path, error) in [
        ("missing", "error: missing: cannot open it: "),
        ("empty", "error: no recording in empty "),
    ] {
        let ran = place.run(&["tune", path]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.starts_with(error), "{}", ran.err);
    }
}

/// Every run in them is replayed: the calls are those that a scan counts.
#[test]
fn transcripts_are_recordings_too() {
    let place = Place::new("tune-transcripts");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/transcripts");
    let scan = report(&place.run(&["scan", examples, "--output", "json"]));
    let ran = place.run(&["tune", examples, "--output", "json"]);
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
