use super::*;
use unstuck_conformance::Vectors;

const ROWS: &str = concat!(
    r#"{"json":"1.0","canonical":"1","sha256":"6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"}"#,
    "\n",
    r#"{"json":"1e999","error":true}"#,
    "\n",
    r#"{"json":"2","canonical":"2","sha256":"d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35"}"#,
    "\n",
);

fn plan(rows: &str) -> Plan {
    let Vectors::Canonical(rows) = Vectors::parse(rows).unwrap() else {
        panic!("no canonical rows");
    };
    Plan::of(&rows)
}

/// Decisions of a guard that takes two texts for the same call when `same` says so.
fn decide(plan: &Plan, same: impl Fn(&str, &str) -> bool) -> Vec<Value> {
    let mut calls: Vec<&str> = Vec::new();
    let mut decisions = Vec::new();
    for line in plan.lines() {
        let Some((_, rest)) = line.split_once(r#""args":"#) else {
            let equal = calls.iter().all(|call| same(calls[0], call));
            decisions.push(json!({"verdict": if equal { "halt" } else { "allow" }}));
            calls.clear();
            continue;
        };
        let args = &rest[..rest.len() - 1];
        if args == "1e999" {
            decisions.push(json!({"error": "too large"}));
            continue;
        }
        calls.push(args);
        decisions.push(json!({"verdict": "allow"}));
    }
    decisions
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn the_texts_go_in_as_they_are() {
    let plan = plan(ROWS);
    assert_eq!(
        plan.lines()[0],
        r#"{"event":"call","session":"s0","id":"c0","tool":"t","args":1.0}"#
    );
    // Two rows of two rounds of four lines, one line that must be refused.
    assert_eq!(plan.lines().len(), 17);
}

#[test]
fn a_guard_that_compares_values_passes() {
    let plan = plan(ROWS);
    let decisions = decide(&plan, |a, b| number(a).to_bits() == number(b).to_bits());
    assert_eq!(plan.judge(&decisions), []);
}

#[test]
fn a_guard_that_compares_texts_fails() {
    let plan = plan(ROWS);
    let decisions = decide(&plan, |a, b| a == b);
    assert_eq!(
        plan.judge(&decisions),
        [Failure {
            name: "line 1 1.0".into(),
            why: r#"must equal its canonical form: expected halt, got {"verdict":"allow"}"#.into()
        }]
    );
}

#[test]
fn a_guard_that_takes_all_for_equal_fails_once_a_row() {
    let plan = plan(ROWS);
    let decisions = decide(&plan, |_, _| true);
    let names: Vec<_> = plan
        .judge(&decisions)
        .into_iter()
        .map(|one| one.name)
        .collect();
    assert_eq!(names, ["line 1 1.0", "line 3 2"]);
}

#[test]
fn silence_fails_every_row() {
    assert_eq!(plan(ROWS).judge(&[]).len(), 3);
}

#[test]
fn a_wrong_hash_is_the_fault_of_the_vector() {
    let plan = plan(r#"{"json":"1","canonical":"1","sha256":"00"}"#);
    let decisions = decide(&plan, |a, b| a == b);
    assert_eq!(
        plan.judge(&decisions),
        [Failure {
            name: "line 1 1".into(),
            why: "the vector itself is broken: sha256 is not that of the canonical form".into()
        }]
    );
}
