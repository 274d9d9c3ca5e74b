use proptest::prelude::*;

use super::*;
use crate::{
    event::{Call, Timestamp},
    facts::{Extractor, Needs},
    options::IdentitySettings,
    state::Overlap,
};
use unstuck_json::Json;

/// A call with this mark, made in this line.
fn call(exact: u64, line: Line) -> MadeCall {
    let extractor = Extractor::new("", &IdentitySettings::STANDARD, Needs::NOTHING);
    let call = Call::new("", "t", Json::empty_object());
    let (mut facts, _) = extractor.call(&extractor.view(&call), None);
    facts.exact = Mark(exact);
    MadeCall {
        facts,
        at: Timestamp::default(),
        line,
        round: 0,
        overlap: Overlap::Alone,
        near_overlap: Overlap::Alone,
        lost: false,
    }
}

/// The longest run of period `p` at the end of the items, found the slow way.
fn naive_run(items: &[u64], period: usize) -> u32 {
    let mut run = 0;
    while items.len() > period + run
        && items[items.len() - 1 - run] == items[items.len() - 1 - run - period]
    {
        run += 1;
    }
    run as u32
}

fn naive_pattern(items: &[u64], longest: usize) -> Option<(u32, u32)> {
    (1..=longest.min(items.len()))
        .map(|period| (period as u32, naive_run(items, period)))
        .find(|(period, run)| run >= period)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laps_are_exact(longest in 1..=16_u32, items in proptest::collection::vec(0..3_u64, 0..140)) {
        let mut runs = Runs::default();
        for end in 0..items.len() {
            let item = items[end];
            let foreseen = runs.with(Mark(item)).filter(|pattern| pattern.period <= longest);
            let found = runs.push(Mark(item), &call(item, end as u32 + 1), longest.try_into().unwrap());
            prop_assert_eq!(foreseen, found);
            let expected = naive_pattern(&items[..=end], longest as usize);
            // A period is only seen once a whole lap of it is in the ring.
            prop_assert_eq!(found.map(|pattern| (pattern.period, pattern.run)), expected);
        }
    }

    #[test]
    fn rotations_are_one_pattern_and_reversals_are_not(turn in 0..3_usize) {
        let lap = [1, 2, 3];
        let key = |lap: &[u64]| {
            let mut runs = Runs::default();
            let mut last = None;
            for item in lap.iter().cycle().take(lap.len() * 2) {
                last = runs.push(Mark(*item), &call(*item, 1), Bounded::of::<16>());
            }
            last.map(|pattern| pattern.key)
        };
        let mut turned = lap;
        turned.rotate_left(turn);
        prop_assert_eq!(key(&lap), key(&turned));
        turned.reverse();
        prop_assert_ne!(key(&lap), key(&turned));
    }
}
