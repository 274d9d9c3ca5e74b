use unstuck::{Call, Event, EventKind, Json, Outcome, Timestamp};

use super::{MAX_RUNS, MOST, Once, is_unique};

#[test]
fn ids_of_providers_are_unique_and_counters_are_not() {
    for id in [
        "toolu_01A09q90qw90lq917835lq9",
        "call_mRVZTxlHSwJ5TU2kkkOBmzIK4",
        "0d6b1b4e-53cb-4bbf-8aef-5f1f1a6f5f3c",
        "run_shell_command-1754398476234-a1b2c3d4",
    ] {
        assert!(is_unique(id), "{id}");
    }
    for id in [
        "",
        "1",
        "call_1",
        "unnamed-12",
        "functions.execute_command:12",
        "step-1234",
        "call_00000000000000000001",
    ] {
        assert!(!is_unique(id), "{id}");
    }
}

fn call(id: &str, args: &str, at: Option<i64>) -> Event {
    let call = Call::new(id, "bash", Json::parse(args).expect("JSON"));
    let mut event = Event::new(EventKind::Call(call)).in_session("s");
    event.at = at.map(Timestamp);
    event
}

fn result(id: &str, at: Option<i64>) -> Event {
    let outcome = Outcome::ok(id, Json::string("no rule"));
    let mut event = Event::new(EventKind::Result(outcome)).in_session("s");
    event.at = at.map(Timestamp);
    event
}

/// How many of these events are let through.
fn admitted(events: &[Event]) -> usize {
    let mut once = Once::default();
    events.iter().filter(|event| once.admits(event)).count()
}

/// Three rounds of a model that calls its calls alike in every one, at times that are given in order.
fn rounds(times: [Option<i64>; 6]) -> Vec<Event> {
    let mut events = Vec::new();
    for pair in times.chunks(2) {
        events.push(call("call_0", "{\"command\":\"make\"}", pair[0]));
        events.push(call("call_1", "{\"command\":\"ls\"}", pair[0]));
        events.push(result("call_0", pair[1]));
        events.push(result("call_1", pair[1]));
    }
    events
}

#[test]
fn a_part_that_is_recorded_again_counts_once_whatever_its_ids_and_times_are() {
    let seconds = [1, 1, 1, 2, 3, 3].map(|second| Some(second * 1_000));
    let fast = [1, 1, 2, 2, 3, 3].map(|second| Some(second * 1_000));
    let exact = [1_001, 1_002, 1_003, 1_004, 1_005, 1_006].map(Some);
    for times in [seconds, fast, exact] {
        let once = rounds(times);
        assert_eq!(admitted(&once), 12, "{times:?}");
        let again = [once.clone(), once.clone()].concat();
        assert_eq!(admitted(&again), 12, "{times:?}");
        // Each line twice, as a proxy writes them that sends everything twice.
        let twice: Vec<_> = once
            .iter()
            .flat_map(|one| [one.clone(), one.clone()])
            .collect();
        assert_eq!(admitted(&twice), 12, "{times:?}");
    }
}

#[test]
fn an_id_that_is_used_again_in_a_later_round_is_another_call() {
    let untimed = [None; 6];
    // Readers give what has no time the time of what comes before.
    let standing = [Some(5_000); 6];
    let exact = [Some(5_001); 6];
    for times in [untimed, standing, exact] {
        assert_eq!(admitted(&rounds(times)), 12, "{times:?}");
    }
    // Without a time, nothing tells a repeated call from another one.
    let again = [rounds(untimed), rounds(untimed)].concat();
    assert_eq!(admitted(&again), 24);
}

#[test]
fn what_is_remembered_of_a_file_is_bounded() {
    let mut once = Once::default();
    for number in 0..MAX_RUNS + 9 {
        let mut event = call("1", "{}", None);
        event.session = number.to_string().into();
        assert!(once.admits(&event));
    }
    assert_eq!((once.runs.len(), once.index.len()), (MAX_RUNS, MAX_RUNS));
    let mut once = Once::default();
    let most = i64::try_from(MOST).expect("a number");
    for time in 0..most + 7 {
        assert!(once.admits(&call("call_0", "{}", Some(time * 1_000))));
    }
    assert_eq!(once.uncompared(), 7);
}
