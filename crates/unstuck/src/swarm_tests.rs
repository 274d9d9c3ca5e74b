use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// Tallies as a map keeps them.
#[derive(Default)]
struct Model(BTreeMap<Worker, u64>);

impl Model {
    fn add(&mut self, worker: Worker, calls: u64) {
        let known = self.0.len() < Tally::MAX_WORKERS || self.0.contains_key(&worker);
        let slot = if known {
            worker
        } else {
            *self.0.keys().next_back().unwrap()
        };
        let count = self.0.entry(slot).or_default();
        *count = count.saturating_add(calls);
    }
}

proptest! {
    #[test]
    fn a_tally_counts_as_a_map_does(calls in prop::collection::vec((0_u64..90, 0_u64..4), 0..300)) {
        let (mut tally, mut model) = (Tally::default(), Model::default());
        for (worker, calls) in calls {
            tally.add(Worker(worker), calls);
            model.add(Worker(worker), calls);
        }
        prop_assert_eq!(tally.workers(), model.0.len());
        prop_assert_eq!(tally.calls(), model.0.values().sum::<u64>());
        prop_assert_eq!(tally.by_worker().collect::<BTreeMap<_, _>>(), model.0.clone());
        let written = serde_json::to_string(&tally).unwrap();
        prop_assert_eq!(&written, &serde_json::to_string(&model.0).unwrap());
        prop_assert_eq!(serde_json::from_str::<Tally>(&written).unwrap(), tally);
    }
}

#[test]
fn a_tally_of_one_worker_takes_three_words() {
    assert_eq!(size_of::<Tally>(), 24);
}

#[test]
fn a_stored_tally_with_too_many_workers_is_cut_to_the_bound() {
    let counts: BTreeMap<u64, u64> = (0..200).map(|worker| (worker, 1)).collect();
    let tally: Tally = serde_json::from_str(&serde_json::to_string(&counts).unwrap()).unwrap();
    assert_eq!((tally.workers(), tally.calls()), (Tally::MAX_WORKERS, 200));
}
