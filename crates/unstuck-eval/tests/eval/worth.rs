//! What alarms were worth, and injected cases.

use serde_json::{Value, json};
use unstuck_eval::{Caught, Facts, Headline, Injected, Unit, score};

use crate::support::{costing, look, looks, parse, replayed, run, work, works};

/// A change of a file that the run did not create.
fn edit(n: usize) -> Value {
    json!({"role": "assistant", "tool": "str_replace_editor", "error": false, "result": "done",
           "args": {"command": "str_replace", "path": "a.py", "old_str": n, "new_str": n + 1}})
}

#[test]
fn redundant_steps_after_an_alarm_are_waste_that_was_caught() {
    let runs = [parse(&run(
        "overthinking",
        "r",
        &json!({"resolved": false}),
        &costing([looks(6), works(4)].concat(), 10),
    ))];
    let (_, facts) = replayed(&runs);
    let worth = &score(&[&runs[0]], &facts)["overthinking"].worth;
    assert_eq!(runs[0].redundant(), [1, 2, 3, 4, 5]);
    assert_eq!(worth.unit, Unit::Tokens);
    assert_eq!(worth.waste, Some(0.5));
    // The nudge comes at the third look, the denial at the fifth.
    assert_eq!(
        worth.caught,
        Caught {
            nudge: Some(0.6),
            deny: Some(0.2)
        }
    );
    assert_eq!((worth.first_nudges, worth.first_nudges_redundant), (1, 1));
    assert_eq!(
        (worth.runs_5_redundant, worth.runs_5_redundant_told),
        (1, 1)
    );
    assert_eq!((worth.denied_known, worth.denied_wrong), (Some(2), Some(0)));
    assert_eq!((worth.solved, worth.lost), (0, 0));
}

#[test]
fn a_solved_run_that_is_halted_before_its_last_edit_is_lost() {
    let steps = |after: usize| [looks(9), vec![edit(0); after]].concat();
    let solved = |id: &str, after| parse(&run("s", id, &json!({"resolved": true}), &steps(after)));
    let runs = [solved("late", 1), solved("never", 0)];
    let (_, facts) = replayed(&runs);
    let worth = &score(&[&runs[0], &runs[1]], &facts)["s"].worth;
    assert_eq!(runs[0].last_source_edit(), Some(9));
    assert_eq!((worth.solved, worth.lost), (2, 1));
}

#[test]
fn facts_that_do_not_say_what_was_denied_have_no_wrong_denials() {
    let runs = [parse(&run("overthinking", "r", &json!({}), &looks(3)))];
    let peer = &Facts::read("peer", r#"{"alarms": {"r": [0, 1, 2]}}"#).unwrap()[0].1;
    let scores = score(&[&runs[0]], peer);
    assert_eq!(scores["overthinking"].worth.denied_known, None);
    assert_eq!(scores["overthinking"].messages, None);
    let headline = Headline::of(&scores);
    let wrong = headline
        .0
        .iter()
        .find(|(name, _)| *name == "overthinking wrong denials");
    assert_eq!(wrong, Some(&("overthinking wrong denials", None)));
}

#[test]
fn shares_of_counts_come_with_their_counts_and_an_interval() {
    let runs = [parse(&run(
        "overthinking",
        "r",
        &json!({"resolved": true}),
        &looks(4),
    ))];
    let (_, facts) = replayed(&runs);
    let headline = Headline::of(&score(&[&runs[0]], &facts));
    let (_, nudged) = headline.0[2];
    let nudged = nudged.unwrap();
    assert_eq!((nudged.value, nudged.of), (1.0, Some((1, 1))));
    assert!(nudged.interval.unwrap().low < 0.3);
}

/// A case of a kind: healthy steps, and from the splice on others.
fn case(kind: &str, is_loop: bool, healthy: usize, tail: Vec<Value>) -> Value {
    let label = json!({"kind": kind, "loop": is_loop, "start": healthy, "host": "overthinking"});
    run(
        "injected",
        &format!("m/o__p-1//{kind}"),
        &label,
        &[works(healthy), tail].concat(),
    )
}

#[test]
fn injected_cases_are_counted_from_the_splice() {
    let runs: Vec<_> = [
        case("equal-call", true, 4, looks(8)),
        case("equal-call", true, 4, looks(2)),
        case("other-loop", true, 4, looks(1)),
        case("page-after-page", false, 4, (20..30).map(work).collect()),
        case("page-after-page", false, 4, looks(5)),
        case("control", false, 4, looks(3)),
    ]
    .iter()
    .map(parse)
    .collect();
    let (replay, _) = replayed(&runs);
    let injected = Injected::of(runs.iter().zip(&replay.runs)).unwrap();
    let equal = &injected.kinds["equal-call"];
    assert_eq!((equal.is_loop, equal.n), (true, 2));
    assert_eq!(equal.levels.nudge.calls, [3]);
    assert_eq!(equal.levels.deny.calls, [5]);
    assert_eq!(equal.levels.halt.calls, [8]);
    // A control is judged from its beginning.
    assert_eq!(injected.kinds["control"].levels.nudge.calls, [7]);
    let headline = &injected.headline;
    assert_eq!(headline.told, Some(0.25));
    assert_eq!(Some(headline.delay), Some(3.0));
    assert_eq!(headline.ended, Some(0.0));
    assert_eq!(headline.alike_nudged, Some(0.5));
    assert_eq!(headline.alike_denied, Some(0.5));
    assert_eq!(headline.controls_nudged, Some(1.0));
    assert_eq!(headline.halted_before, 0);
}

#[test]
fn a_case_that_was_halted_before_the_splice_says_nothing_about_its_kind() {
    let runs = [
        parse(&case("equal-call", true, 0, looks(8))),
        parse(&run(
            "injected",
            "halted//equal-call",
            &json!({"kind": "equal-call", "loop": true, "start": 9}),
            &[looks(9), vec![look()]].concat(),
        )),
    ];
    let (replay, _) = replayed(&runs);
    let injected = Injected::of(runs.iter().zip(&replay.runs)).unwrap();
    assert_eq!(injected.kinds["equal-call"].n, 1);
    assert_eq!(injected.headline.halted_before, 1);
    assert_eq!(injected.headline.ended, Some(1.0));
}
