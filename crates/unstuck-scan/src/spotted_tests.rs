use unstuck::{Decision, Event};
use unstuck_transcript::{Sink as _, Tokens, Usage};

use crate::{file_replay::FileReplay, track::Track};

/// The loops of a run of these calls and outputs, as `rule verdict repeats calls wasted also`.
fn loops(calls: &[(&str, &str)]) -> Vec<String> {
    let settings = unstuck::Settings::default();
    let prices = unstuck_config::Prices::default();
    let mut replay = FileReplay::new(&settings, &prices);
    for (number, (call, output)) in (1..).zip(calls) {
        for mut event in events(number, call, output) {
            event.line = Some(number);
            replay.event(event);
        }
    }
    let replayed = replay.finish("a.jsonl", "events");
    let (run, _) = &replayed.runs[0];
    run.loops
        .iter()
        .map(|found| {
            format!(
                "{} {} x{} calls {}-{} wasted {} also {}",
                found.rule,
                found.verdict.as_str(),
                found.repeats,
                found.calls.from,
                found.calls.to,
                found.wasted.calls,
                found.also.join(",")
            )
        })
        .collect()
}

fn events(number: u64, call: &str, output: &str) -> [Event; 3] {
    let call = serde_json::json!({
        "event": "call", "id": number, "tool": "Bash", "args": {"command": call}, "at": number * 10_000,
    });
    let result = serde_json::json!({
        "event": "result", "id": number, "output": output, "at": number * 10_000 + 1_000,
    });
    let parse =
        |value: serde_json::Value| Event::parse(value.to_string().as_bytes()).expect("an event");
    [parse(call), parse(result), Event::turn()]
}

#[test]
fn one_loop_is_one_loop_however_often_it_is_told_of() {
    // Long enough to be nudged, denied, halted and found again after that.
    let calls = [("make", "no rule to make target `all'"); 40];
    assert_eq!(
        loops(&calls),
        ["exact-repeat halt x40 calls 1-40 wasted 39 also "]
    );
}

#[test]
fn two_loops_with_work_in_between_are_two() {
    let mut calls = vec![("make", "no rule to make target `all'"); 5];
    let work = [
        ("cat a.c", "int main(void);"),
        ("cat b.c", "void b(void);"),
        ("cat c.c", "void c(void);"),
        ("sed -i 's/a/b/' Makefile", ""),
        ("ls src", "a.c b.c c.c"),
        ("git status", "clean"),
        ("cat Makefile", "all: b"),
        ("ls lib", "libb.a"),
    ];
    calls.extend(work);
    calls.extend([("ninja", "build.ninja: no such file"); 5]);
    let found = loops(&calls);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("exact-repeat"), "{found:?}");
    assert!(found[0].contains("calls 1-5 wasted 4"), "{found:?}");
    assert!(found[1].contains("calls 14-18 wasted 4"), "{found:?}");
}

#[test]
fn a_cycle_is_not_also_three_repeats() {
    let lap = [
        ("grep -rn foo src", "src/a.c:1: foo"),
        ("cat src/a.c", "1: foo"),
        ("ls -la src", "a.c"),
    ];
    let found = loops(&lap.repeat(6));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("cycle "), "{found:?}");
}

#[test]
fn a_lap_that_was_not_completed_is_not_counted() {
    let lap = [
        ("grep -rn foo src", "src/a.c:1: foo"),
        ("cat src/a.c", "1: foo"),
        ("ls -la src", "a.c"),
    ];
    let mut calls = lap.repeat(4);
    calls.extend(&lap[..2]);
    let found = loops(&calls);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(" x4 calls 1-12 wasted 9 "), "{found:?}");
}

#[test]
fn tokens_of_a_lap_that_was_not_completed_are_not_wasted() {
    let settings = unstuck::Settings::default();
    let prices = unstuck_config::Prices::default();
    let mut replay = FileReplay::new(&settings, &prices);
    let lap = ["grep -rn foo src", "cat src/a.c", "ls -la src"];
    for (number, call) in (1..).zip(lap.iter().cycle().take(14)) {
        for event in events(number, call, &format!("{call}: foo")) {
            replay.event(event);
        }
        replay.usage(Usage {
            session: "default".into(),
            agent: "main".into(),
            tokens: Tokens {
                input: 100,
                ..Tokens::default()
            },
            ..Usage::default()
        });
    }
    let replayed = replay.finish("a.jsonl", "events");
    let (run, _) = &replayed.runs[0];
    let found = &run.loops[0];
    assert_eq!((found.calls.to, found.wasted.calls), (12, 9));
    assert_eq!(found.wasted.tokens, 900);
}

#[test]
fn a_loop_ends_with_the_last_call_that_came_back_with_the_same() {
    // The seventh call would have been denied, and returned something new.
    let mut calls = vec![("make", "no rule to make target `all'"); 6];
    calls.push(("make", "all is built"));
    let found = loops(&calls);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(" x6 calls 1-6 wasted 5 "), "{found:?}");
}

#[test]
fn the_call_that_would_have_ended_the_run_is_counted() {
    let calls = [("make", "no rule to make target `all'"); 9];
    let found = loops(&calls);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("exact-repeat halt x9 calls 1-9 wasted 8"),
        "{found:?}"
    );
}

#[test]
fn healthy_work_has_no_loops() {
    let names: Vec<_> = (0..50)
        .map(|number| format!("cat src/part_{number}.rs"))
        .collect();
    let texts: Vec<_> = (0..50)
        .map(|number| format!("pub mod part_{number}_of_it;"))
        .collect();
    let calls: Vec<_> = names
        .iter()
        .zip(&texts)
        .map(|(call, text)| (call.as_str(), text.as_str()))
        .collect();
    assert_eq!(loops(&calls[..12]), [""; 0]);
}

#[test]
fn a_track_forgets_old_events_but_not_where_a_loop_began() {
    let mut track = Track::new("s", "main", 4);
    let allow = Decision::allow(1, "s", "main");
    for number in 1..=10 {
        let mut event = Event::turn();
        event.line = Some(number * 2);
        let mark = track.note(&mut event);
        assert_eq!((mark.event, mark.line), (number, number * 2));
        assert_eq!(event.line, Some(number), "findings quote the number");
        track.judged(&allow, mark, &unstuck::Settings::default());
    }
    let (run, spotted) = track.finish("a.jsonl", "events");
    assert_eq!((run.loops.len(), spotted.len()), (0, 0));
}
