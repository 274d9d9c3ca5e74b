//! Messages that go round between agents.

use unstuck::{Engine, Preset, Settings, Verdict};

use super::{Allow, Halt, Nudge, Run};

const REQUESTS: [&str; 7] = [
    "Please find the opening hours of the Harbour Museum on its website.",
    "Please look at the website of the Harbour Museum for the opening hours.",
    "Please search the website of the Harbour Museum for the opening hours again.",
    "Find the opening hours of the Harbour Museum on its website, please.",
    "Please scroll on the website of the Harbour Museum to find the opening hours.",
    "Please look for the opening hours of the Harbour Museum on its website once more.",
    "Please go to the website of the Harbour Museum and find the opening hours.",
];

fn delegate(run: &mut Run, to: &str, message: &str, answer: &str) -> Verdict {
    let args = format!(r#"{{"agent":"{to}","message":"{message}"}}"#);
    run.step("delegate", &args, "ok", answer)
}

/// One turn of an agent that says something.
fn say(run: &mut Run, agent: &str, text: &str) -> Verdict {
    let who = format!(r#""session":"team","agent":"{agent}""#);
    let said = run.send(&format!(r#"{{"event":"text",{who},"text":"{text}"}}"#));
    let turn = run.send(&format!(r#"{{"event":"turn",{who}}}"#));
    said.verdict.max(turn.verdict)
}

/// A team whose members are not watched for chants of their own.
fn team() -> Run {
    let mut settings = Settings::of(Preset::Standard);
    settings.rules.chant.enabled = false;
    settings.rules.summary_loop.enabled = false;
    Run::with(settings)
}

/// A leader whose requests are not compared as calls.
fn leader() -> Run {
    let mut settings = Settings::of(Preset::Standard);
    settings.rules.near_repeat.enabled = false;
    Run::with(settings)
}

#[test]
fn a_request_made_over_and_over_in_other_words_is_nudged_and_no_more() {
    let mut run = leader();
    let verdicts: Vec<_> = (0..20)
        .map(|at| delegate(&mut run, "surfer", REQUESTS[at % 7], "null"))
        .collect();
    assert_eq!(verdicts[..6], [Allow, Allow, Allow, Allow, Allow, Nudge]);
    let relayed = verdicts[..7].iter().filter(|verdict| **verdict > Allow);
    assert_eq!(relayed.count(), 1);
}

#[test]
fn one_request_for_each_of_many_files_is_bulk_work() {
    let mut run = Run::of(Preset::Standard);
    for name in [
        "auth", "billing", "cart", "dates", "export", "feeds", "graph", "hooks",
    ] {
        let message = format!("Please review the file src/{name}.rs and list its problems.");
        assert_eq!(
            delegate(&mut run, "reviewer", &message, r#""queued""#),
            Allow
        );
    }
}

#[test]
fn an_answer_of_substance_moves_things_on() {
    let mut run = Run::of(Preset::Standard);
    for (at, request) in REQUESTS.iter().enumerate() {
        let answer = format!(
            r#""I looked at page {at} of the site, and found a calendar of events there.""#
        );
        assert_eq!(delegate(&mut run, "surfer", request, &answer), Allow);
    }
}

#[test]
fn requests_of_one_round_and_to_different_agents_are_side_by_side() {
    let mut run = leader();
    for (at, request) in REQUESTS.iter().enumerate() {
        let args = format!(r#"{{"agent":"surfer","message":"{request}"}}"#);
        run.call("delegate", &args);
        assert_eq!(run.result("ok", "null").verdict, Allow, "{at}");
    }
    let mut run = Run::of(Preset::Standard);
    for (at, request) in REQUESTS.iter().enumerate() {
        assert_eq!(
            delegate(&mut run, &format!("surfer {at}"), request, "null"),
            Allow
        );
    }
}

#[test]
fn a_text_that_is_passed_on_goes_round() {
    let mut run = team();
    let text = "Thank you! Please let me know if there is anything else that I can do for you.";
    let verdicts: Vec<_> = (0..12)
        .map(|at| say(&mut run, ["ann", "bob"][at % 2], text))
        .collect();
    assert_eq!(verdicts[..5], [Allow; 5]);
    assert_eq!(verdicts[5], Nudge);
    assert_eq!(verdicts[11], Halt);
}

#[test]
fn a_conversation_and_a_text_of_one_agent_are_left_alone() {
    let mut run = team();
    for at in 0..20 {
        let text =
            format!("Here is what I found out about part {at} of the question, with its sources.");
        assert_eq!(say(&mut run, ["ann", "bob"][at % 2], &text), Allow);
    }
    let mut run = team();
    for _ in 0..20 {
        let text = "I am still waiting for the others to finish their part of the work.";
        assert_eq!(say(&mut run, "ann", text), Allow);
    }
}

#[test]
fn other_swarms_have_messages_of_their_own() {
    let mut run = team();
    let text = "Thank you! Please let me know if there is anything else that I can do for you.";
    for at in 0..12 {
        let who = format!(r#""session":"{}","agent":"a""#, ["x", "y"][at % 2]);
        run.send(&format!(r#"{{"event":"text",{who},"text":"{text}"}}"#));
        assert_eq!(
            run.send(&format!(r#"{{"event":"turn",{who}}}"#)).verdict,
            Allow
        );
    }
}

#[test]
fn messages_survive_a_snapshot_and_are_rolled_back_by_a_retry() {
    let mut run = leader();
    for request in &REQUESTS[..4] {
        delegate(&mut run, "surfer", request, "null");
    }
    let args = format!(r#"{{"agent":"surfer","message":"{}"}}"#, REQUESTS[4]);
    run.call("delegate", &args);
    run.result("ok", "null");
    run.send(r#"{"event":"retry"}"#);
    let bytes = run.engine.snapshot("default", "main").unwrap();
    let mut engine = Engine::new(run.engine.settings().clone());
    engine.restore("default", "main", &bytes).unwrap();
    let mut later = Run { engine, calls: 100 };
    assert_eq!(delegate(&mut later, "surfer", REQUESTS[4], "null"), Allow);
    assert_eq!(delegate(&mut later, "surfer", REQUESTS[5], "null"), Nudge);
}
