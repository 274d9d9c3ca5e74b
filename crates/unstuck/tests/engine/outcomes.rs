//! When two outcomes are the same: not by their bytes, but by what they say.

use unstuck::{Preset, Settings, settings::ToolSettings};

use super::{Allow, Nudge, Run};

/// The verdicts on one call that comes back with these outputs.
fn verdicts(preset: Preset, outputs: impl IntoIterator<Item = String>) -> Vec<unstuck::Verdict> {
    let mut run = Run::of(preset);
    let outputs = outputs.into_iter();
    outputs
        .map(|output| run.step("bash", r#"{"command":"make check"}"#, "ok", &output))
        .collect()
}

#[test]
fn a_repeat_that_differs_in_a_timestamp_is_nudged() {
    let outputs =
        (0..3).map(|n| format!(r#""2026-11-15T09:0{n}:02Z nothing to be done for 'check'""#));
    assert_eq!(verdicts(Preset::Standard, outputs), [Allow, Allow, Nudge]);
}

#[test]
fn a_repeat_that_differs_in_duration_process_and_address_is_nudged() {
    let outputs = (1..4).map(|n| {
        format!(
            r#""worker pid {n}77 on 127.0.0.1:5432{n}\n<Job at 0x7f3a2{n}bc> is not there\nin 0.{n}3s""#
        )
    });
    assert_eq!(verdicts(Preset::Standard, outputs), [Allow, Allow, Nudge]);
}

#[test]
fn a_repeat_that_differs_in_volatile_members_is_nudged() {
    let outputs = (1..4).map(|n| {
        format!(r#"{{"kernel":{{"execution_count":{n}}},"duration_seconds":0.{n},"output":"no module of that name"}}"#)
    });
    assert_eq!(verdicts(Preset::Standard, outputs), [Allow, Allow, Nudge]);
}

#[test]
fn a_message_of_this_program_in_an_output_does_not_make_it_new() {
    let outputs = (1..4).map(|n| {
        let note = format!(r"\n\n[unstuck] You have run this {n} times.");
        let note = if n == 2 { &note } else { "" };
        format!(r#""nothing to be done for the target of that name{note}""#)
    });
    assert_eq!(verdicts(Preset::Standard, outputs), [Allow, Allow, Nudge]);
}

#[test]
fn a_shrinking_count_of_failures_is_never_a_repeat() {
    let outputs = (0..15).rev().map(|n| {
        format!(
            r#""2026-11-15 09:01:02 == {n} failed, {} passed in 0.{n}s ==""#,
            20 - n
        )
    });
    assert_eq!(verdicts(Preset::Standard, outputs), [Allow; 15]);
}

#[test]
fn a_moving_line_number_is_never_a_repeat() {
    let outputs = (0..15)
        .map(|n| format!(r#""src/parser.py:1{n}:5: error: expected an expression in 0.1s""#));
    assert_eq!(verdicts(Preset::Standard, outputs), [Allow; 15]);
}

#[test]
fn steps_of_standard_are_normalised_too() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..5)
        .map(|n| {
            run.send(&format!(
                r#"{{"event":"step","code":"probe()","output":"09:01:0{n} the queue is still empty"}}"#
            ))
            .verdict
        })
        .collect();
    assert!(verdicts.contains(&Nudge), "{verdicts:?}");
}

#[test]
fn steps_of_ironcurtain_are_exact() {
    let mut run = Run::of(Preset::Ironcurtain);
    for n in 0..9 {
        let step = format!(
            r#"{{"event":"step","code":"probe()","output":"09:01:0{n} the queue is still empty"}}"#
        );
        assert_eq!(run.send(&step).verdict, Allow);
    }
}

#[test]
fn members_a_tool_declares_volatile_go_before_all_else() {
    let mut settings = Settings::of(Preset::Standard);
    let mut tool = ToolSettings::new("bash");
    tool.volatile_fields = vec!["round".into()];
    settings.tools.push(tool);
    let mut run = Run::with(settings);
    let verdicts: Vec<_> = (1..4)
        .map(|n| {
            let output = format!(
                r#"{{"round":{n},"text":"took 0.{n}s and found nothing that was of any use"}}"#
            );
            run.step("bash", r#"{"command":"make check"}"#, "ok", &output)
        })
        .collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge]);
}
