//! Calls that can never run.

use unstuck::{Engine, Preset, RuleName, Settings, Verdict};

use super::{Allow, Deny, Halt, Nudge, Run};

const NO_TOOL: &str = r#""Error: hex is not a valid tool, try one of [shell, read_file]""#;
const NO_OLD: &str = r#""ERROR:\nParameter `old_str` is required for command: str_replace.""#;

fn guess(run: &mut Run, tool: &str, nonce: u32) -> Verdict {
    let answer = format!(r#""Error: {tool} is not a valid tool, try one of [shell]""#);
    run.step(tool, &format!(r#"{{"q":"{nonce}"}}"#), "error", &answer)
}

/// A `str_replace` without the text to replace.
fn incomplete(run: &mut Run, nonce: u32) -> Verdict {
    let args = format!(r#"{{"command":"str_replace","path":"/a","new_str":"{nonce}"}}"#);
    run.step("str_replace", &args, "error", NO_OLD)
}

fn complete(run: &mut Run, nonce: u32, status: &str, output: &str) -> Verdict {
    let args =
        format!(r#"{{"command":"str_replace","path":"/a","old_str":"b","new_str":"{nonce}"}}"#);
    run.step("str_replace", &args, status, output)
}

/// The rules that spoke on the last event.
fn rules(run: &mut Run, line: &str) -> Vec<RuleName> {
    run.send(line)
        .findings
        .iter()
        .map(|finding| finding.rule)
        .collect()
}

#[test]
fn a_tool_that_is_not_there_is_nudged_denied_and_halted() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..7).map(|nonce| guess(&mut run, "hex", nonce)).collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge, Allow, Deny, Deny, Halt]);
}

#[test]
fn guessing_names_counts_across_them() {
    let mut run = Run::of(Preset::Standard);
    assert_eq!(guess(&mut run, "hex", 1), Allow);
    assert_eq!(guess(&mut run, "to_hex", 2), Allow);
    assert_eq!(guess(&mut run, "hex_encode", 3), Nudge);
    assert_eq!(guess(&mut run, "as_hex", 4), Allow);
    // A name that was not tried may exist, one that was tried does not.
    assert_eq!(run.call("encode", "{}").verdict, Allow);
    assert_eq!(run.call("hex", r#"{"q":"5"}"#).verdict, Deny);
}

#[test]
fn one_wrong_name_is_left_alone() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..6 {
        assert_eq!(guess(&mut run, &format!("tool_{nonce}"), nonce), Allow);
        run.read(&format!("{nonce}"));
    }
}

#[test]
fn a_tool_that_came_later_is_let_through() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..3 {
        guess(&mut run, "hex", nonce);
    }
    run.step(
        "load_tools",
        r#"{"names":["hex"]}"#,
        "ok",
        r#""loaded: hex, which encodes and decodes""#,
    );
    assert_eq!(
        run.step("hex", r#"{"q":"9"}"#, "ok", r#""0x9, as it is written""#),
        Allow
    );
    assert_eq!(guess(&mut run, "hex", 10), Allow);
}

#[test]
fn a_success_that_says_there_is_no_such_tool_counts() {
    let mut run = Run::of(Preset::Standard);
    run.step("hex", r#"{"q":1}"#, "ok", NO_TOOL);
    assert_eq!(run.step("hex", r#"{"q":2}"#, "ok", NO_TOOL), Allow);
    assert_eq!(run.step("hex", r#"{"q":3}"#, "ok", NO_TOOL), Nudge);
}

#[test]
fn the_same_complaint_over_varying_arguments_is_nudged_and_denied() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..10).map(|nonce| incomplete(&mut run, nonce)).collect();
    assert_eq!(
        verdicts,
        [
            Allow, Allow, Allow, Nudge, Allow, Allow, Deny, Deny, Deny, Halt
        ]
    );
}

#[test]
fn a_call_with_what_was_missing_is_let_through() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..6 {
        incomplete(&mut run, nonce);
    }
    assert_eq!(
        run.call(
            "str_replace",
            r#"{"command":"str_replace","path":"/a","new_str":"x"}"#
        )
        .verdict,
        Deny
    );
    assert_eq!(complete(&mut run, 7, "ok", r#""edited""#), Allow);
    // It worked, so the next mistake is the first.
    for nonce in 8..11 {
        assert_eq!(incomplete(&mut run, nonce), Allow);
    }
}

#[test]
fn one_complaint_and_a_correction_is_left_alone() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..10 {
        assert_eq!(incomplete(&mut run, nonce), Allow);
        assert_eq!(complete(&mut run, nonce, "ok", r#""edited""#), Allow);
    }
}

#[test]
fn another_complaint_is_another_row() {
    let mut run = Run::of(Preset::Standard);
    for name in ["a", "b", "c", "d", "e", "f"] {
        let answer = format!(r#""missing field `{name}`""#);
        let args = format!(r#"{{"{name}":1}}"#);
        assert_eq!(run.step("post", &args, "error", &answer), Allow);
    }
}

#[test]
fn other_tools_do_not_end_a_row_of_complaints() {
    let mut run = Run::of(Preset::Standard);
    incomplete(&mut run, 1);
    run.read("a");
    incomplete(&mut run, 2);
    run.read("b");
    assert_eq!(incomplete(&mut run, 3), Allow);
    run.read("c");
    assert_eq!(incomplete(&mut run, 4), Nudge);
}

#[test]
fn a_value_that_cannot_be_denies_only_the_very_call() {
    let mut run = Run::of(Preset::Standard);
    let answer = r#""MCP error -32602: limit is out of range""#;
    for limit in 0..6 {
        run.step("list", &format!(r#"{{"limit":{limit}}}"#), "error", answer);
    }
    let line = r#"{"event":"call","id":"y","tool":"list","args":{"limit":77}}"#;
    assert!(!rules(&mut run, line).contains(&RuleName::InvalidCall));
    let line = r#"{"event":"call","id":"x","tool":"list","args":{"limit":3}}"#;
    assert!(rules(&mut run, line).contains(&RuleName::InvalidCall));
}

#[test]
fn a_program_that_complains_about_its_arguments_was_run() {
    let mut run = Run::of(Preset::Standard);
    let mut found = Vec::new();
    for nonce in 0..6 {
        run.call("bash", &format!(r#"{{"command":"prog --n {nonce}"}}"#));
        let id = run.calls;
        let line = format!(
            r#"{{"event":"result","id":{id},"status":"error","exit_code":2,"output":"error: missing required argument"}}"#
        );
        found.extend(rules(&mut run, &line));
    }
    assert!(!found.contains(&RuleName::InvalidCall));
    assert!(found.contains(&RuleName::FailureCascade));
}

#[test]
fn refusals_survive_a_snapshot_and_are_rolled_back_by_a_retry() {
    let mut run = Run::of(Preset::Standard);
    incomplete(&mut run, 1);
    guess(&mut run, "hex", 1);
    // A replayed turn never was.
    for _ in 0..2 {
        run.call(
            "str_replace",
            r#"{"command":"str_replace","path":"/a","new_str":"x"}"#,
        );
        run.result("error", NO_OLD);
        run.send(r#"{"event":"retry"}"#);
    }
    let bytes = run.engine.snapshot("default", "main").unwrap();
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    engine.restore("default", "main", &bytes).unwrap();
    let mut later = Run { engine, calls: 100 };
    assert_eq!(incomplete(&mut later, 2), Allow);
    assert_eq!(guess(&mut later, "hex", 2), Allow);
    assert_eq!(guess(&mut later, "hex", 3), Nudge);
    assert_eq!(incomplete(&mut later, 3), Allow);
    assert_eq!(incomplete(&mut later, 4), Nudge);
}

#[test]
fn founding_presets_know_no_refusals() {
    for preset in Preset::ALL {
        let rules = Settings::of(preset).rules;
        let on = [rules.unknown_tool.enabled, rules.invalid_call.enabled];
        assert_eq!(on, [preset == Preset::Standard; 2]);
    }
}

#[test]
fn a_denial_counts_the_calls_that_the_tool_refused() {
    let mut run = Run::of(Preset::Standard);
    let error = r#""InputValidationError: missing required parameter 'old_str'""#;
    let mut denials = Vec::new();
    for number in 0..10 {
        // Two forms in turn: both lack the same parameter.
        let args = match number % 2 {
            0 => r#"{"path":"a.py"}"#.to_owned(),
            _ => format!(r#"{{"path":"a.py","new_str":"x{number}"}}"#),
        };
        let decision = run.call("edit_file", &args);
        if decision.verdict == Deny {
            denials.push(*decision.reason.unwrap());
        } else {
            run.result("error", error);
        }
        run.send(r#"{"event":"turn"}"#);
    }
    assert!(denials.len() > 1);
    assert_eq!(denials[0].repeats, 7);
    assert_eq!(denials[1].repeats, 8);
    for unstuck::Reason {
        message, repeats, ..
    } in denials
    {
        let text = format!(
            "6 calls of edit_file were refused with the same error, and attempt {repeats}, `edit_file a.py`, has the form of one of them."
        );
        assert!(message.contains(&text), "{message}");
    }
}

/// Results are read for refusals on behalf of `unknown-tool` and `invalid-call`: with both off, the status decides.
#[test]
fn with_both_rules_off_a_refusal_that_is_reported_as_a_success_is_one() {
    let mut settings = Settings::of(Preset::Standard);
    settings.rules.unknown_tool.enabled = false;
    settings.rules.invalid_call.enabled = false;
    let cascades = |status: &str| {
        let mut run = Run::with(settings.clone());
        (0..14).any(|nonce| {
            let tool = format!("tool_{nonce}");
            run.call(&tool, "{}");
            let answer = format!(r#""Error: {tool} is not a valid tool, try one of [shell]""#);
            let said = run.result(status, &answer);
            run.send(r#"{"event":"turn"}"#);
            let mut rules = said.findings.iter().map(|finding| finding.rule);
            rules.any(|rule| rule == RuleName::FailureCascade)
        })
    };
    assert!(cascades("error"));
    assert!(!cascades("ok"));
}
