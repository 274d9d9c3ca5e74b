use serde_json::json;

use super::*;
use crate::agents::known::ALL;
use crate::agents::process::Ended;

fn told(texts: &[&str]) -> Vec<Value> {
    let one = |text: &&str| json!({"tools": [{"description": "[unstuck] quoted"}], "messages": [{"content": [{"text": text}]}]});
    texts.iter().map(one).collect()
}

fn run(texts: &[&str], attempts: usize, code: Option<i32>) -> Run {
    Run {
        ended: Ended {
            code,
            output: "Agent execution stopped by hook".to_owned(),
        },
        told: told(texts),
        attempts,
    }
}

fn agent(host: &str) -> &'static dyn Agent {
    *ALL.iter().find(|agent| agent.host() == host).unwrap()
}

const NUDGE: &str = "x [unstuck] `sh attempt.sh` was called 3 times";
const DENY: &str = "error: [unstuck] This call was not run. It";
const STOP: &str = "[unstuck] The run is stopped: LOOP_DETECTED";

#[test]
fn a_run_that_was_ended_is_guarded() {
    let texts = ["go", "no", "no", NUDGE, NUDGE, DENY];
    let guarded = looping(agent("gemini-cli"), &run(&texts, 4, Some(0)));
    assert_eq!(
        guarded,
        Guarded {
            nudged: Some(3),
            denied: Some(5),
            calls: 6,
            attempts: 4,
            ended: Ending::Stopped,
            trouble: None,
        }
    );
    assert!(guarded.is_good());
}

#[test]
fn a_run_that_went_on_is_not_guarded() {
    let texts = vec![NUDGE; LOOP_CALLS + 1];
    let guarded = looping(agent("gemini-cli"), &run(&texts, LOOP_CALLS, Some(0)));
    assert_eq!((guarded.ended, guarded.denied), (Ending::Open, None));
    assert!(!guarded.is_good());
}

#[test]
fn where_a_run_cannot_be_ended_its_calls_are_denied() {
    let mut texts = vec!["go", NUDGE, DENY];
    texts.resize(LOOP_CALLS + 1, STOP);
    let guarded = looping(agent("codex"), &run(&texts, 4, Some(0)));
    assert_eq!(guarded.ended, Ending::Denied);
    let guarded = looping(agent("codex"), &run(&texts, LOOP_CALLS, Some(0)));
    assert_eq!(guarded.ended, Ending::Open);
}

#[test]
fn a_healthy_run_has_no_word_of_ours() {
    let texts = vec!["fine"; HEALTHY_CALLS + 1];
    assert!(healthy(&run(&texts, 0, Some(0))).is_good());
    assert!(!healthy(&run(&texts, 0, Some(1))).is_good());
    assert!(!healthy(&run(&texts[1..], 0, Some(0))).is_good());
    let mut texts = texts;
    texts[3] = NUDGE;
    assert_eq!(healthy(&run(&texts, 0, Some(0))).disturbed, 1);
}
