//! The sidecar over HTTP.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what may fail here fails the test"
)]

#[path = "service/fail_modes.rs"]
mod fail_modes;

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};
use unstuck::{Preset, Settings};
use unstuck_serve::{Service, ServiceOptions, Sidecar, SidecarOptions, Tokens};
use unstuck_session::StateDir;
use unstuck_swarm::{
    DeadCalls, FileTallies, Keys, MemoryTallies, SharedOptions, SharedTallies, TallyLimits,
    TallyStore,
};

/// A sidecar that listens.
struct Served(Service);

fn tallies(directory: Option<&Path>) -> SharedTallies<Box<dyn TallyStore>> {
    let limits = TallyLimits::default();
    let store: Box<dyn TallyStore> = match directory {
        None => Box::new(MemoryTallies::new(limits)),
        Some(directory) => Box::new(FileTallies::open(directory, limits).unwrap()),
    };
    let mut options = SharedOptions::default();
    options.within = Duration::from_secs(30);
    SharedTallies::new(store, Keys::new(b"test"), options).unwrap()
}

fn memory() -> SidecarOptions {
    SidecarOptions::new(Settings::of(Preset::Standard), tallies(None))
}

fn serve(options: SidecarOptions, tokens: Tokens) -> Served {
    let mut service = ServiceOptions::new("127.0.0.1:0".parse().unwrap(), tokens);
    service.limits.body = 1 << 20;
    let sidecar = Sidecar::open(options).unwrap();
    Served(Service::start(service, Arc::new(sidecar)).unwrap())
}

impl Served {
    fn request(&self, method: &str, path: &str, token: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.0.address()).unwrap();
        let authorization = match token {
            "" => String::new(),
            token => format!("authorization: Bearer {token}\r\n"),
        };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\n{authorization}connection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        )
        .unwrap();
        // A server that refuses a body does not read it.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        (status, body.to_owned())
    }

    fn json(&self, method: &str, path: &str, token: &str, body: &str) -> (u16, Value) {
        let (status, body) = self.request(method, path, token, body);
        let value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{status} {body}"));
        (status, value)
    }

    fn observe(&self, events: &[Value]) -> Vec<Value> {
        let body = Value::from(events.to_vec()).to_string();
        let (status, answer) = self.json("POST", "/v1/events", "", &body);
        assert_eq!(status, 200, "{answer}");
        let decisions = answer["decisions"].as_array().unwrap().clone();
        assert_eq!(decisions.len(), events.len());
        decisions
    }
}

/// A call that returns the same each time.
fn same_again(session: &str, id: u64) -> [Value; 2] {
    [
        json!({"event": "call", "id": id, "tool": "read_file", "args": {"path": "a"}, "session": session, "at": id}),
        json!({"event": "result", "id": id, "output": "nothing", "session": session, "at": id}),
    ]
}

fn verdicts(decisions: &[Value]) -> Vec<&str> {
    let verdicts = decisions
        .iter()
        .map(|decision| decision["verdict"].as_str());
    verdicts.map(|verdict| verdict.unwrap_or("none")).collect()
}

#[test]
fn events_are_answered_in_order_and_sessions_are_kept_apart() {
    let served = serve(memory(), Tokens::default());
    let mut events = Vec::new();
    for id in 0..3 {
        events.extend(same_again("a", id));
        events.extend(same_again("b", id));
    }
    events.push(json!({"event": "nonsense"}));
    let decisions = served.observe(&events);
    let mut expected = vec!["allow"; 13];
    (expected[9], expected[11], expected[12]) = ("nudge", "nudge", "none");
    assert_eq!(verdicts(&decisions), expected);
    assert_eq!(decisions[9]["session"], "a");
    assert!(
        decisions[12]["error"]
            .as_str()
            .unwrap()
            .contains("nonsense")
    );
    // Lines are those of the body.
    assert_eq!(decisions[9]["line"], 10);
    let next = served.observe(&[same_again("b", 9)[0].clone()]);
    assert_eq!(next[0]["line"], 1);
    // A check counts nothing.
    let call = same_again("a", 9)[0].to_string();
    let before = served.json("POST", "/v1/check", "", &call);
    assert_eq!(served.json("POST", "/v1/check", "", &call), before);
    assert_eq!(before.0, 200);
    served.0.stop();
}

#[test]
fn a_sidecar_that_is_killed_goes_on_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().join("state");
    let open = |journal| {
        let mut options = memory();
        options.state = Some(state.clone());
        options.journal = journal;
        options
    };
    let reference = serve(memory(), Tokens::default());
    let expected: Vec<_> = (0..12)
        .flat_map(|id| reference.observe(&same_again("a", id)))
        .collect();
    assert!(verdicts(&expected).contains(&"halt"));
    let mut decisions = Vec::new();
    for id in 0..12 {
        // By turns from a journal and from a snapshot. Without `stop` nothing is written at the end.
        let served = serve(
            open(if id % 2 == 0 { 1 << 20 } else { 1 }),
            Tokens::default(),
        );
        let [call, result] = same_again("a", id);
        decisions.extend(served.observe(&[call]));
        drop(served);
        let served = serve(open(1 << 20), Tokens::default());
        decisions.extend(served.observe(&[result]));
        if id % 3 == 0 {
            served.0.stop();
        }
    }
    assert_eq!(verdicts(&decisions), verdicts(&expected));
}

#[test]
fn a_state_directory_has_one_user_and_keeps_its_shards() {
    let directory = tempfile::tempdir().unwrap();
    let with_shards = |shards| {
        let mut options = memory();
        options.state = Some(directory.path().join("state"));
        options.shards = shards;
        Sidecar::open(options)
    };
    let first = with_shards(4).unwrap();
    let second = with_shards(4).err().unwrap().to_string();
    assert!(second.contains("another process"), "{second}");
    drop(first);
    let other = with_shards(8).err().unwrap().to_string();
    assert!(other.contains("has 4 shards"), "{other}");
    assert!(with_shards(0).is_err() && with_shards(65).is_err());
}

#[test]
fn each_token_opens_what_it_is_for() {
    let tokens = Tokens::new(Some("report".into()), Some("operate".into()));
    let served = serve(memory(), tokens);
    let status = |path, token| served.request("GET", path, token, "").0;
    for path in ["/healthz", "/readyz", "/metrics", "/v1/openapi.json"] {
        assert_eq!(status(path, ""), 401, "{path}");
        assert_eq!(status(path, "wrong"), 401, "{path}");
        assert_eq!(status(path, "report"), 200, "{path}");
        assert_eq!(status(path, "operate"), 200, "{path}");
    }
    for path in ["/v1/sessions", "/v1/mode", "/v1/swarms/crew"] {
        assert_eq!(status(path, "report"), 403, "{path}");
        assert_eq!(status(path, "operate"), 200, "{path}");
    }
    assert_eq!(status("/nothing", "operate"), 404);
    assert_eq!(served.request("PATCH", "/v1/mode", "operate", "").0, 405);
    // Without tokens an agent can report, and cannot reset itself.
    let open = serve(memory(), Tokens::default());
    assert_eq!(open.request("GET", "/healthz", "", "").0, 200);
    assert_eq!(open.request("POST", "/v1/sessions/a/reset", "", "").0, 403);
    let reset = json!({"event": "reset", "session": "a"});
    assert!(open.observe(&[reset])[0]["error"].is_string());
    let address = "0.0.0.0:0".parse().unwrap();
    let options = ServiceOptions::new(address, Tokens::new(None, Some("operate".into())));
    let sidecar = Arc::new(Sidecar::open(memory()).unwrap());
    assert!(Service::start(options, sidecar).is_err());
}

#[test]
fn an_operator_sees_and_resets_agents_and_changes_the_mode() {
    let served = serve(memory(), Tokens::new(None, Some("o".into())));
    for id in 0..12 {
        served.observe(&same_again("a/b", id));
    }
    served.observe(&[json!({"event": "turn", "session": "other"})]);
    let (_, listed) = served.json("GET", "/v1/sessions?limit=1", "o", "");
    assert_eq!(
        (&listed["total"], &listed["agents"][0]["session"]),
        (&json!(2), &json!("other"))
    );
    let halted = |served: &Served| {
        served.json("GET", "/v1/sessions/a%2Fb", "o", "").1["agents"][0]["halted"].clone()
    };
    assert_eq!(halted(&served), "exact-repeat");
    let (status, reset) = served.json("POST", "/v1/sessions/a%2Fb/reset", "o", "");
    assert_eq!((status, reset), (200, json!({"agents": 1})));
    assert_eq!(halted(&served), Value::Null);
    assert_eq!(
        verdicts(&served.observe(&same_again("a/b", 20))),
        ["allow", "allow"]
    );
    assert_eq!(
        served
            .request("POST", "/v1/sessions/unknown/reset", "o", "")
            .0,
        404
    );

    let (status, mode) = served.json("PUT", "/v1/mode", "o", r#"{"mode":"observe"}"#);
    assert_eq!((status, mode), (200, json!({"mode": "observe"})));
    let decisions: Vec<_> = (21..40)
        .flat_map(|id| served.observe(&same_again("a/b", id)))
        .collect();
    assert!(
        verdicts(&decisions)
            .iter()
            .all(|verdict| *verdict == "allow")
    );
    assert!(decisions.iter().any(|decision| decision["would"] == "halt"));
    assert_eq!(
        served.request("PUT", "/v1/mode", "o", r#"{"mode":"x"}"#).0,
        400
    );
}

#[test]
fn sidecars_share_the_tallies_of_a_swarm_and_a_checkpoint_restores_them() {
    let directory = tempfile::tempdir().unwrap();
    let sidecars = [0, 1].map(|_| {
        let settings = Settings::of(Preset::Standard);
        let options = SidecarOptions::new(settings, tallies(Some(directory.path())));
        serve(options, Tokens::new(None, Some("o".into())))
    });
    let dead = |worker: u64, id: u64| {
        let session = format!("w{worker}");
        let events = [
            json!({"event": "call", "id": id, "tool": "web_fetch", "args": {"url": "https://a.example/"}, "session": session, "swarm": "crew"}),
            json!({"event": "result", "id": id, "status": "error", "output": "refused", "session": session, "swarm": "crew"}),
        ];
        sidecars[worker as usize % 2].observe(&events)[1].clone()
    };
    let mut last = Value::Null;
    for n in 0..10 {
        last = dead(n % 5, n / 5);
    }
    assert_eq!(last["rule"], "swarm-loop", "{last}");
    let (_, checkpoint) = sidecars[0].json("GET", "/v1/swarms/crew", "o", "");
    let calls = checkpoint["calls"].as_object().unwrap();
    let workers: Vec<_> = calls
        .values()
        .map(|call| call.as_object().unwrap().len())
        .collect();
    assert_eq!(workers, [5]);
    assert_eq!(
        sidecars[1].request("DELETE", "/v1/swarms/crew", "o", "").0,
        204
    );
    assert_eq!(
        sidecars[0].json("GET", "/v1/swarms/crew", "o", "").1["calls"],
        json!({})
    );
    let text = checkpoint.to_string();
    assert_eq!(
        sidecars[0].request("PUT", "/v1/swarms/crew", "o", &text).0,
        204
    );
    assert_eq!(
        sidecars[1].json("GET", "/v1/swarms/crew", "o", "").1,
        checkpoint
    );
    // Five workers and ten calls are known again.
    assert_eq!(dead(7, 1)["rule"], "swarm-loop");
    assert_eq!(
        sidecars[0].request("PUT", "/v1/swarms/crew", "o", "{}").0,
        400
    );
}

#[test]
fn a_call_that_failed_for_three_workers_is_denied_to_the_next_before_it_tries() {
    let options = || {
        let mut options = memory();
        let store = Box::new(MemoryTallies::default());
        options.dead = Some(DeadCalls::new(store, Duration::from_secs(30)));
        options
    };
    let served = serve(options(), Tokens::default());
    let mut tried = 0;
    let mut denied = Vec::new();
    for worker in 0..64 {
        for n in 0..3 {
            let names = json!({"session": format!("w{worker}"), "swarm": "crew", "id": n});
            let event = |more: Value| {
                let mut event = names.clone();
                event
                    .as_object_mut()
                    .unwrap()
                    .extend(more.as_object().unwrap().clone());
                event
            };
            let dead = event(
                json!({"event": "call", "tool": "web_fetch", "args": {"url": "https://a.example/"}}),
            );
            let decision = served.observe(&[dead])[0].clone();
            if decision["verdict"] == "deny" && decision["rule"] == "known-dead" {
                denied.push(decision);
            } else {
                tried += 1;
                let output = format!("refused after {} ms", worker * 7);
                served.observe(&[event(
                    json!({"event": "result", "status": "error", "output": output}),
                )]);
            }
        }
        let read = |kind: &str| {
            json!({"event": kind, "session": format!("w{worker}"), "swarm": "crew", "id": "r",
            "tool": "read_file", "args": {"path": "README.md"}, "output": "hello"})
        };
        let decisions = served.observe(&[read("call"), read("result")]);
        assert_eq!(
            verdicts(&decisions),
            ["allow", "allow"],
            "worker {worker} reads the same as others"
        );
    }
    // An agent that insists on a dead call is halted.
    let insist = |n: usize| json!({"event": "call", "tool": "web_fetch", "args": {"url": "https://a.example/"}, "session": "w9", "swarm": "crew", "id": format!("x{n}")});
    let halts = (0..60).any(|n| served.observe(&[insist(n)])[0]["verdict"] == "halt");
    assert!(halts);
    // The first two workers tried three times each, the third once.
    assert_eq!((tried, denied.len()), (7, 185));
    let message = denied[0]["message"].as_str().unwrap();
    assert!(
        message.contains("3 workers of this swarm (`w0`, `w1`, `w2`)"),
        "{message}"
    );
    assert!(
        message.contains("`web_fetch https://a.example/`"),
        "{message}"
    );
    assert_eq!(denied[0]["line"], 1);
    // Without a swarm, and where nothing is enforced, calls are only observed.
    let mut observed = options();
    observed.settings.mode = unstuck::Mode::Observe;
    let served = serve(observed, Tokens::default());
    for worker in 0..5 {
        let names = json!({"session": format!("w{worker}"), "swarm": "crew", "id": 1});
        for more in [
            json!({"event": "call", "tool": "t"}),
            json!({"event": "result", "status": "error"}),
        ] {
            let mut event = names.clone();
            event
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            assert_eq!(verdicts(&served.observe(&[event])), ["allow"]);
        }
    }
}

#[test]
fn hooks_of_coding_agents_are_answered_as_by_the_command() {
    let directory = tempfile::tempdir().unwrap();
    let mut options = memory();
    options.hooks = Some(StateDir::at(directory.path().join("hooks")));
    let served = serve(options, Tokens::new(Some("t".into()), None));
    let mut answers = String::new();
    for id in 0..8 {
        for name in ["PreToolUse", "PostToolUse"] {
            let mut hook = json!({
                "session_id": "s", "hook_event_name": name, "tool_name": "Read", "tool_use_id": format!("t{id}"),
                "tool_input": {"file_path": "/a"}, "cwd": directory.path(), "transcript_path": "/t",
            });
            if name == "PostToolUse" {
                hook["tool_response"] = json!("nothing");
            }
            let (status, answer) =
                served.json("POST", "/v1/hooks/claude-code", "t", &hook.to_string());
            assert_eq!(status, 200);
            answers += &answer.to_string();
        }
    }
    assert!(
        answers.contains(r#""permissionDecision":"deny""#),
        "{answers}"
    );
    assert_eq!(
        served.request("POST", "/v1/hooks/unknown", "t", "{}").0,
        404
    );
    let without = serve(memory(), Tokens::new(Some("t".into()), None));
    assert_eq!(
        without
            .request("POST", "/v1/hooks/claude-code", "t", "{}")
            .0,
        404
    );
    // Without a token another account could halt the agents of this one.
    let open = serve(memory(), Tokens::default());
    assert_eq!(
        open.request("POST", "/v1/hooks/claude-code", "", "{}").0,
        404
    );
}

#[test]
fn bodies_that_are_too_long_or_not_events_are_refused() {
    let served = serve(memory(), Tokens::default());
    for (body, expected) in [("", 400), ("[1", 400), ("[]", 200)] {
        assert_eq!(served.request("POST", "/v1/events", "", body).0, expected);
    }
    assert_eq!(
        served
            .request("POST", "/v1/check", "", r#"{"event":"turn"}"#)
            .0,
        400
    );
    assert_eq!(served.request("POST", "/v1/check", "", "x").0, 400);
    // Refused by its length, before any of it is sent.
    let mut stream = TcpStream::connect(served.0.address()).unwrap();
    let head = "POST /v1/events HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2000000\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 413");
}

#[test]
fn metrics_count_what_was_decided() {
    let served = serve(memory(), Tokens::default());
    for id in 0..4 {
        served.observe(&same_again("a", id));
    }
    let (status, text) = served.request("GET", "/metrics", "", "");
    assert_eq!(status, 200);
    for line in [
        "unstuck_agents 1",
        "unstuck_invalid_events_total 0",
        "unstuck_http_answers_total{class=\"2xx\"} 4",
        "unstuck_decisions_total{verdict=\"halt\"} 0",
    ] {
        assert!(text.lines().any(|each| each == line), "{line} in {text}");
    }
    assert!(!text.contains("read_file"));
}

#[test]
fn a_long_name_counts_and_takes_no_more_room() {
    let served = serve(memory(), Tokens::new(None, Some("o".into())));
    let name = "n".repeat(100_000);
    for id in 0..12 {
        served.observe(&same_again(&name, id));
    }
    let (_, listed) = served.json("GET", "/v1/sessions", "o", "");
    let agent = &listed["agents"][0];
    assert!(agent["session"].as_str().unwrap().starts_with("long-"));
    assert_eq!(agent["halted"], "exact-repeat");
}
