use super::*;

fn json(text: &str) -> Json {
    Json::string(text)
}

/// Runs steps of (code, result) and gives one letter a step: `.` allow, `w` warn, `b` block.
fn run(detector: &mut StepLoopDetector, steps: &[(&str, &str)]) -> String {
    steps
        .iter()
        .map(
            |(code, result)| match detector.analyze_step(code, Some(&json(result))) {
                StepVerdict::Allow => '.',
                StepVerdict::Warn { .. } => 'w',
                StepVerdict::Block { .. } => 'b',
            },
        )
        .collect()
}

fn verdicts(steps: &[(&str, &str)]) -> String {
    run(&mut StepLoopDetector::new(), steps)
}

fn with(stagnation: (u32, u32), stuck: (u32, u32)) -> StepLoopDetector {
    let thresholds = |(warn, block)| Thresholds { warn, block };
    StepLoopDetector::with_thresholds(StepThresholds {
        stagnation: thresholds(stagnation),
        stuck: thresholds(stuck),
    })
}

/// `count` steps with codes of their own and one result.
fn stuck_steps(detector: &mut StepLoopDetector, count: usize) -> String {
    (0..count)
        .map(|at| run(detector, &[(&format!("code {at}"), "r1")]))
        .collect()
}

#[test]
fn a_first_step_is_allowed() {
    assert_eq!(verdicts(&[("c1", "r1")]), ".");
}

#[test]
fn an_old_approach_with_a_new_outcome_is_allowed() {
    assert_eq!(verdicts(&[("c1", "r1"), ("c1", "r2")]), "..");
}

#[test]
fn a_new_approach_with_an_old_outcome_is_allowed_once() {
    assert_eq!(verdicts(&[("c1", "r1"), ("c2", "r1")]), "..");
}

#[test]
fn identical_steps_warn_from_the_fourth_and_block_from_the_sixth() {
    assert_eq!(verdicts(&[("c1", "r1"); 8]), "...wwbbb");
}

#[test]
fn different_approaches_with_one_outcome_warn_from_the_sixth_and_block_from_the_ninth() {
    assert_eq!(stuck_steps(&mut StepLoopDetector::new(), 11), ".....wwwbbb");
}

#[test]
fn progress_starts_the_streak_anew() {
    let steps = [
        ("c1", "r1"),
        ("c1", "r1"),
        ("c1", "r1"),
        ("c2", "r2"),
        ("c2", "r2"),
        ("c2", "r2"),
        ("c2", "r2"),
    ];
    assert_eq!(verdicts(&steps), "......w");
}

#[test]
fn a_changed_world_starts_the_streak_anew() {
    let steps = [
        ("c1", "r1"),
        ("c1", "r1"),
        ("c1", "r1"),
        ("c1", "r3"),
        ("c1", "r3"),
    ];
    assert_eq!(verdicts(&steps), ".....");
}

#[test]
fn a_new_outcome_ends_the_stuck_streak() {
    let steps = [
        ("c1", "r1"),
        ("c2", "r1"),
        ("c3", "r1"),
        ("c4", "r1"),
        ("c5", "r1"),
        ("c5", "new"),
        ("c6", "new"),
    ];
    assert_eq!(verdicts(&steps), ".......");
}

#[test]
fn a_block_stays_until_a_reset() {
    let mut detector = with((1, 2), (5, 8));
    assert_eq!(detector.is_blocked(), None);
    assert_eq!(run(&mut detector, &[("c", "r"); 3]), ".wb");
    assert!(detector.is_blocked().is_some());
    detector.reset();
    assert_eq!(detector.is_blocked(), None);
    assert_eq!(run(&mut detector, &[("c", "r")]), ".");
}

#[test]
fn progress_after_a_block_is_allowed_and_lifts_nothing() {
    let mut detector = with((1, 2), (5, 8));
    run(&mut detector, &[("c", "r"); 3]);
    let block = detector.is_blocked().cloned();
    assert_eq!(run(&mut detector, &[("x", "y")]), ".");
    assert_eq!(detector.is_blocked(), block.as_ref());
}

#[test]
fn own_thresholds_count_for_each_streak() {
    assert_eq!(run(&mut with((2, 3), (5, 8)), &[("c", "r"); 4]), "..wb");
    assert_eq!(stuck_steps(&mut with((3, 5), (2, 3)), 4), "..wb");
}

#[test]
fn stuck_ends_stagnation_and_the_other_way_round() {
    let steps = [
        ("c1", "r1"),
        ("c1", "r1"),
        ("c1", "r1"),
        ("c2", "r1"),
        ("c2", "r1"),
        ("c2", "r1"),
    ];
    assert_eq!(run(&mut with((3, 5), (3, 5)), &steps), "......");
}

#[test]
fn ping_pong_between_two_steps_is_stagnation() {
    let steps = [("a", "ra"), ("b", "rb")].repeat(4);
    assert_eq!(verdicts(&steps), "....wwbb");
}

#[test]
fn old_approaches_with_the_outcomes_of_others_are_stagnation() {
    let steps = [
        ("a", "ra"),
        ("b", "rb"),
        ("a", "rb"),
        ("b", "ra"),
        ("a", "rb"),
    ];
    assert_eq!(verdicts(&steps), "....w");
}

#[test]
fn streaks_that_keep_ending_each_other_never_warn() {
    let mut detector = StepLoopDetector::new();
    run(&mut detector, &[("c0", "r")]);
    for at in 1..40 {
        let code = format!("c{at}");
        assert_eq!(run(&mut detector, &[(&code, "r"), (&code, "r")]), "..");
    }
}

#[test]
fn no_result_null_and_empty_text_are_three_outcomes() {
    let mut detector = with((1, 2), (1, 2));
    let (null, empty) = (Json::null(), json(""));
    for (code, result) in [("a", None), ("b", Some(&null)), ("c", Some(&empty))] {
        assert_eq!(detector.analyze_step(code, result), StepVerdict::Allow);
    }
    assert_ne!(detector.analyze_step("d", None), StepVerdict::Allow);
}

#[test]
fn the_order_of_members_does_not_matter() {
    let mut detector = with((1, 9), (9, 9));
    let one = Json::parse(r#"{"a":1,"b":2}"#).unwrap();
    let other = Json::parse(r#"{"b":2,"a":1}"#).unwrap();
    assert_eq!(detector.analyze_step("c", Some(&one)), StepVerdict::Allow);
    assert_ne!(detector.analyze_step("c", Some(&other)), StepVerdict::Allow);
}

#[test]
fn a_block_threshold_of_zero_blocks_progress() {
    let mut detector = with((3, 0), (5, 8));
    let verdict = detector.analyze_step("c1", None);
    assert!(matches!(
        verdict,
        StepVerdict::Block {
            category: StepCategory::FullStagnation,
            ..
        }
    ));
    let mut detector = with((3, 5), (5, 0));
    let verdict = detector.analyze_step("c1", None);
    assert!(matches!(
        verdict,
        StepVerdict::Block {
            category: StepCategory::Stuck,
            ..
        }
    ));
}

#[test]
fn a_warn_threshold_of_zero_warns_of_every_step() {
    let steps = [("a", "1"), ("b", "2"), ("c", "3")];
    assert_eq!(run(&mut with((0, 5), (5, 8)), &steps), "www");
    assert_eq!(run(&mut with((3, 5), (0, 8)), &steps), "www");
    let verdict = with((3, 5), (0, 8)).analyze_step("a", None);
    assert!(matches!(
        verdict,
        StepVerdict::Warn {
            category: StepCategory::Stuck,
            ..
        }
    ));
}

#[test]
fn a_block_below_the_warning_is_never_warned_of() {
    assert_eq!(run(&mut with((3, 2), (5, 8)), &[("c", "r"); 4]), "..bb");
}

#[test]
fn messages_carry_the_words_that_others_look_for() {
    let mut detector = StepLoopDetector::new();
    run(&mut detector, &[("c", "r"); 3]);
    let StepVerdict::Warn { message, category } = detector.analyze_step("c", Some(&json("r")))
    else {
        panic!("a warning");
    };
    assert_eq!(category.as_str(), "full_stagnation");
    for words in [
        "WARNING",
        "fundamentally different approach",
        "(3/5 before block)",
    ] {
        assert!(message.contains(words), "{words} in {message}");
    }
    run(&mut detector, &[("c", "r"); 2]);
    let Some(StepVerdict::Block { message, .. }) = detector.is_blocked() else {
        panic!("a block");
    };
    for words in [
        "LOOP DETECTED",
        "repeating the same code with the same result",
        "Execution is now blocked. Summarize",
        "and stop.",
    ] {
        assert!(message.contains(words), "{words} in {message}");
    }

    let mut detector = with((3, 5), (2, 3));
    stuck_steps(&mut detector, 2);
    let StepVerdict::Warn { message, category } = detector.analyze_step("x", Some(&json("r1")))
    else {
        panic!("a warning");
    };
    assert_eq!(category.as_str(), "stuck");
    for words in [
        "WARNING",
        "Re-examine your assumptions",
        "(2/3 before block)",
    ] {
        assert!(message.contains(words), "{words} in {message}");
    }
    let StepVerdict::Block { message, .. } = detector.analyze_step("y", Some(&json("r1"))) else {
        panic!("a block");
    };
    for words in [
        "LOOP DETECTED",
        "different approaches but getting the same result",
        "Execution is now blocked. Summarize",
    ] {
        assert!(message.contains(words), "{words} in {message}");
    }
}
