//! Lists and single runs, for a person to look at.

use serde_json::json;
use unstuck::RuleName;
use unstuck_eval::{Found, false_alarms, find, misses, mistakes, show};

use crate::support::{corpus_runs, parse, replayed, run};

#[test]
fn solved_runs_with_an_alarm_come_first_among_false_alarms() {
    let runs = corpus_runs();
    let (replay, _) = replayed(&runs);
    let list = false_alarms(runs.iter().zip(&replay.runs));
    assert_eq!(
        mistakes("false alarm", &list, None),
        "\
false alarm\tm/o__p-1\tsolved, no loop\tnudge@2 exact-repeat 3x
false alarm\tstudy/1\tstep 3 is Divergence\tnudge@3 exact-repeat 4x
false alarm\tstudy/1\tstep 4 is Divergence\tnudge@4 exact-repeat 5x
3 false alarm by first rule: exact-repeat 3
"
    );
    assert_eq!(
        mistakes("false alarm", &list, Some(RuleName::Cycle)),
        "0 false alarm by first rule: \n"
    );
}

#[test]
fn misses_are_loops_without_an_alarm_and_unsolved_runs_without_a_label() {
    let mut runs = corpus_runs();
    runs.push(parse(&run("new", "n", &json!({"resolved": false}), &[])));
    let (replay, _) = replayed(&runs);
    let list = misses(runs.iter().zip(&replay.runs));
    assert_eq!(
        mistakes("missed", &list, None),
        "\
missed\tm/o__p-4\tloop
missed\tstudy/1\tstep 1 is Repetition
missed\tn\tunsolved
3 missed by first rule: \n"
    );
}

#[test]
fn a_run_is_found_by_a_part_of_its_id() {
    let runs = corpus_runs();
    assert!(matches!(find(&runs, "study/1"), Found::One(run) if run.id == "study/1"));
    assert!(matches!(find(&runs, "p-3"), Found::One(run) if run.id == "m/o__p-3"));
    assert!(matches!(find(&runs, "nothing"), Found::None));
    assert!(matches!(find(&runs, "air"), Found::Many(ids) if ids == ["air/1/0", "air/2/0"]));
}

#[test]
fn an_id_that_is_whole_wins_over_longer_ones() {
    let runs = ["a", "a#2"].map(|id| parse(&run("s", id, &json!({}), &[])));
    assert!(matches!(find(&runs, "a"), Found::One(run) if run.id == "a"));
}

#[test]
fn a_run_is_shown_step_by_step() {
    let long = "word ".repeat(100);
    let read = json!({"role": "assistant", "tool": "read", "args": {"path": "a"}, "result": "x", "tok_in": 7,
                      "tok_out": 1, "rel_to_prev": "Repetition"});
    let steps = [
        json!({"role": "user", "text": "Do\nit"}),
        json!({"role": "assistant", "tool": "run", "text": "Try", "args": "make", "result": long, "error": true}),
        read.clone(),
        read.clone(),
        read,
    ];
    let runs = [parse(&run("set", "id", &json!({"resolved": true}), &steps))];
    let (replay, _) = replayed(&runs);
    let shown = show(&runs[0], &replay.runs[0]);
    let middle = &shown[shown.find("…[").unwrap()..shown.find("]…").unwrap()];
    assert_eq!(middle, "…[292");
    let lines: Vec<_> = shown
        .lines()
        .filter(|line| !line.contains("→ error"))
        .collect();
    assert_eq!(
        lines,
        [
            "id (set, holdout)  resolved=true",
            "   0  user: Do it",
            r#"   1  run "make""#,
            "      “Try”",
            r#"   2  [8] <Repetition> read {"path":"a"}"#,
            r#"      → "x""#,
            r#"   3  [8] <Repetition> read {"path":"a"}  (same call as 2)"#,
            r#"      → "x"  (same result as 2)"#,
            "        found: exact-repeat 2x",
            r#"   4  [8] <Repetition> read {"path":"a"}  (same call as 3)"#,
            r#"      → "x"  (same result as 3)"#,
            "        found: exact-repeat 3x",
            "      * NUDGE exact-repeat 3x: exact-repeat 3x",
        ]
    );
}
