//! Searches, polls and streams that are read: what is looked at more than once.

use unstuck::{Preset, RuleName};

use super::{Allow, Deny, Nudge, Run};

#[test]
fn many_different_searches_without_a_hit_are_nudged_at_most() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..20 {
        let nothing = r#""no matches found in any of the 143 files that were searched""#;
        let said = run.step(
            "grep",
            &format!(r#"{{"pattern":"word-{n}"}}"#),
            "ok",
            nothing,
        );
        assert!(said <= Nudge, "search {n}");
    }
}

/// Returns the strictest verdict on this number of polls, so many seconds apart, of something that is not done yet.
fn poll(looks: i64, seconds: i64) -> unstuck::Verdict {
    let mut run = Run::of(Preset::Standard);
    let mut strictest = Allow;
    for look in 0..looks {
        let at = look * seconds * 1_000;
        let call = format!(
            r#"{{"event":"call","id":{look},"tool":"process","args":{{"action":"poll"}},"at":{at}}}"#
        );
        let before = run.send(&call).verdict;
        let line = format!(
            r#"{{"event":"result","id":{look},"output":"pending","at":{}}}"#,
            at + 400
        );
        strictest = strictest.max(before).max(run.send(&line).verdict);
    }
    strictest
}

#[test]
fn four_polls_in_fifteen_minutes_pass_and_thirty_nine_in_two_do_not() {
    assert_eq!(poll(4, 225), Allow);
    assert_eq!(poll(25, 60), Allow, "patience is no loop");
    assert_eq!(poll(9, 3), Allow);
    assert_eq!(poll(12, 3), Nudge);
    assert_eq!(poll(25, 3), Deny);
    assert_eq!(poll(39, 3), super::Halt, "ten denials change nothing");
    assert_eq!(poll(60, 1), super::Halt);
    assert_eq!(poll(35, 60), Nudge, "thirty slow looks get a nudge");
}

#[test]
fn backing_off_from_an_overloaded_server_is_left_alone() {
    let mut run = Run::of(Preset::Standard);
    let mut at = 0;
    for n in 0..8 {
        at += 10_000 << n;
        run.send(&format!(
            r#"{{"event":"call","id":{n},"tool":"http_get","args":{{"url":"x"}},"at":{at}}}"#
        ));
        let line = format!(
            r#"{{"event":"result","id":{n},"status":"error","output":"503 Service Unavailable","at":{at}}}"#
        );
        assert_eq!(run.send(&line).verdict, Allow);
    }
}

#[test]
fn draining_a_stream_is_no_burst() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..80 {
        let at = n * 500;
        run.send(&format!(
            r#"{{"event":"call","id":{n},"tool":"read_chunk","args":{{"s":1}},"at":{at}}}"#
        ));
        let line = format!(
            r#"{{"event":"result","id":{n},"output":"chunk number {n}, of a long long stream of chunks","at":{at}}}"#
        );
        assert_eq!(run.send(&line).verdict, Allow, "chunk {n}");
    }
}

#[test]
fn an_empty_answer_to_a_question_is_an_answer() {
    let mut run = Run::of(Preset::Standard);
    let ways = [
        "echo $KEY",
        "printenv KEY",
        "env | grep KEY",
        "grep KEY .env",
        "cat /run/KEY",
        "set | grep KEY",
        "ls KEY",
    ];
    let mut rules = Vec::new();
    for way in ways {
        run.call("bash", &format!(r#"{{"command":"{way}"}}"#));
        rules.extend(run.result("ok", r#""""#).rule());
        run.send(r#"{"event":"turn"}"#);
    }
    assert_eq!(rules, [RuleName::StuckOutcome]);
}

#[test]
fn reading_without_end_is_noticed() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..29 {
        assert_eq!(run.read(&format!("file-{n}")), Allow);
    }
    assert_eq!(run.read("file-29"), Nudge);
    run.edit(1);
    for n in 0..29 {
        assert_eq!(run.read(&format!("other-{n}")), Allow);
    }
}
