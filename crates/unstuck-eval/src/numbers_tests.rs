use serde_json::json;

use super::*;

/// A run of calls of one file; a letter stands for a call, a capital for one that failed.
fn run(calls: &str) -> Trajectory {
    let steps: Vec<_> = calls
        .chars()
        .map(|call| {
            json!({"role": "assistant", "tool": "read", "args": {"path": call.to_ascii_lowercase()},
                   "result": "", "error": call.is_ascii_uppercase()})
        })
        .collect();
    let line = json!({"id": "r", "set": "s", "label": {}, "steps": steps});
    Trajectory::parse(line.to_string().as_bytes()).unwrap()
}

fn right(calls: &str, to: To, text: &str, repeats: u32) -> bool {
    are_right(&run(calls), calls.len() - 1, to, text, repeats)
}

#[test]
fn patterns_are_valid() {
    for pattern in [&ASIDE, &WORDS, &SHARE, &CALLED, &IN_A_ROW] {
        assert!(pattern.is_valid());
    }
}

#[test]
fn one_of_the_numbers_is_the_decisions_own() {
    assert!(right("abc", To::Result, "Made 3 times, 7 of them.", 7));
    assert!(!right("abc", To::Result, "Made 3 times.", 4));
    assert!(right("abc", To::Result, "Nothing is counted.", 4));
    assert!(right("abc", To::Result, "More within 60 seconds.", 4));
}

#[test]
fn shares_of_failures_are_counted_again() {
    let text = "4 of the last 5 calls failed.";
    assert!(right("aBCDE", To::Result, text, 4));
    assert!(!right("abCDE", To::Result, text, 4));
    assert!(right("aBCDEf", To::Call, text, 4));
    let either = "4 of the last 5 calls failed or returned nothing new.";
    assert!(right("abCDE", To::Result, either, 4));
}

#[test]
fn failures_in_a_row_are_counted_again() {
    let text = "3 calls in a row failed";
    assert!(right("aBCD", To::Result, text, 3));
    assert!(!right("aBcD", To::Result, text, 3));
}

#[test]
fn equal_calls_are_counted_again() {
    let text = |count: u32| format!("`read` was called {count} times with the same arguments");
    for (count, is_right) in [(1, false), (2, true), (3, true), (4, false)] {
        assert_eq!(right("abaa", To::Result, &text(count), count), is_right);
    }
    assert!(right("abaa", To::Call, &text(1), 1));
}
