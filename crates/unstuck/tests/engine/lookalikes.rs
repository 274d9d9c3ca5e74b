//! Calls that say the same in other words.

use unstuck::{Engine, Preset, RuleName, Settings, Verdict};

use super::{Allow, Deny, Halt, Nudge, Run};

/// A status that says the same in so many ways.
fn status(n: usize) -> String {
    let ends = [
        "nothing is left to change here",
        "all checks still hold, as stated above",
        "no open items remain at this point",
        "the earlier result stands once more",
        "state has not moved since then",
        "every single test keeps passing",
        "what was said before is still true",
        "there is simply no more to do",
    ];
    format!(
        r#"{{"result":{{"status":"The section is complete and verified and needs no further edits from this side: {}."}}}}"#,
        ends[n % ends.len()]
    )
}

const QUERIES: [&str; 8] = [
    "foo bar error",
    "error foo bar",
    "foo bar errors python",
    "python foo bar error fix",
    "fix for foo bar error",
    "foo bar error 2024",
    "the foo bar error",
    "bar foo error",
];

/// The arguments of the call about so many a thing, of this name.
type Args = fn(usize, &str) -> String;

fn verdicts(tool: &str, args: impl IntoIterator<Item = String>, output: &str) -> Vec<Verdict> {
    let mut run = Run::of(Preset::Standard);
    let args = args.into_iter();
    args.map(|args| run.step(tool, &args, "ok", output))
        .collect()
}

fn search(query: &str) -> String {
    format!(r#"{{"query":"{query}"}}"#)
}

#[test]
fn a_reworded_status_climbs_the_ladder() {
    let said = verdicts("yield", (0..10).map(status), r#""ok""#);
    assert_eq!(
        said,
        [
            Allow, Allow, Allow, Nudge, Allow, Deny, Deny, Deny, Deny, Halt
        ]
    );
}

#[test]
fn the_finding_names_the_rule_and_the_call() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..3 {
        run.step("yield", &status(n), "ok", r#""ok""#);
    }
    run.call("yield", &status(3));
    let decision = run.result("ok", r#""ok""#);
    assert_eq!(decision.rule(), Some(RuleName::NearRepeat));
    assert_eq!(decision.findings.len(), 1);
    assert_eq!(decision.findings[0].repeats, 4);
    assert!(decision.findings[0].pattern[0].starts_with("yield"));
}

#[test]
fn a_rewritten_search_that_finds_nothing_is_nudged() {
    let said = verdicts("web_search", QUERIES.map(search), r#""no results""#);
    assert_eq!(said[..6], [Allow, Allow, Allow, Nudge, Allow, Deny]);
}

#[test]
fn a_rewritten_search_that_finds_something_else_is_nudged_from_the_fifth_on() {
    let mut run = Run::of(Preset::Standard);
    let said = QUERIES.iter().enumerate().map(|(n, query)| {
        let found = format!(r#""{n} results, the first of them is page {n}""#);
        run.step("web_search", &search(query), "ok", &found)
    });
    let said: Vec<_> = said.collect();
    assert_eq!(said[..5], [Allow, Allow, Allow, Allow, Nudge]);
    assert_eq!(said.iter().max(), Some(&Nudge));
}

#[test]
fn bulk_work_over_distinct_targets_is_left_alone() {
    let names = [
        "oak", "elm", "ash", "yew", "fir", "fig", "bay", "box", "may", "sal", "asp", "alder",
    ];
    let bulk: [(&str, Args); 7] = [
        ("write_file", |_, name| {
            format!(r#"{{"path":"{name}.txt","content":"x"}}"#)
        }),
        ("delete", |n, _| format!(r#"{{"id":{n}}}"#)),
        ("notify", |_, name| {
            format!(
                r#"{{"to":"{name}","text":"Your order has left the house and will be with you soon."}}"#
            )
        }),
        ("run_task", |_, name| {
            format!(
                r#"{{"task":"Please close the account of customer {name} and say when that is done."}}"#
            )
        }),
        ("run_task", |n, _| {
            format!(
                r#"{{"task":"Please close the ticket number {n} and then say that this is done."}}"#
            )
        }),
        ("lookup_name", |_, name| {
            format!(r#"{{"query":"what does the word {name} mean"}}"#)
        }),
        ("report", |n, _| {
            format!(
                r#"{{"note":"The copying goes on as planned and so far {n} of all records are there."}}"#
            )
        }),
    ];
    for (tool, args) in bulk {
        let args = names.iter().enumerate().map(|(n, name)| args(n, name));
        assert_eq!(verdicts(tool, args, r#""ok""#), [Allow; 12], "{tool}");
    }
}

#[test]
fn what_is_written_is_a_change_however_it_is_worded() {
    assert_eq!(
        verdicts("update_status", (0..8).map(status), r#""ok""#),
        [Allow; 8]
    );
}

#[test]
fn a_write_in_between_starts_again() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..12 {
        assert_eq!(run.step("yield", &status(n), "ok", r#""ok""#), Allow);
        if n % 3 == 2 {
            run.edit(n as u32);
        }
    }
}

#[test]
fn searches_made_at_once_count_once() {
    let mut settings = Settings::of(Preset::Standard);
    // The second round brings nothing new, and that is said; here it is about rewordings.
    settings.rules.stagnation.enabled = false;
    let mut run = Run::with(settings);
    for round in 0..2 {
        for (id, query) in QUERIES.iter().enumerate() {
            let args = search(query);
            run.send(&format!(
                r#"{{"event":"call","id":"{round}-{id}","tool":"web_search","args":{args}}}"#
            ));
        }
        for id in 0..QUERIES.len() {
            let result =
                format!(r#"{{"event":"result","id":"{round}-{id}","output":"no results"}}"#);
            assert_eq!(run.send(&result).verdict, Allow);
        }
        run.send(r#"{"event":"turn"}"#);
    }
}

#[test]
fn a_retry_takes_back_what_was_said() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..3 {
        run.step("yield", &status(n), "ok", r#""ok""#);
    }
    for replay in 0..5 {
        assert_eq!(run.call("yield", &status(3)).verdict, Allow);
        let decision = run.result("ok", r#""ok""#);
        // It is told once; what is told stays told.
        let repeats: Vec<_> = decision.findings.iter().map(|said| said.repeats).collect();
        let expected: &[u32] = if replay == 0 { &[4] } else { &[] };
        assert_eq!(repeats, expected);
        run.send(r#"{"event":"retry"}"#);
    }
    // The replays count nothing: these are the fourth, the fifth and the sixth.
    let said: Vec<_> = (3..6)
        .map(|n| run.step("yield", &status(n), "ok", r#""ok""#))
        .collect();
    assert_eq!(said, [Allow, Allow, Deny]);
}

#[test]
fn a_group_that_was_begun_in_a_taken_back_turn_is_gone() {
    let mut run = Run::of(Preset::Standard);
    run.call("yield", &status(0));
    run.result("ok", r#""ok""#);
    run.send(r#"{"event":"retry"}"#);
    let said: Vec<_> = (1..5)
        .map(|n| run.step("yield", &status(n), "ok", r#""ok""#))
        .collect();
    assert_eq!(said, [Allow, Allow, Allow, Nudge]);
}

#[test]
fn a_snapshot_carries_the_groups() {
    let mut run = Run::of(Preset::Standard);
    let mut said = Vec::new();
    for n in 0..6 {
        said.push(run.step("yield", &status(n), "ok", r#""ok""#));
        let snapshot = run.engine.snapshot("default", "main").unwrap();
        run.engine = Engine::new(Settings::of(Preset::Standard));
        run.engine.restore("default", "main", &snapshot).unwrap();
    }
    assert_eq!(said, [Allow, Allow, Allow, Nudge, Allow, Deny]);
}

#[test]
fn looking_counts_nothing() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..5 {
        run.step("yield", &status(n), "ok", r#""ok""#);
    }
    let call = |n| {
        let args = unstuck::Json::parse(&status(n)).unwrap();
        unstuck::Call::new("x", "yield", args)
    };
    for _ in 0..3 {
        assert_eq!(run.engine.check("default", "main", &call(5)).verdict, Deny);
    }
}

#[test]
fn a_declared_key_says_it_all() {
    let mut run = Run::of(Preset::Standard);
    for n in 0..8 {
        let args = status(n);
        run.send(&format!(
            r#"{{"event":"call","id":{n},"tool":"yield","key":"k{n}","args":{args}}}"#
        ));
        let result = run.send(&format!(r#"{{"event":"result","id":{n},"output":"ok"}}"#));
        assert_eq!(result.verdict, Allow);
        run.send(r#"{"event":"turn"}"#);
    }
}

#[test]
fn many_wordings_of_many_things_stay_within_bounds() {
    let mut run = Run::of(Preset::Standard);
    let mut sizes = Vec::new();
    for n in 0..600 {
        let words: Vec<_> = (0..40).map(|word| letters(n * 40 + word)).collect();
        run.step(
            "ask_expert",
            &search(&words.join(" ")),
            "ok",
            r#""no answer""#,
        );
        sizes.push(run.engine.snapshot("default", "main").unwrap().len());
    }
    // The sketches are full after 64 calls, the tallies after 128.
    assert!(
        sizes[599] <= sizes[299] + 512,
        "{} {}",
        sizes[299],
        sizes[599]
    );
}

fn letters(mut n: usize) -> String {
    let mut word = String::from("w");
    for _ in 0..5 {
        word.push(char::from(b'a' + (n % 26) as u8));
        n /= 26;
    }
    word
}
