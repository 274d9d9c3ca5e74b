//! Lists of shapes as an attacker would try them, filled anew from several seeds.

use super::*;
use tests::shapes::{ATTACKS, ORDINARY, list};

const SEEDS: u64 = 8;

/// The lines that are wrong for some seed: marked as such, and not.
fn wrong(lines: &str, is_wrong: impl Fn(&tests::shapes::Shape) -> bool) -> [Vec<String>; 2] {
    let mut wrong = [Vec::new(), Vec::new()];
    let mut seen = std::collections::BTreeSet::new();
    for seed in 1..=SEEDS {
        for (place, (known, shape)) in list(lines, seed).iter().enumerate() {
            if is_wrong(shape) && seen.insert(place) {
                let clean = redact(&shape.text);
                wrong[usize::from(*known)].push(format!("{} -> {clean}", shape.text));
            }
        }
    }
    wrong
}

#[test]
fn shapes_that_an_attacker_tries_are_taken_out() {
    let count = list(ATTACKS, 1).len();
    assert!(count >= 700, "{count}");
    let [leaks, known] = wrong(ATTACKS, |shape| shape.leaks_into(&redact(&shape.text)));
    assert!(known.len() * 25 <= count, "{known:#?}");
    assert!(leaks.is_empty(), "{} leak: {leaks:#?}", leaks.len());
}

#[test]
fn ordinary_lines_stay_as_they_are() {
    let count = list(ORDINARY, 1).len();
    assert!(count >= 200, "{count}");
    let [changed, known] = wrong(ORDINARY, |shape| redact(&shape.text) != shape.text);
    assert!(known.len() * 50 <= count, "{known:#?}");
    assert!(changed.is_empty(), "{} change: {changed:#?}", changed.len());
}
