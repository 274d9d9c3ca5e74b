//! What the preset `standard` reports, and what it leaves alone.

use unstuck::{Preset, RuleName};

use super::{Allow, Deny, Nudge, Run};

const LONG: &str = r#""an answer that is long enough to tell something""#;

#[test]
fn other_calls_in_between_do_not_hide_a_repeat() {
    let read_between = |other: fn(&mut Run, u32)| {
        let mut run = Run::of(Preset::Standard);
        let read = |n| {
            other(&mut run, n);
            run.read("a")
        };
        (0..5).map(read).collect::<Vec<_>>()
    };
    let learns_nothing = read_between(|run, n| {
        let args = format!(r#"{{"pattern":"x{n}"}}"#);
        let missing = r#""no such index""#;
        assert_eq!(run.step("grep", &args, "error", missing), Allow);
    });
    assert_eq!(learns_nothing[..3], [Allow, Allow, Nudge]);
    // What comes back after something new was learned weighs half.
    let learns = read_between(|run, n| {
        let args = format!(r#"{{"pattern":"x{n}"}}"#);
        let answer = format!(r#""match {n} of many, long enough to tell something""#);
        assert_eq!(run.step("grep", &args, "ok", &answer), Allow);
    });
    assert_eq!(learns, [Allow, Allow, Allow, Allow, Nudge]);
}

#[test]
fn an_edit_in_between_makes_reading_again_sensible() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..10 {
        assert_eq!(run.read("a"), Allow);
        assert_eq!(run.edit(nonce), Allow);
    }
}

#[test]
fn the_same_edit_over_again_is_no_progress() {
    let mut run = Run::of(Preset::Standard);
    let verdicts: Vec<_> = (0..3).map(|_| run.edit(1)).collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge]);
}

#[test]
fn a_changing_answer_is_no_repeat() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..15 {
        let answer = format!(r#""{n} of 15 jobs are done, the others are waiting""#);
        assert_eq!(run.step("status", "{}", "ok", &answer), Allow);
    }
}

#[test]
fn equal_calls_made_at_once_count_once() {
    let mut run = Run::of(Preset::Standard);
    for round in 0..2 {
        for id in 0..4 {
            run.send(&format!(
                r#"{{"event":"call","id":"{round}-{id}","tool":"t"}}"#
            ));
        }
        for id in 0..4 {
            let result = format!(r#"{{"event":"result","id":"{round}-{id}","output":{LONG}}}"#);
            assert_eq!(run.send(&result).verdict, Allow);
        }
        run.send(r#"{"event":"turn"}"#);
    }
}

#[test]
fn a_call_without_a_result_continues_a_streak_but_proves_none() {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..12 {
        assert_eq!(run.call("t", "{}").verdict, Allow);
        run.send(r#"{"event":"turn"}"#);
    }
    let mut run = Run::of(Preset::Standard);
    run.step("t", "{}", "ok", LONG);
    run.step("t", "{}", "ok", LONG);
    for _ in 0..3 {
        assert_eq!(run.call("t", "{}").verdict, Allow);
        run.send(r#"{"event":"turn"}"#);
    }
    assert_eq!(
        run.call("t", "{}").verdict,
        Deny,
        "two proven, three unknown: the sixth call"
    );
}

#[test]
fn calls_that_were_refused_do_not_count() {
    let mut run = Run::of(Preset::Standard);
    for status in ["denied", "cancelled", "pending"] {
        for _ in 0..6 {
            assert_eq!(
                run.step("edit_file", r#"{"path":"a"}"#, status, r#""no""#),
                Allow
            );
        }
    }
}

#[test]
fn similar_calls_with_the_same_outcome_are_near_repeats() {
    let mut run = Run::of(Preset::Standard);
    let mut said = Vec::new();
    for n in 0..6 {
        let before = run.call("read_file", &format!(r#"{{"path":"a","timeout":{n}}}"#));
        if before.verdict == Deny {
            assert_eq!(before.rule(), Some(RuleName::NearRepeat));
            said.push(Deny);
            break;
        }
        said.push(run.result("ok", LONG).verdict);
        run.send(r#"{"event":"turn"}"#);
    }
    assert_eq!(said, [Allow, Allow, Allow, Nudge, Allow, Deny]);
}

#[test]
fn a_cycle_is_nudged_after_three_laps_and_every_member_is_denied() {
    let mut run = Run::of(Preset::Standard);
    let search = |run: &mut Run| {
        run.step(
            "search",
            r#"{"query":"x"}"#,
            "ok",
            r#"{"hits":3,"of":"all there is to search"}"#,
        )
    };
    let open = |run: &mut Run| {
        run.step(
            "open_page",
            r#"{"id":1}"#,
            "ok",
            r#"{"page":"the first of the hits, all of it"}"#,
        )
    };
    let mut rules = Vec::new();
    for _ in 0..2 {
        assert_eq!([search(&mut run), open(&mut run)], [Allow, Allow]);
    }
    rules.push(search(&mut run));
    run.call("open_page", r#"{"id":1}"#);
    let decision = run.result("ok", r#"{"page":"the first of the hits, all of it"}"#);
    assert_eq!(decision.verdict, Nudge);
    let cycle = decision
        .findings
        .iter()
        .find(|finding| finding.rule == RuleName::Cycle)
        .unwrap();
    assert_eq!((cycle.repeats, cycle.period), (3, 2));
    assert_eq!(
        cycle.pattern,
        [Box::from("search x"), Box::from(r#"open_page {"id":1}"#)]
    );
    run.send(r#"{"event":"turn"}"#);
    for _ in 0..2 {
        assert_eq!([search(&mut run), open(&mut run)], [Allow, Allow]);
    }
    // The sixth lap is denied, whichever member it is tried with; two more attempts are the eighth threshold.
    let mut tried = Vec::new();
    for _ in 0..2 {
        tried.push(run.call("open_page", r#"{"id":1}"#));
        tried.push(run.call("search", r#"{"query":"x"}"#));
    }
    let verdicts: Vec<_> = tried.iter().map(|decision| decision.verdict).collect();
    assert_eq!(verdicts, [Deny, Deny, super::Halt, super::Halt]);
    assert!(
        tried
            .iter()
            .all(|decision| decision.rule() == Some(RuleName::Cycle))
    );
}

#[test]
fn other_calls_that_fail_with_the_same_error_are_a_cascade() {
    let mut run = Run::of(Preset::Standard);
    let error = r#""Error: file exceeds the safety limit""#;
    let mut fail = |n: u32| {
        run.step(
            "fetch_file",
            &format!(r#"{{"path":"{n}"}}"#),
            "error",
            error,
        )
    };
    let verdicts: Vec<_> = (0..6).map(&mut fail).collect();
    assert_eq!(verdicts, [Allow, Allow, Nudge, Allow, Allow, Deny]);
}

#[test]
fn different_errors_are_no_cascade() {
    let mut run = Run::of(Preset::Standard);
    // What differs are the complaints, not only the numbers in them.
    let complaints = [
        "missing symbol in the table",
        "unexpected end of input",
        "type mismatch in assignment",
        "unused import is denied",
        "borrow of a moved value",
        "recursion limit reached",
        "ambiguous associated type",
        "lifetime may not live long enough",
        "pattern is not exhaustive",
        "cannot find a macro",
    ];
    for (n, complaint) in complaints.iter().enumerate() {
        let args = format!(r#"{{"n":{n}}}"#);
        let error = format!(r#""Error: {complaint}""#);
        assert_eq!(run.step("build", &args, "error", &error), Allow);
    }
}

#[test]
fn tests_that_fail_in_the_same_way_after_every_edit_are_a_cycle_of_their_own() {
    let mut run = Run::of(Preset::Standard);
    let mut said = Vec::new();
    for nonce in 0..3 {
        run.edit(nonce);
        run.call("bash", r#"{"command":"pytest -q"}"#);
        let decision = run.result("error", r#""FAILED test_login: AssertionError: 3 != 4""#);
        said.push((decision.verdict, decision.rule()));
        run.send(r#"{"event":"turn"}"#);
    }
    assert_eq!(
        said,
        [
            (Allow, None),
            (Allow, None),
            (Nudge, Some(RuleName::TestFixCycle))
        ]
    );
}

#[test]
fn tests_that_fail_differently_are_progress() {
    let mut run = Run::of(Preset::Standard);
    for nonce in 0..10 {
        run.edit(nonce);
        let failure = format!(r#""FAILED {} of 10 tests, see the report""#, 10 - nonce);
        assert_eq!(
            run.step("bash", r#"{"command":"pytest -q"}"#, "error", &failure),
            Allow
        );
    }
}

#[test]
fn new_approaches_that_end_in_the_same_place_are_stuck() {
    let mut run = Run::of(Preset::Standard);
    let mut last = None;
    for n in 0..6 {
        run.call("probe", &format!(r#"{{"with":"tool number {n}"}}"#));
        last = run
            .result("ok", r#""the variable UNSTUCK_KEY is not set anywhere""#)
            .rule();
        run.send(r#"{"event":"turn"}"#);
    }
    assert_eq!(last, Some(RuleName::StuckOutcome));
}

#[test]
fn bulk_work_with_bare_acknowledgements_is_no_loop() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..60 {
        assert_eq!(
            run.step(
                "send_message",
                &format!(r#"{{"to":"{n}"}}"#),
                "ok",
                r#""ok""#
            ),
            Allow
        );
    }
}

#[test]
fn words_without_work_are_noticed_once_there_was_work() {
    let mut run = Run::of(Preset::Standard);
    let talk = |run: &mut Run| {
        run.send(r#"{"event":"text","text":"I will do it now."}"#);
        run.send(r#"{"event":"turn"}"#).verdict
    };
    assert!(
        (0..5).all(|_| talk(&mut run) == Allow),
        "it may have no tools"
    );
    run.read("a");
    let said = [talk(&mut run), talk(&mut run), talk(&mut run)];
    assert_eq!(said, [Allow, Allow, Nudge]);
    run.send(r#"{"event":"user","text":"thanks"}"#);
    assert_eq!(talk(&mut run), Allow);
}

#[test]
fn steps_are_judged_by_approach_and_outcome() {
    let mut run = Run::of(Preset::Standard);
    let step = r#"{"event":"step","code":"ls","output":"a b c"}"#;
    let verdicts: Vec<_> = (0..6).map(|_| run.send(step).verdict).collect();
    assert_eq!(verdicts, [Allow, Allow, Allow, Nudge, Allow, super::Halt]);
}

#[test]
fn a_swarm_that_repeats_a_failing_call_is_nudged() {
    let mut run = Run::of(Preset::Standard);
    let mut said = Vec::new();
    for round in 0..2 {
        for worker in 0..6 {
            let id = format!("{round}-{worker}");
            let who = format!(r#""session":"w{worker}","swarm":"crew""#);
            run.send(&format!(r#"{{"event":"call","id":"{id}","tool":"web_fetch","args":{{"url":"https://dead"}},{who}}}"#));
            let line = format!(
                r#"{{"event":"result","id":"{id}","status":"error","output":"refused",{who}}}"#
            );
            said.push(run.send(&line));
        }
    }
    assert!(said[..9].iter().all(|decision| decision.verdict == Allow));
    assert!(
        said[9..]
            .iter()
            .all(|decision| decision.rule() == Some(RuleName::SwarmLoop))
    );
}

#[test]
fn a_swarm_in_which_everyone_reads_the_same_file_is_left_alone() {
    let mut run = Run::of(Preset::Standard);
    for worker in 0..30 {
        let who = format!(r#""session":"w{worker}","swarm":"crew""#);
        run.send(&format!(
            r#"{{"event":"call","id":"1","tool":"read_file","args":{{"path":"README"}},{who}}}"#
        ));
        let decision = run.send(&format!(
            r#"{{"event":"result","id":"1","output":{LONG},{who}}}"#
        ));
        assert_eq!(decision.verdict, Allow);
    }
}

#[test]
fn findings_below_the_first_threshold_come_with_an_allow() {
    let mut run = Run::of(Preset::Standard);
    run.read("a");
    run.call("read_file", r#"{"path":"a"}"#);
    let decision = run.result("ok", r#""all the content there is in a, unchanged""#);
    assert_eq!(decision.verdict, Allow);
    let finding = &decision.findings[0];
    assert_eq!(
        (finding.rule, finding.repeats, finding.period),
        (RuleName::ExactRepeat, 2, 1)
    );
    assert_eq!((finding.from, finding.to), (1, 5));
}

#[test]
fn a_denial_of_another_rule_does_not_open_the_breaker() {
    let mut run = Run::of(Preset::Standard);
    run.send(r#"{"event":"text","text":"starts the clock","at":1000}"#);
    for _ in 0..5 {
        run.read("a");
    }
    assert_eq!(run.read("a"), Deny);
    for nonce in 0..3 {
        run.edit(nonce);
        assert_eq!(
            run.read("a"),
            Allow,
            "after an edit reading again makes sense"
        );
    }
}

#[test]
fn a_result_that_comes_after_its_turn_counts_once() {
    let mut run = Run::of(Preset::Standard);
    let mut said = Vec::new();
    for _ in 0..6 {
        let before = run.call("t", "{}").verdict;
        run.send(r#"{"event":"turn"}"#);
        said.push(before.max(run.result("ok", LONG).verdict));
    }
    assert_eq!(said, [Allow, Allow, Nudge, Nudge, Nudge, Deny]);
}

#[test]
fn without_a_clock_nothing_is_fast() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..60 {
        let answer = format!(r#""line {n} of a log that grows and grows""#);
        assert_eq!(run.step("tail_log", "{}", "ok", &answer), Allow);
    }
}

#[test]
fn a_hostile_tool_name_cannot_break_out_of_its_line() {
    let mut run = Run::of(Preset::Standard);
    let mut messages = Vec::new();
    for n in 0..3 {
        run.call(r"evil\n\u001b[2Jname\u202e", &format!(r#"{{"n":{n}}}"#));
        let decision = run.result("error", r#""Error: no such thing in the whole house""#);
        messages.extend(decision.message().map(str::to_owned));
        let patterns = decision
            .findings
            .into_iter()
            .flat_map(|finding| finding.pattern);
        messages.extend(patterns.map(String::from));
    }
    assert!(!messages.is_empty());
    for message in messages {
        assert!(
            !message.contains(['\n', '\u{1b}', '\u{202e}']),
            "{message:?}"
        );
    }
}

#[test]
fn long_ids_and_names_are_paired_and_stored_by_their_hashes() {
    let mut run = Run::of(Preset::Standard);
    let long = "x".repeat(100_000);
    let mut said = Vec::new();
    for n in 0..3 {
        let who = format!(r#""session":"{long}","agent":"{long}""#);
        run.send(&format!(
            r#"{{"event":"call","id":"{long}{n}","tool":"{long}",{who}}}"#
        ));
        let line = format!(r#"{{"event":"result","id":"{long}{n}","output":{LONG},{who}}}"#);
        said.push(run.send(&line).verdict);
    }
    assert_eq!(said, [Allow, Allow, Nudge]);
    let snapshot = run.engine.snapshot(&long, &long).unwrap();
    assert!(snapshot.len() < 4_096, "{}", snapshot.len());
}

#[test]
fn a_cycle_is_nudged_once_and_not_once_for_each_member() {
    let mut run = Run::of(Preset::Standard);
    let mut nudges = 0;
    for lap in 0..3 {
        for member in ["a", "b", "c"] {
            let said = run.read(member);
            nudges += u32::from(said == Nudge);
            assert!(said == Allow || lap == 2, "lap {lap}");
        }
    }
    assert_eq!(nudges, 1);
}
