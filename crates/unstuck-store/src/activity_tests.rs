use super::*;

fn seen(rule: &str, wasted: u64) -> Seen {
    Seen {
        rule: rule.into(),
        repeats: u32::try_from(wasted).unwrap() + 1,
        wasted,
        pattern: vec!["Bash make".into()],
    }
}

#[test]
fn only_the_last_calls_are_kept() {
    let mut activity = Activity::default();
    for number in 0..50 {
        activity.call(
            &number.to_string(),
            "Bash",
            &format!("Bash {number}"),
            number,
            Detail::All,
        );
    }
    assert_eq!(activity.moves.len(), MOVES);
    assert_eq!(&*activity.moves[MOVES - 1].label, "Bash 49");
    assert_eq!(
        activity.tools,
        [Used {
            tool: "Bash".into(),
            calls: 50
        }]
    );
}

#[test]
fn a_result_finds_its_call_by_id_or_by_what_was_called() {
    let mut activity = Activity::default();
    activity.call("a", "Read", "Read x", 1, Detail::All);
    activity.call("", "Bash", "Bash ls", 2, Detail::All);
    activity.call("", "Bash", "Bash ls", 3, Detail::All);
    activity.result("", "Bash ls", Ended::Badly, "no", Detail::All);
    activity.result("a", "Read x", Ended::Well, "yes", Detail::All);
    let ended: Vec<_> = activity.moves.iter().map(|one| one.ended).collect();
    assert_eq!(ended, [Ended::Well, Ended::Badly, Ended::Running]);
    activity.refuse();
    assert_eq!(activity.moves[2].ended, Ended::Denied);
}

#[test]
fn tools_used_least_give_way() {
    let mut activity = Activity::default();
    activity.call("", "Bash", "Bash", 0, Detail::All);
    for number in 0..TOOLS {
        let tool = format!("tool{number}");
        activity.call("", "Bash", "Bash", 0, Detail::All);
        activity.call("", &tool, &tool, 0, Detail::All);
    }
    assert_eq!(activity.tools.len(), TOOLS);
    assert_eq!(&*activity.tools[0].tool, "Bash");
}

#[test]
fn waste_counts_only_in_loops_that_were_told_of_and_once() {
    let mut activity = Activity::default();
    activity.see(vec![seen("exact-repeat", 1)], Told::Nothing);
    assert_eq!(activity.wasted, 0);
    activity.see(
        vec![seen("stagnation", 1), seen("exact-repeat", 2)],
        Told::Nudged,
    );
    assert_eq!(activity.wasted, 2);
    let streak = activity.streak.as_ref().unwrap();
    assert_eq!(
        (&*streak.seen[0].rule, streak.told),
        ("exact-repeat", Told::Nudged)
    );
    activity.see(vec![seen("exact-repeat", 3)], Told::Nothing);
    // A report stays while its loop continues.
    assert_eq!(activity.streak.as_ref().unwrap().told, Told::Nudged);
    assert_eq!(activity.wasted, 3);
    for _ in 0..4 {
        assert!(activity.streak.is_some());
        activity.see(Vec::new(), Told::Nothing);
    }
    assert_eq!(activity.streak, None);
    activity.see(vec![seen("cycle", 4)], Told::Denied);
    assert_eq!(activity.wasted, 7);
}

#[test]
fn texts_are_cut_between_characters() {
    let mut activity = Activity::default();
    activity.call("a", "Bash", &"ä".repeat(300), 0, Detail::All);
    activity.result("a", "", Ended::Well, &"ü".repeat(300), Detail::All);
    assert_eq!(activity.moves[0].label.chars().count(), 80);
    assert_eq!(activity.moves[0].said.chars().count(), 80);
}

#[test]
fn stored_state_keeps_neither_arguments_nor_results_of_single_calls() {
    let mut activity = Activity::default();
    activity.call("a", "Bash", "Bash deploy x", 1, Detail::Repeats);
    activity.result(
        "a",
        "Bash deploy x",
        Ended::Well,
        "a result",
        Detail::Repeats,
    );
    assert_eq!(
        (&*activity.moves[0].label, &*activity.moves[0].said),
        ("Bash", "")
    );
    activity.call("b", "Bash", "Bash make", 2, Detail::Repeats);
    activity.call("c", "Bash", "Bash make", 3, Detail::Repeats);
    activity.see(vec![seen("exact-repeat", 2)], Told::Nudged);
    activity.result(
        "c",
        "Bash make",
        Ended::Badly,
        &"x".repeat(200),
        Detail::Repeats,
    );
    let labels: Vec<_> = activity.moves.iter().map(|one| &*one.label).collect();
    assert_eq!(labels, ["Bash", "Bash", "Bash make"]);
    assert_eq!(activity.moves[2].said.len(), EXCERPT);
}

fn told(activity: &Activity) -> Option<(Told, u32)> {
    let streak = activity.streak.as_ref()?;
    Some((streak.told, streak.seen[0].repeats))
}

/// Rules see a test that fails again, and none of the edits in between.
#[test]
fn a_loop_goes_on_through_calls_that_the_rules_do_not_report() {
    let mut activity = Activity::default();
    for lap in 1..8_u64 {
        for edit in 0..6 {
            activity.call("", "Edit", &format!("Edit {lap} {edit}"), 0, Detail::All);
            activity.see(Vec::new(), Told::Nothing);
        }
        activity.call("", "Bash", "Bash make test", 0, Detail::All);
        let nudged = if lap == 3 {
            Told::Nudged
        } else {
            Told::Nothing
        };
        if lap > 2 {
            activity.see(vec![seen("test-fix-cycle", lap)], nudged);
        }
        let expected = (lap > 2).then(|| (Told::Nudged, u32::try_from(lap).unwrap() + 1));
        assert_eq!(told(&activity), expected, "lap {lap}");
    }
    // Twice as many calls as a lap has, without the failing test: it is over.
    for _ in 0..12 {
        activity.see(Vec::new(), Told::Nothing);
        assert!(activity.streak.is_some());
    }
    activity.see(Vec::new(), Told::Nothing);
    assert_eq!(activity.streak, None);
}

#[test]
fn another_pattern_takes_over_when_the_agent_is_warned_of_it() {
    let other = |wasted| Seen {
        pattern: vec!["Read a".into()],
        ..seen("cycle", wasted)
    };
    let mut activity = Activity::default();
    activity.see(vec![seen("exact-repeat", 4)], Told::Denied);
    activity.see(vec![other(1)], Told::Nothing);
    assert_eq!(told(&activity), Some((Told::Denied, 5)), "not warned of");
    activity.see(vec![other(2)], Told::Nudged);
    assert_eq!(told(&activity), Some((Told::Nudged, 3)));
}
