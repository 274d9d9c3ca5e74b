use super::*;
use crate::agents::known;

fn outcome() -> Outcome {
    Outcome {
        nudged: Some(3),
        denied: Some(6),
        requests: 12,
        attempts: 7,
        is_ended: true,
        goes_on: true,
        healthy: (HEALTHY_CALLS, 0),
    }
}

#[test]
fn a_run_is_good_if_it_was_ended_and_goes_on_with_a_person() {
    assert!(outcome().is_good());
    for change in [
        (|it: &mut Outcome| it.nudged = None) as fn(&mut Outcome),
        |it| it.denied = None,
        |it| it.is_ended = false,
        |it| it.requests = ENDLESS,
        |it| it.goes_on = false,
        |it| it.healthy = (HEALTHY_CALLS, 1),
        |it| it.healthy = (HEALTHY_CALLS - 1, 0),
    ] {
        let mut other = outcome();
        change(&mut other);
        assert!(!other.is_good(), "{other:?}");
    }
}

#[test]
fn a_row_says_what_was_seen() {
    let seen = Seen {
        agent: known::ALL[0],
        outcome: Ok(outcome()),
    };
    assert!(row(&seen).ends_with(
        "| after request 3 | after request 6 | 12, 7 | ended | goes on | as they are |"
    ));
}
