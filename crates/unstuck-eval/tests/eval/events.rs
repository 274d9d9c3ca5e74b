//! What a recording is sent as.

use serde_json::{Value, json};
use unstuck::{Call, Event, EventKind, Json, Outcome};
use unstuck_eval::{Trajectory, events};

use crate::support::{parse, replayed, run};

fn sent(set: &str, steps: &[Value]) -> Vec<(usize, Event)> {
    let run = parse(&run(set, "r", &json!({}), steps));
    events(&run)
        .into_iter()
        .map(|(step, event)| (step, event.unwrap()))
        .collect()
}

fn at(milliseconds: i64, event: Event) -> Event {
    event.in_session("r").at(milliseconds)
}

fn call(id: &str, tool: &str, args: &str) -> Event {
    Event::call(Call::new(id, tool, Json::parse(args).unwrap()))
}

fn ok(id: &str, output: &str) -> Event {
    Event::result(Outcome::ok(id, Json::string(output)))
}

#[test]
fn a_tool_step_is_a_call_a_result_and_a_turn() {
    let steps = [
        json!({"role": "user", "text": "Fix it"}),
        json!({"role": "assistant", "text": "I look", "tool": "read", "args": {"b": 1, "a": 2}, "result": "x", "error": false}),
        json!({"role": "assistant", "tool": "run", "args": "make", "result": "no", "error": true}),
    ];
    assert_eq!(
        sent("s", &steps),
        [
            (0, at(5_000, Event::new(EventKind::User))),
            (1, at(10_000, Event::text("I look"))),
            (1, at(10_000, call("c1", "read", r#"{"a":2,"b":1}"#))),
            (1, at(11_000, ok("c1", "x"))),
            (1, at(11_000, Event::turn())),
            (2, at(16_000, call("c2", "run", r#""make""#))),
            (
                2,
                at(
                    17_000,
                    Event::result(Outcome::error("c2", Json::string("no")))
                )
            ),
            (2, at(17_000, Event::turn())),
        ]
    );
}

#[test]
fn only_the_last_call_may_stay_without_a_result() {
    let step = json!({"role": "assistant", "tool": "read", "args": null, "result": null});
    assert_eq!(
        sent("s", &[step.clone(), step]),
        [
            (0, at(5_000, call("c0", "read", "{}"))),
            (0, at(6_000, Event::result(Outcome::ok("c0", Json::null())))),
            (0, at(6_000, Event::turn())),
            (1, at(11_000, call("c1", "read", "{}"))),
            (1, at(11_000, Event::turn())),
        ]
    );
}

#[test]
fn what_was_cut_carries_the_mark_of_the_whole() {
    let steps = [
        json!({"role": "assistant", "tool": "write", "args": {"_truncated": "abc"}, "args_sha": "aa",
               "result": "head…[+9 chars]", "result_len": 4009, "result_sha": "bb"}),
        json!({"role": "assistant", "tool": "write", "args": {"_truncated": "abc", "path": "p"}, "args_sha": "aa",
               "result": "all", "result_len": 4000, "result_sha": "bb"}),
    ];
    assert_eq!(
        sent("s", &steps),
        [
            (
                0,
                at(
                    5_000,
                    call("c0", "write", r#"{"_truncated":"abc\n[cut aa]"}"#)
                )
            ),
            (0, at(6_000, ok("c0", "head…[+9 chars]\n[cut 4009 bb]"))),
            (0, at(6_000, Event::turn())),
            (
                1,
                at(
                    11_000,
                    call("c1", "write", r#"{"_truncated":"abc","path":"p"}"#)
                )
            ),
            (1, at(12_000, ok("c1", "all"))),
            (1, at(12_000, Event::turn())),
        ]
    );
}

#[test]
fn words_of_a_team_are_texts_of_its_agents() {
    let steps = [
        json!({"role": "assistant", "tool": "say:Planner", "args": "Go on", "result": "unused"}),
        json!({"role": "assistant", "tool": "say:", "args": {"a": "é"}}),
        json!({"role": "assistant", "tool": "say:Coder", "args": null, "text": "Done"}),
        json!({"role": "assistant", "tool": "say:Coder", "args": ""}),
        json!({"role": "orchestrator", "text": "Is it in a loop? yes"}),
        json!({"role": "assistant", "text": "The end", "agent": "Coder"}),
    ];
    let said = |step, milliseconds, agent: &str, words: &str| {
        [Event::text(words), Event::turn()]
            .map(|event| (step, at(milliseconds, event).by_agent(agent)))
    };
    let expected = [
        said(0, 5_000, "Planner", "Go on"),
        said(1, 10_000, "main", r#"{"a": "é"}"#),
        said(2, 15_000, "Coder", "Done"),
        said(5, 30_000, "Coder", "The end"),
    ];
    assert_eq!(sent("whowhen", &steps), expected.concat());
}

#[test]
fn later_user_turns_count_only_where_they_are_a_persons() {
    let steps = [
        json!({"role": "user", "text": "Book it"}),
        json!({"role": "user", "text": "And hurry"}),
        json!({"role": "user", "text": ""}),
    ];
    let users = |set| -> Vec<_> { sent(set, &steps).iter().map(|(step, _)| *step).collect() };
    assert_eq!(users("overthinking"), [0]);
    assert_eq!(users("taubench"), [0, 1]);
    assert_eq!(users("agentrx_tau"), [0, 1]);
}

#[test]
fn an_empty_first_user_turn_is_the_first_all_the_same() {
    let steps = [
        json!({"role": "user", "text": null}),
        json!({"role": "user", "text": "please continue"}),
    ];
    assert_eq!(sent("overthinking", &steps), []);
}

#[test]
fn recorded_times_are_kept_and_never_go_back() {
    let step = |ts: Value| json!({"role": "assistant", "text": "hm", "ts": ts});
    let steps = [
        step(json!(null)),
        step(json!("1970-01-01T00:01:40Z")),
        step(json!(100.0005)),
        step(json!(90)),
        step(json!(null)),
    ];
    let times: Vec<_> = sent("s", &steps)
        .iter()
        .step_by(2)
        .map(|(_, event)| event.at.unwrap().0)
        .collect();
    assert_eq!(times, [100_000, 100_001, 100_002, 100_003, 105_003]);
}

#[test]
fn what_the_engine_cannot_read_is_an_error_of_that_event() {
    let line = br#"{"id":"r","set":"s","label":{},
        "steps":[{"role":"assistant","tool":"t","args":{"n":1e999},"result":"x"}]}"#;
    let run = Trajectory::parse(line).unwrap();
    let read: Vec<_> = events(&run)
        .iter()
        .map(|(_, event)| event.is_ok())
        .collect();
    assert_eq!(read, [false, true, true]);
    let (_, facts) = replayed(&[run]);
    assert_eq!((facts.events, facts.line_errors), (3, 1));
}

#[test]
fn steps_of_one_reply_are_one_turn() {
    let call = |reply: u32, text: &str| json!({"role": "assistant", "text": text, "tool": "read", "args": {}, "result": "x", "reply": reply});
    let steps = [
        call(1, "None"),
        call(1, "Executed read c1"),
        call(2, "next"),
    ];
    let sent = sent("s", &steps);
    let kinds: Vec<_> = sent
        .iter()
        .map(|(step, event)| match event.kind {
            EventKind::Call(_) => (*step, "call"),
            EventKind::Result(_) => (*step, "result"),
            EventKind::Text(_) => (*step, "text"),
            EventKind::Turn(_) => (*step, "turn"),
            _ => (*step, "other"),
        })
        .collect();
    let wanted = [
        (0, "call"),
        (0, "result"),
        (1, "call"),
        (1, "result"),
        (1, "turn"),
        (2, "text"),
        (2, "call"),
        (2, "result"),
        (2, "turn"),
    ];
    assert_eq!(kinds, wanted);
}
