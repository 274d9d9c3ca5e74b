//! What changes in every answer and means nothing is learned; what means something is not.

use unstuck::{Engine, Preset, RuleName, Settings, Verdict};

use super::{Allow, Deny, Nudge, Run};

const IDS: [&str; 12] = [
    "k3j9x2", "p0d8z1", "a7m4q9", "t5t5r0", "b2v8n4", "c6c1w7", "r9e2y5", "z1l7f3", "g4g8o6",
    "x0h3i2", "j8v5k1", "q2q6e9",
];

fn verdicts(preset: Preset, tool: &str, outputs: impl IntoIterator<Item = String>) -> Vec<Verdict> {
    let mut run = Run::of(preset);
    let outputs = outputs.into_iter();
    outputs
        .map(|output| run.step(tool, r#"{"name":"nightly"}"#, "ok", &output))
        .collect()
}

/// A status with a new request id each time.
fn status(id: &str) -> String {
    format!(r#"{{"jobs":["build","deploy"],"request":"{id}","state":"nothing to do for now"}}"#)
}

#[test]
fn a_repeat_that_differs_in_a_request_id_is_caught() {
    // The second answer is the first that differs, the fourth the first that is known to say the same.
    let said = verdicts(Preset::Standard, "job_info", IDS.map(status));
    assert_eq!(
        said[..9],
        [Allow, Allow, Allow, Allow, Allow, Nudge, Nudge, Nudge, Deny]
    );
}

#[test]
fn one_changing_token_in_a_text_is_caught() {
    let said = verdicts(
        Preset::Standard,
        "job_info",
        IDS.map(|id| format!(r#""nothing to do\ntrace {id} written\nbye""#)),
    );
    assert_eq!(
        said[..9],
        [Allow, Allow, Allow, Allow, Allow, Nudge, Nudge, Nudge, Deny]
    );
}

#[test]
fn the_other_presets_compare_as_it_is() {
    for preset in Preset::ALL {
        let mut run = Run::of(preset);
        for id in IDS {
            let decision = run.call("job_info", r#"{"name":"nightly"}"#);
            let after = run.result("ok", &status(id));
            run.send(r#"{"event":"turn"}"#);
            if preset == Preset::Ironcurtain {
                assert_eq!((decision.verdict, after.verdict), (Allow, Allow));
            }
        }
    }
}

#[test]
fn progress_is_never_learned_away() {
    let grows = |n: usize| {
        format!(
            r#"{{"done":{},"state":"copying all the files"}}"#,
            n * 10_000_019
        )
    };
    let shrinks = |n: usize| {
        format!(
            r#""{} failed, {} passed in the whole suite""#,
            20 - n,
            80 + n
        )
    };
    let moves = |n: usize| {
        format!(
            r#"{{"id":"{}","state":"{}"}}"#,
            IDS[n],
            ["one", "two", "three"][n % 3]
        )
    };
    let log = |n: usize| format!(r#""{}""#, "line of x9k2 output\\n".repeat(n + 1));
    let reads = |n: usize| {
        format!(
            r#"{{"load":0.{},"state":"all is well with it"}}"#,
            n * 7_919_393 % 1_000_003
        )
    };
    let cases: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("grows", &grows),
        ("shrinks", &shrinks),
        ("moves", &moves),
        ("log", &log),
        ("reads", &reads),
    ];
    for (name, output) in cases {
        let said = verdicts(Preset::Standard, "job_info", (0..12).map(output));
        assert_eq!(said, [Allow; 12], "{name}");
    }
}

#[test]
fn working_off_a_queue_is_left_alone() {
    let mut run = Run::of(Preset::Standard);
    for id in IDS {
        let ticket = format!(r#"{{"queue":"support","ticket":"{id}","waiting":"many"}}"#);
        assert_eq!(run.step("next_ticket", "{}", "ok", &ticket), Allow);
        let reply = format!(r#"{{"ticket":"{id}","text":"fixed"}}"#);
        assert_eq!(run.step("answer_ticket", &reply, "ok", r#""ok""#), Allow);
    }
}

#[test]
fn a_failure_with_a_random_id_is_a_failure_again() {
    let mut run = Run::of(Preset::Standard);
    let said: Vec<_> = IDS
        .iter()
        .map(|id| {
            let output = format!(r#""the service is not set up (incident {id})""#);
            run.step("deploy_app", r#"{"name":"web"}"#, "error", &output)
        })
        .collect();
    assert!(said.contains(&Deny), "{said:?}");
}

#[test]
fn a_retry_takes_back_what_a_turn_taught() {
    let mut run = Run::of(Preset::Standard);
    let args = r#"{"name":"nightly"}"#;
    for id in &IDS[..5] {
        run.step("job_info", args, "ok", &status(id));
    }
    for id in &IDS[5..9] {
        run.call("job_info", args);
        let decision = run.result("ok", &status(id));
        assert_eq!(decision.findings[0].rule, RuleName::ExactRepeat);
        assert_eq!(decision.findings[0].repeats, 3);
        run.send(r#"{"event":"retry"}"#);
    }
}

#[test]
fn a_snapshot_carries_what_was_learned() {
    let mut run = Run::of(Preset::Standard);
    let mut said = Vec::new();
    for id in &IDS[..9] {
        said.push(run.step("job_info", r#"{"name":"nightly"}"#, "ok", &status(id)));
        let snapshot = run.engine.snapshot("default", "main").unwrap();
        run.engine = Engine::new(Settings::of(Preset::Standard));
        run.engine.restore("default", "main", &snapshot).unwrap();
    }
    assert_eq!(
        said,
        [Allow, Allow, Allow, Allow, Allow, Nudge, Nudge, Nudge, Deny]
    );
}
