use super::*;

/// Records one call a letter; for each that is answered, its number, the period and the occurrence.
fn fired(detector: &mut CycleDetector, calls: &str) -> Vec<(usize, u32, u32)> {
    let mut fired = Vec::new();
    for (at, call) in calls.chars().enumerate() {
        if let Some(warning) = record(detector, call) {
            fired.push((at + 1, warning.period, warning.occurrence));
        }
    }
    fired
}

fn record(detector: &mut CycleDetector, call: char) -> Option<CycleWarning> {
    detector.record("read", &Json::string(&call.to_string()))
}

fn fresh(calls: &str) -> Vec<(usize, u32, u32)> {
    fired(&mut CycleDetector::new(), calls)
}

#[test]
fn a_call_equal_to_the_one_before_is_a_cycle() {
    assert_eq!(fresh("AA"), [(2, 1, 1)]);
    assert_eq!(fresh("xyAA"), [(4, 1, 1)]);
}

#[test]
fn two_calls_are_a_cycle_when_both_came_twice() {
    assert_eq!(fresh("ABAB"), [(4, 2, 1)]);
    assert_eq!(fresh("ABAC"), []);
}

#[test]
fn three_calls_are_a_cycle_when_all_came_twice() {
    assert_eq!(fresh("ABCABC"), [(6, 3, 1)]);
}

#[test]
fn four_calls_are_no_cycle() {
    assert_eq!(fresh(&"ABCD".repeat(4)), []);
}

#[test]
fn one_call_between_others_that_differ_is_no_cycle() {
    assert_eq!(fresh("1T2T3T4T5T"), []);
}

#[test]
fn every_complete_lap_is_an_occurrence_and_the_third_stops() {
    let mut detector = CycleDetector::new();
    let mut actions = Vec::new();
    for call in "ABABABAB".chars() {
        if let Some(warning) = record(&mut detector, call) {
            actions.push((warning.count, warning.action, warning.status()));
        }
    }
    assert_eq!(
        actions,
        [
            (2, CycleAction::Warn, None),
            (3, CycleAction::WarnStrongly, None),
            (4, CycleAction::ForceStop, Some(LOOP_DETECTED)),
        ]
    );
}

#[test]
fn occurrences_are_kept_when_the_run_breaks() {
    assert_eq!(fresh("AAxAAyAA"), [(2, 1, 1), (5, 1, 2), (8, 1, 3)]);
}

#[test]
fn another_pattern_starts_at_the_first_warning() {
    assert_eq!(
        fresh("AAABBB"),
        [(2, 1, 1), (3, 1, 2), (5, 1, 1), (6, 1, 2)]
    );
}

#[test]
fn where_a_pattern_starts_does_not_matter() {
    assert_eq!(fresh("ABABxyBABA"), [(4, 2, 1), (10, 2, 2)]);
}

#[test]
fn a_stop_stays_until_a_reset() {
    let mut detector = CycleDetector::new();
    assert_eq!(fired(&mut detector, "AAAA").last(), Some(&(4, 1, 3)));
    let again = record(&mut detector, 'B').unwrap();
    assert_eq!(again.action, CycleAction::ForceStop);
    detector.user_message();
    assert!(record(&mut detector, 'C').is_some());
    detector.reset();
    assert_eq!(fired(&mut detector, "AA"), [(2, 1, 1)]);
}

#[test]
fn a_persons_word_clears_the_counts_and_keeps_the_calls() {
    let mut detector = CycleDetector::new();
    assert_eq!(fired(&mut detector, "AAA"), [(2, 1, 1), (3, 1, 2)]);
    detector.user_message();
    assert_eq!(fired(&mut detector, "A"), [(1, 1, 1)]);
}

#[test]
fn the_order_of_arguments_does_not_matter() {
    let mut detector = CycleDetector::new();
    let args = |text| Json::parse(text).unwrap();
    assert_eq!(detector.record("t", &args(r#"{"a":1,"b":2}"#)), None);
    assert!(detector.record("t", &args(r#"{"b":2,"a":1}"#)).is_some());
}

#[test]
fn warnings_tell_the_pattern_and_get_stronger() {
    let mut detector = CycleDetector::new();
    let messages: Vec<String> = "ABABABAB"
        .chars()
        .filter_map(|call| record(&mut detector, call))
        .map(|warning| {
            assert_eq!(warning.pattern, ["read A", "read B"]);
            warning.message
        })
        .collect();
    assert!(messages[0].contains("Loop detected"), "{}", messages[0]);
    assert!(messages[0].contains("1. read A"), "{}", messages[0]);
    assert!(messages[1].contains("instead"), "{}", messages[1]);
    assert!(messages[2].contains(LOOP_DETECTED), "{}", messages[2]);
}
