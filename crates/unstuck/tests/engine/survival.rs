//! What survives what: one test a cell of the table.

use unstuck::{Preset, Verdict};

use super::{Allow, Deny, Nudge, Run};

/// Two equal reads, the event, and what the third one is answered.
fn streak_across(line: &str) -> Verdict {
    let mut run = Run::of(Preset::Standard);
    run.read("a");
    run.read("a");
    run.send(line);
    run.read("a")
}

#[test]
fn a_users_word_restarts_streaks() {
    assert_eq!(
        streak_across(r#"{"event":"user","text":"again, please"}"#),
        Allow
    );
}

#[test]
fn compaction_and_resume_keep_streaks() {
    assert_eq!(streak_across(r#"{"event":"compaction"}"#), Nudge);
    assert_eq!(streak_across(r#"{"event":"resume"}"#), Nudge);
}

#[test]
fn a_reset_clears_streaks() {
    assert_eq!(streak_across(r#"{"event":"reset"}"#), Allow);
}

#[test]
fn other_sessions_and_agents_have_streaks_of_their_own() {
    let mut run = Run::of(Preset::Standard);
    for who in [
        r#""session":"x""#,
        r#""agent":"sub""#,
        r#""session":"x","agent":"sub""#,
    ] {
        for id in 0..2 {
            run.send(&format!(
                r#"{{"event":"call","id":"{id}","tool":"t",{who}}}"#
            ));
            let line = format!(
                r#"{{"event":"result","id":"{id}","output":"a long and constant answer, to be sure",{who}}}"#
            );
            assert_eq!(run.send(&line).verdict, Allow);
        }
    }
}

#[test]
fn a_retry_rolls_streaks_back_to_the_last_turn() {
    let mut run = Run::of(Preset::Standard);
    run.read("a");
    for _ in 0..10 {
        run.call("read_file", r#"{"path":"a"}"#);
        let answer = run.result("ok", r#""all the content there is in a, unchanged""#);
        assert_eq!(answer.verdict, Allow, "always the second time");
        run.send(r#"{"event":"retry"}"#);
    }
    assert_eq!(run.read("a"), Allow);
    assert_eq!(run.read("a"), Nudge);
}

#[test]
fn late_results_of_forgotten_calls_are_ignored() {
    let mut run = Run::of(Preset::Standard);
    run.read("a");
    run.read("a");
    run.call("read_file", r#"{"path":"a"}"#);
    run.send(r#"{"event":"retry"}"#);
    let late = run.result("ok", r#""all the content there is in a, unchanged""#);
    assert_eq!(late.verdict, Allow);
    assert_eq!(run.read("a"), Nudge);
}

/// A warned pattern is remembered: after progress the fourth time is denied rather than nudged.
fn warned_across(line: &str) -> Verdict {
    let mut run = Run::of(Preset::Standard);
    for _ in 0..3 {
        run.read("a");
    }
    run.send(line);
    run.edit(1);
    for _ in 0..3 {
        run.read("a");
    }
    run.read("a")
}

#[test]
fn warned_patterns_survive_everything_but_a_reset() {
    for line in [
        r#"{"event":"user","text":"x"}"#,
        r#"{"event":"compaction"}"#,
        r#"{"event":"resume"}"#,
        r#"{"event":"retry"}"#,
    ] {
        assert_eq!(warned_across(line), Deny, "{line}");
    }
    assert_eq!(warned_across(r#"{"event":"reset"}"#), Nudge);
}

/// Twenty calls within the window, the event, and what the next one is answered.
fn burst_across(line: &str) -> Verdict {
    let mut run = Run::of(Preset::Standard);
    run.send(r#"{"event":"text","text":"starts the clock","at":1000}"#);
    for _ in 0..20 {
        run.call("t", "{}");
    }
    run.send(line);
    run.call("t", "{}").verdict
}

#[test]
fn breaker_windows_survive_everything_but_a_reset() {
    for line in [
        r#"{"event":"user","text":"x"}"#,
        r#"{"event":"compaction"}"#,
        r#"{"event":"resume"}"#,
        r#"{"event":"retry"}"#,
        r#"{"event":"turn"}"#,
    ] {
        assert_eq!(burst_across(line), Deny, "{line}");
    }
    assert_eq!(burst_across(r#"{"event":"reset"}"#), Allow);
}

#[test]
fn swarm_tallies_survive_everything() {
    let mut run = Run::of(Preset::Standard);
    let mut last = Allow;
    for n in 0..10 {
        let who = format!(r#""session":"w{}","swarm":"crew""#, n % 5);
        run.send(&format!(
            r#"{{"event":"call","id":"{n}","tool":"get","args":{{"url":"x"}},{who}}}"#
        ));
        last = run
            .send(&format!(
                r#"{{"event":"result","id":"{n}","status":"error","output":"refused",{who}}}"#
            ))
            .verdict;
        for event in ["reset", "user", "compaction", "resume", "retry"] {
            run.send(&format!(r#"{{"event":"{event}",{who}}}"#));
        }
    }
    assert_eq!(last, Nudge);
}

#[test]
fn a_clock_that_jumps_changes_no_verdict_of_another_session() {
    let mut run = Run::of(Preset::Ironcurtain);
    for n in 0..20 {
        run.send(&format!(
            r#"{{"event":"call","id":"{n}","tool":"t","session":"a","at":{}}}"#,
            1_000 + n
        ));
    }
    for at in [3_601_000_000_i64, -3_600_000, 7_200_000] {
        run.send(&format!(
            r#"{{"event":"call","id":"x","tool":"t","session":"b","at":{at}}}"#
        ));
    }
    let denied = run.send(r#"{"event":"call","id":"y","tool":"t","session":"a","at":2000}"#);
    assert_eq!(denied.verdict, Deny);
    let earlier = run.send(r#"{"event":"call","id":"y","tool":"t","session":"a","at":-3600000}"#);
    assert_eq!(
        earlier.verdict, Deny,
        "an earlier time leaves the clock where it is"
    );
}
