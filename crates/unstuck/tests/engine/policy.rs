//! The ladder, the modes, and what single tools may have of their own.

use unstuck::{
    Level, Mode, Preset, RuleName, Settings, Verdict,
    settings::{Attendance, DenyRung, RuleTexts, Rung, Template, ToolSettings},
};

use super::{Allow, Deny, Halt, Nudge, Run};

fn standard(change: impl FnOnce(&mut Settings)) -> Run {
    let mut settings = Settings::of(Preset::Standard);
    change(&mut settings);
    Run::with(settings)
}

#[test]
fn an_unattended_loop_is_nudged_then_denied_then_halted() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..10).map(|_| run.read("a")).collect();
    assert_eq!(
        verdicts,
        [
            Allow, Allow, Nudge, Nudge, Nudge, Deny, Deny, Deny, Halt, Halt
        ]
    );
}

#[test]
fn an_attended_loop_ends_in_denials() {
    let mut run = standard(|settings| settings.attendance = Attendance::Attended);
    let verdicts: Vec<_> = (0..40).map(|_| run.read("a")).collect();
    assert_eq!(verdicts[..6], [Allow, Allow, Nudge, Nudge, Nudge, Deny]);
    assert!(verdicts[6..].iter().all(|verdict| *verdict == Deny));
    assert_eq!(run.read("b"), Allow, "another call goes through");
}

#[test]
fn a_halt_is_sticky_until_a_reset() {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..9 {
        run.read("a");
    }
    for line in [
        r#"{"event":"user","text":"go on"}"#,
        r#"{"event":"turn"}"#,
        r#"{"event":"text","text":"x"}"#,
        r#"{"event":"call","id":"z","tool":"other"}"#,
        r#"{"event":"compaction"}"#,
        r#"{"event":"retry"}"#,
    ] {
        let decision = run.send(line);
        assert_eq!(decision.verdict, Halt, "{line}");
        assert_eq!(decision.rule(), Some(RuleName::ExactRepeat));
        assert_eq!(
            decision.reason.unwrap().status.as_deref(),
            Some("LOOP_DETECTED")
        );
    }
    assert_eq!(run.send(r#"{"event":"reset"}"#).verdict, Allow);
    assert_eq!(run.read("a"), Allow);
}

#[test]
fn ten_denials_without_progress_end_the_run_whatever_the_rule() {
    let mut run = standard(|settings| {
        settings.rules.exact_repeat.halt = Rung::Never;
        settings.rules.near_repeat.enabled = false;
    });
    let verdicts: Vec<_> = (0..16).map(|_| run.read("a")).collect();
    assert_eq!(verdicts[4], Nudge);
    assert_eq!(verdicts[5..15], [Deny; 10]);
    assert_eq!(verdicts[15], Halt);
}

#[test]
fn a_nudge_is_given_at_every_rung_and_again_when_the_count_doubled() {
    let mut run = standard(|settings| {
        settings.rules.exact_repeat.deny = DenyRung::Never;
        settings.rules.exact_repeat.halt = Rung::Never;
        settings.rules.call_burst.enabled = false;
        // It would deny a call after fifteen that brought nothing.
        settings.rules.failure_cascade.enabled = false;
    });
    let mut nudged = Vec::new();
    for n in 1..=40 {
        run.call("read_file", r#"{"path":"a"}"#);
        let decision = run.result("ok", r#""all the content there is in a, unchanged""#);
        if decision.verdict == Nudge {
            nudged.push((n, decision.level().unwrap()));
        }
        run.send(r#"{"event":"turn"}"#);
    }
    assert_eq!(
        nudged,
        [
            (3, Level::Notice),
            (4, Level::Warning),
            (5, Level::Critical),
            (10, Level::Critical),
            (20, Level::Critical),
            (40, Level::Critical)
        ]
    );
}

#[test]
fn what_the_guard_denied_does_not_reset_the_streak() {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..5 {
        run.read("a");
    }
    assert_eq!([run.read("a"), run.read("a")], [Deny, Deny]);
}

#[test]
fn a_denied_call_that_ran_after_all_counts_once() {
    let mut run = Run::of(Preset::Standard);
    let mut verdicts = Vec::new();
    for _ in 0..9 {
        let before = run.call("read_file", r#"{"path":"a"}"#).verdict;
        run.result("ok", r#""the same content as ever, at some length""#);
        verdicts.push(before);
    }
    assert_eq!(
        verdicts,
        [Allow, Allow, Allow, Allow, Allow, Deny, Deny, Deny, Halt]
    );
}

#[test]
fn a_pattern_that_was_warned_of_climbs_on_when_it_comes_back() {
    let mut run = Run::of(Preset::Standard);
    assert_eq!(
        [run.read("a"), run.read("a"), run.read("a")],
        [Allow, Allow, Nudge]
    );
    assert_eq!(run.edit(1), Allow, "progress ends the streak");
    assert_eq!([run.read("a"), run.read("a")], [Allow, Allow]);
    run.call("read_file", r#"{"path":"a"}"#);
    let third = run.result("ok", r#""all the content there is in a, unchanged""#);
    run.send(r#"{"event":"turn"}"#);
    assert_eq!(
        (third.verdict, third.level()),
        (Nudge, Some(Level::Warning)),
        "it is told more urgently now"
    );
    assert_eq!(
        run.read("a"),
        Deny,
        "and the fourth time counts as the sixth"
    );
}

#[test]
fn observing_changes_nothing_and_says_what_it_would_have_said() {
    let mut run = standard(|settings| settings.mode = Mode::Observe);
    let mut would = Vec::new();
    for _ in 0..9 {
        let before = run.call("read_file", r#"{"path":"a"}"#);
        let after = run.result("ok", r#""the same content as ever, at some length""#);
        assert_eq!([before.verdict, after.verdict], [Allow, Allow]);
        would.push(before.would.max(after.would));
    }
    let would: Vec<_> = would.into_iter().map(Option::unwrap_or_default).collect();
    assert_eq!(
        would,
        [Allow, Allow, Nudge, Nudge, Nudge, Deny, Deny, Deny, Halt]
    );
}

#[test]
fn switched_off_it_does_nothing() {
    let mut run = standard(|settings| settings.mode = Mode::Off);
    assert!((0..30).all(|_| run.read("a") == Allow));
}

#[test]
fn an_exempt_tool_neither_counts_nor_resets() {
    let mut run = standard(|settings| {
        let mut wait = ToolSettings::new("wait*");
        wait.exempt = true;
        settings.tools.push(wait);
    });
    assert!((0..30).all(|_| run.step(
        "wait_for",
        "{}",
        "ok",
        r#""still waiting for the build, please hold""#
    ) == Allow));
    run.read("a");
    run.step("wait_for", "{}", "ok", "1");
    run.read("a");
    run.step("wait_for", "{}", "ok", "2");
    assert_eq!(run.read("a"), Nudge);
}

#[test]
fn a_tool_may_have_a_ladder_of_its_own() {
    let mut run = standard(|settings| {
        let mut slow = ToolSettings::new("read_file");
        slow.ladder.nudge = Some(Rung::at(5));
        slow.ladder.deny = Some(DenyRung::at(7));
        settings.rules.exact_repeat.warning = Rung::at(4);
        settings.tools.push(slow);
    });
    // The warning keeps its distance to the nudge, and no other rule speaks of the repeats before that.
    let verdicts: Vec<_> = (0..7).map(|_| run.read("a")).collect();
    assert_eq!(verdicts, [Allow, Allow, Allow, Allow, Nudge, Nudge, Deny]);
}

#[test]
fn key_fields_and_volatile_fields_make_up_identity() {
    let mut run = standard(|settings| {
        let mut get = ToolSettings::new("get");
        get.key_fields = vec!["name".into()];
        let mut send = ToolSettings::new("ask");
        send.volatile_fields = vec!["nonce".into(), "request_id".into()];
        settings.tools.extend([get, send]);
    });
    let get = |run: &mut Run, nonce: u32| {
        run.step(
            "get",
            &format!(r#"{{"name":"x","trace":{nonce}}}"#),
            "ok",
            r#""an answer that is long enough to tell something""#,
        )
    };
    assert_eq!(
        [get(&mut run, 1), get(&mut run, 2), get(&mut run, 3)],
        [Allow, Allow, Nudge]
    );
    let ask = |run: &mut Run, nonce: u32| {
        let answer = format!(
            r#"{{"request_id":{nonce},"text":"an answer that is long enough to tell something"}}"#
        );
        run.step(
            "ask",
            &format!(r#"{{"q":"x","nonce":{nonce}}}"#),
            "ok",
            &answer,
        )
    };
    assert_eq!(
        [ask(&mut run, 1), ask(&mut run, 2), ask(&mut run, 3)],
        [Allow, Allow, Nudge]
    );
}

#[test]
fn a_declared_key_stands_in_for_the_arguments() {
    let mut run = Run::of(Preset::Standard);
    let mut verdicts = Vec::new();
    for n in 1..=3 {
        run.send(&format!(
            r#"{{"event":"call","id":{n},"tool":"t","args":{{"n":{n}}},"key":"k"}}"#
        ));
        let line = format!(
            r#"{{"event":"result","id":{n},"output":"an answer that is long enough to tell something"}}"#
        );
        verdicts.push(run.send(&line).verdict);
    }
    assert_eq!(verdicts, [Allow, Allow, Nudge]);
}

#[test]
fn texts_can_be_replaced() {
    let mut texts = RuleTexts::default();
    texts.nudge = Some(Template::new("{what}: {count} times, rule {rule}, {{literally}}").unwrap());
    let mut run = standard(|settings| settings.texts.set(RuleName::ExactRepeat, texts));
    run.read("a");
    run.read("a");
    run.call("read_file", r#"{"path":"a"}"#);
    let decision = run.result("ok", r#""all the content there is in a, unchanged""#);
    assert_eq!(
        decision.message(),
        Some("[unstuck] `read_file a`: 3 times, rule exact-repeat, {literally}")
    );
    assert_eq!(decision.level(), Some(Level::Notice));
}

#[test]
fn checking_a_call_counts_nothing() {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..5 {
        run.read("a");
    }
    let args = unstuck::Json::parse(r#"{"path":"a"}"#).unwrap();
    let call = unstuck::Call::new("x", "read_file", args);
    for _ in 0..20 {
        let answer = run.engine.check("default", "main", &call);
        assert_eq!(
            (answer.verdict, answer.rule()),
            (Deny, Some(RuleName::ExactRepeat))
        );
    }
    assert_eq!(
        [run.read("a"), run.read("a"), run.read("a"), run.read("a")],
        [Deny, Deny, Deny, Halt]
    );
}

#[test]
fn every_message_is_marked_and_short() {
    for preset in Preset::ALL {
        let mut run = Run::of(preset);
        let long = "x".repeat(5_000);
        for n in 0..30 {
            let calls = [
                ("bash", format!(r#"{{"command":"make {long}"}}"#)),
                ("t", format!(r#"{{"a":"{long}"}}"#)),
            ];
            let (tool, args) = &calls[n % 2];
            let mut said = vec![
                run.call(tool, args),
                run.result("error", r#""no such file""#),
            ];
            said.push(run.send(r#"{"event":"step","code":"x","output":"y"}"#));
            said.push(run.send(r#"{"event":"turn"}"#));
            for decision in said.iter().filter_map(|decision| decision.message()) {
                assert!(decision.starts_with("[unstuck] "), "{decision}");
                assert!(
                    decision.chars().count() <= unstuck::message::MAX_CHARS,
                    "{decision}"
                );
                for name in [
                    "count", "laps", "pattern", "tool", "what", "limit", "workers",
                ] {
                    let placeholder = format!("{{{name}}}");
                    assert!(!decision.contains(&placeholder), "left over: {decision}");
                }
            }
        }
    }
}

#[test]
fn a_tools_ladder_holds_within_a_cycle_too() {
    let mut run = standard(|settings| {
        let mut patient = ToolSettings::new("poll_*");
        patient.ladder.deny = Some(DenyRung::Never);
        patient.ladder.halt = Some(Rung::Never);
        settings.tools.push(patient);
    });
    for _ in 0..20 {
        for tool in ["poll_build", "poll_queue"] {
            let said = run.step(
                tool,
                "{}",
                "ok",
                r#""still working on it, nothing new to see here""#,
            );
            assert!(said <= Nudge, "{said}");
        }
    }
}

#[test]
fn switching_one_rule_off_does_not_blind_the_others() {
    let mut run = standard(|settings| {
        settings.rules.exact_repeat.enabled = false;
        settings.rules.near_repeat.enabled = false;
        settings.rules.cycle.enabled = false;
    });
    // The same edit over again is still no progress, so the ten denials are counted through.
    let fail = |run: &mut Run, n: u32| {
        run.step(
            "get_it",
            &format!(r#"{{"n":{n}}}"#),
            "error",
            r#""no such thing anywhere""#,
        )
    };
    for n in 0..5 {
        fail(&mut run, n);
    }
    assert_eq!(fail(&mut run, 5), Deny);
    let mut polls = Vec::new();
    for look in 0..12 {
        run.send(&format!(
            r#"{{"event":"call","id":"p{look}","tool":"poll_job","at":{}}}"#,
            look * 1_000
        ));
        polls.push(
            run.send(&format!(
                r#"{{"event":"result","id":"p{look}","output":"pending"}}"#
            ))
            .rule(),
        );
    }
    assert!(polls.contains(&Some(RuleName::Poll)));
}

#[test]
fn a_denial_quotes_no_result_of_another_streak() {
    fn edit_to_the_same(run: &mut Run, path: &str, number: u32) -> (Verdict, String) {
        let args = format!(r#"{{"path":"{path}","old_str":"x{number}","new_str":"x{number}"}}"#);
        let decision = run.call("edit_file", &args);
        let message = decision.message().unwrap_or_default().to_owned();
        if decision.verdict < Deny {
            run.result("ok", &format!(r#""The file {path} has been edited.""#));
        }
        run.send(r#"{"event":"turn"}"#);
        (decision.verdict, message)
    }
    let mut run = Run::of(Preset::Standard);
    for number in 0..5 {
        edit_to_the_same(&mut run, "a.py", number);
    }
    let (verdict, message) = edit_to_the_same(&mut run, "a.py", 5);
    assert_eq!(verdict, Deny);
    assert!(
        message.contains("`The file a.py has been edited.`"),
        "{message}"
    );

    // Something is really changed, and the next streak is about another file.
    run.step(
        "write_file",
        r#"{"path":"c.py","content":"new"}"#,
        "ok",
        r#""written""#,
    );
    let told: Vec<_> = (0..5)
        .map(|number| edit_to_the_same(&mut run, "b.py", number))
        .collect();
    let denials: Vec<_> = told
        .iter()
        .filter(|(verdict, _)| *verdict == Deny)
        .collect();
    assert!(denials.len() > 1, "{told:?}");
    for (_, message) in denials {
        assert!(!message.contains("a.py"), "{message}");
    }
}

#[test]
fn reads_that_differ_and_turns_without_calls_waste_no_call() {
    let mut run = Run::of(Preset::Standard);
    let reads = (0..60).find_map(|number| {
        let args = format!(r#"{{"path":"src/part{number}.py"}}"#);
        run.call("read_file", &args);
        let told = run.result("ok", &format!(r#""line {number} of part {number}""#));
        run.send(r#"{"event":"turn"}"#);
        told.reason
    });
    let reads = reads.unwrap();
    assert_eq!((reads.rule, reads.wasted.calls), (RuleName::Aimless, 0));

    let mut run = Run::of(Preset::Attocode);
    let turns = (0..4).find_map(|number| {
        run.send(&format!(r#"{{"event":"text","text":"summary {number}"}}"#));
        run.send(r#"{"event":"turn"}"#).reason
    });
    let turns = turns.unwrap();
    assert_eq!((turns.rule, turns.wasted.calls), (RuleName::SummaryLoop, 0));
    assert!(turns.repeats > 1);
}
