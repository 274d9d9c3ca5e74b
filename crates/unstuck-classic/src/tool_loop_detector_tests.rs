use super::*;

/// Records one call a letter and gives the answer after each: `0` or `1`.
fn answers(detector: &mut ToolLoopDetector, calls: &str) -> String {
    calls
        .chars()
        .map(|call| {
            detector.record("read", &Json::string(&call.to_string()));
            if detector.is_stuck() { '1' } else { '0' }
        })
        .collect()
}

fn fresh(calls: &str) -> String {
    answers(&mut ToolLoopDetector::new(), calls)
}

#[test]
fn the_third_equal_call_is_stuck() {
    assert_eq!(fresh("AAA"), "001");
}

#[test]
fn equal_calls_need_not_follow_each_other() {
    assert_eq!(fresh("ABABAB"), "000011");
    assert_eq!(fresh("ABCABCABC"), "000000111");
}

#[test]
fn three_equal_calls_count_within_twenty_and_not_beyond() {
    let within = fresh("AbcdefghijAklmnopqrA");
    assert_eq!(within, "00000000000000000001");
    let beyond = fresh("AbcdefghijAklmnopqrsA");
    assert_eq!(beyond, "0".repeat(21));
}

#[test]
fn it_stays_stuck_until_the_calls_have_left_the_history() {
    let answers = fresh("AAAbcdefghijklmnopqrstu");
    assert_eq!(answers, "00111111111111111111000");
}

#[test]
fn the_order_of_arguments_does_not_matter() {
    let mut detector = ToolLoopDetector::new();
    for (at, args) in [
        r#"{"a":1,"b":2}"#,
        r#"{"b":2,"a":1}"#,
        r#"{ "a": 1, "b": 2 }"#,
    ]
    .into_iter()
    .enumerate()
    {
        detector.record("run", &Json::parse(args).unwrap());
        assert_eq!(detector.is_stuck(), at == 2);
    }
}

#[test]
fn one_tool_with_other_arguments_each_time_is_never_stuck() {
    assert_eq!(fresh("abcdefghijklmn"), "0".repeat(14));
}

#[test]
fn other_tools_with_the_same_arguments_are_other_calls() {
    let mut detector = ToolLoopDetector::new();
    for tool in ["read", "write", "stat"] {
        detector.record(tool, &Json::empty_object());
    }
    assert!(!detector.is_stuck());
}

#[test]
fn a_reset_forgets_all_calls() {
    let mut detector = ToolLoopDetector::new();
    answers(&mut detector, "AAA");
    detector.reset();
    assert!(!detector.is_stuck());
    assert_eq!(answers(&mut detector, "AAA"), "001");
}

#[test]
fn a_history_below_the_threshold_is_never_stuck() {
    assert_eq!(answers(&mut ToolLoopDetector::with(3, 2), "AAAAA"), "00000");
    assert_eq!(answers(&mut ToolLoopDetector::with(1, 0), "AA"), "00");
}

#[test]
fn a_threshold_of_zero_or_one_is_reached_by_the_first_call() {
    for threshold in [0, 1] {
        let mut detector = ToolLoopDetector::with(threshold, 20);
        assert!(!detector.is_stuck());
        assert_eq!(answers(&mut detector, "A"), "1");
    }
}
