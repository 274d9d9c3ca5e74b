use proptest::prelude::*;
use serde_json::json;
use unstuck::Preset;

use super::*;
use crate::tune::{collect::collect, measure::changed};

#[test]
fn heights_are_observed_lengths() {
    let peaks = |peaks: &[(u32, u64)]| heights(&peaks.iter().copied().collect());
    assert!(peaks(&[]).is_empty());
    assert_eq!(peaks(&[(7, 5)]), [7]);
    assert_eq!(peaks(&[(3, 1), (5, 1), (9, 1), (30, 1)]), [3, 5, 9, 30]);
    assert_eq!(peaks(&[(3, 98), (4, 1), (90, 1)]), [3, 90]);
}

#[test]
fn a_raised_ladder_keeps_its_distances() {
    let raised = raise(&Ladder::new(3, 5, 8), 31);
    assert_eq!(raised.nudge, Some(Rung::at(31)));
    assert_eq!(raised.deny, Some(DenyRung::at(33)));
    assert_eq!(raised.halt, Some(Rung::at(36)));
    // A rung that is not there does not appear.
    let raised = raise(&Ladder::new(0, 0, 3), 9);
    assert_eq!((raised.nudge, raised.halt), (None, Some(Rung::at(9))));
    let floor = at_least(raise(&Ladder::new(3, 5, 8), 6), &Ladder::new(10, 7, 0));
    assert_eq!(
        (floor.nudge, floor.deny, floor.halt),
        (Some(Rung::at(10)), Some(DenyRung::at(8)), Some(Rung::Never))
    );
}

#[test]
fn an_entry_of_its_own_keeps_what_a_wider_one_says() {
    let mut settings = Settings::of(Preset::Standard);
    let mut wide = ToolSettings::new("ci__*");
    wide.volatile_fields = vec!["at".into()];
    settings.tools.push(wide);
    let change = Change {
        tool: "ci__status".into(),
        kind: Kind::Ladder(raise(&Ladder::new(3, 5, 8), 9)),
    };
    let entry = change.on_top_of(base(&settings, &change.tool));
    assert_eq!(entry.tool.as_str(), "ci__status");
    assert_eq!(entry.volatile_fields, ["at"]);
    assert_eq!(entry.ladder.nudge, Some(Rung::at(9)));
}

#[test]
fn rules_that_report_the_same_calls_in_place_of_another_are_named() {
    let change = Change {
        tool: "status".into(),
        kind: Kind::Ladder(raise(&Ladder::new(3, 5, 8), 9)),
    };
    let effect = |instead: &[RuleName]| Effect {
        instead: instead.iter().copied().collect(),
        ..Effect::default()
    };
    let why = why_not(None, &[(change.clone(), effect(&[]))]);
    assert_eq!(why, Why::NoEffect(Vec::new()));
    let tried = [
        (change.clone(), effect(&[RuleName::CallBurst])),
        (change, effect(&[RuleName::CallBurst, RuleName::Stagnation])),
    ];
    let Why::NoEffect(mut instead) = why_not(None, &tried) else {
        panic!("no change has an effect");
    };
    instead.sort_by_key(|rule| rule.as_str());
    assert_eq!(instead, [RuleName::CallBurst, RuleName::Stagnation]);
}

/// A run that makes one call again and again, each time with the same answer, and then maybe goes on.
fn run(session: usize, (tool, repeats, goes_on): (u8, u8, bool)) -> String {
    let mut calls: Vec<_> = (0..repeats)
        .map(|_| (format!("tool{tool}"), json!({"n": 1}), "nothing yet"))
        .collect();
    for name in ["write", "send", "close"].into_iter().filter(|_| goes_on) {
        calls.push((name.to_owned(), json!({ "name": name }), "done"));
    }
    let mut text = String::new();
    for (id, (tool, args, output)) in calls.into_iter().enumerate() {
        let session = session.to_string();
        for event in [
            json!({"event": "call", "session": session, "id": id, "tool": tool, "args": args}),
            json!({"event": "result", "session": session, "id": id, "output": output}),
        ] {
            text += &event.to_string();
            text.push('\n');
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What a proposal claims is what a replay with it shows.
    #[test]
    fn a_proposal_keeps_its_promise(
        runs in prop::collection::vec((0..2_u8, 2..24_u8, prop::bool::weighted(0.8)), 4..20),
        healthy in 0..4_usize,
    ) {
        let text: String = runs.iter().enumerate().map(|(at, one)| run(at, *one)).collect();
        let recordings = Recordings::of_texts(&[("runs.jsonl", text)]);
        let settings = Settings::of(Preset::Standard);
        let healthy = Healthy::new(&[healthy.to_string()]);
        let before = collect(&recordings, &settings, &healthy);
        let proposals = propose(&before, &recordings, &settings, &healthy);
        let sets = proposals.ranked.iter().map(|one| (vec![one.entry.clone()], one.effect.clone()));
        let together = (proposals.entries.clone(), proposals.together);
        for (entries, effect) in sets.chain([together]) {
            let after = collect(&recordings, &changed(&settings, &entries), &healthy);
            let (was, is) = (before.totals.endings, after.totals.endings);
            prop_assert_eq!(
                is.unneeded(),
                was.unneeded() - effect.removed.unneeded() + effect.added.unneeded()
            );
            prop_assert_eq!(
                is.needed(),
                was.needed() - effect.removed.needed() + effect.added.needed()
            );
            prop_assert!(effect.score() > 0 || entries.is_empty());
            prop_assert!(effect.is_enough() || entries.is_empty());
        }
    }
}
