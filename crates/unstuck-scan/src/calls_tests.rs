use unstuck::Json;

use super::*;

/// Calls of these commands with these outputs; an output that begins with `!` is a failure.
fn made(calls: &[(&str, &str)]) -> RecentCalls {
    let mut recent = RecentCalls::new(64);
    for (number, (command, output)) in (1..).zip(calls) {
        let id = number.to_string();
        let args = Json::parse(&format!("{{\"command\":\"{command}\"}}")).unwrap();
        recent.call(
            &Call::new(id.clone(), "Bash", args),
            (2 * number - 1, number),
            None,
        );
        let mut outcome = Outcome::ok(id, Json::parse(&format!("\"{output}\"")).unwrap());
        if output.starts_with('!') {
            outcome.exit_code = Some(1);
        }
        recent.result(&outcome, (2 * number, number));
    }
    recent
}

#[test]
fn an_event_is_found_by_its_call_and_by_its_result() {
    let recent = made(&[("a", "1"), ("b", "2"), ("c", "3")]);
    assert_eq!(recent.at_event(3), Some(2));
    assert_eq!(recent.at_event(4), Some(2));
    assert_eq!(recent.at_event(9), None);
}

#[test]
fn the_calls_most_alike_are_those_that_were_counted() {
    let recent = made(&[
        ("make", "same"),
        ("ls", "files"),
        ("make", "same"),
        ("make", "other"),
        ("make", "same"),
    ]);
    assert_eq!(recent.alike(RuleName::ExactRepeat, 2, 1, 5), [1, 3]);
    assert_eq!(
        recent.alike(RuleName::ExactRepeat, 9, 1, 5),
        [1, 3, 4],
        "no call that is not equal, whatever was counted"
    );
    assert_eq!(
        recent.alike(RuleName::Stagnation, 9, 1, 5),
        [1, 2, 3, 4],
        "no more than there are"
    );
    let like = (RuleName::ExactRepeat, 5);
    assert_eq!(recent.fitting(like, 1, (2, 5), |_| false), [3]);
    assert_eq!(recent.fitting(like, 9, (1, 5), |call| call == 3), [1, 4]);
}

#[test]
fn failures_before_the_last_row_count_with_it() {
    let recent = made(&[
        ("a", "!1"),
        ("b", "ok"),
        ("c", "!2"),
        ("d", "!3"),
        ("e", "!4"),
    ]);
    // The engine names the row that begins with the third call, and has counted four failures.
    assert_eq!(recent.alike(RuleName::FailureCascade, 3, 3, 5), [1, 3, 4]);
}

#[test]
fn calls_in_between_are_in_no_lap() {
    let lap = [("a", "1"), ("b", "2")];
    let mut calls = lap.repeat(3);
    calls.insert(2, ("note", "x"));
    calls.insert(2, ("other", "y"));
    let recent = made(&calls);
    assert_eq!(recent.in_laps((3, 2), 1, 8), [1, 2, 5, 6, 7, 8]);
    assert_eq!(
        made(&lap.repeat(3)).in_laps((3, 2), 1, 6),
        [1, 2, 3, 4, 5, 6]
    );
}
