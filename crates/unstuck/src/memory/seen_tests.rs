use proptest::prelude::*;

use super::*;
use crate::options::nonzero;

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Marks above 99 stand for a commit, a rollback, or being stored and read back.
    #[test]
    fn remembers_the_last_distinct_marks(capacity in 1..9_u32, marks in proptest::collection::vec(0..130_u64, 0..200)) {
        let mut seen = Seen::new(NonZeroU32::new(capacity).unwrap(), Key::default());
        let mut naive: Vec<u64> = Vec::new();
        let mut committed = naive.clone();
        for mark in marks {
            match mark {
                100..110 => { seen.commit(); committed = naive.clone(); }
                110..120 => { seen.rollback(); naive = committed.clone(); }
                120.. => {
                    let bytes = postcard::to_allocvec(&seen).unwrap();
                    seen = postcard::from_bytes(&bytes).unwrap();
                    seen.fit(&Seen::new(NonZeroU32::new(capacity).unwrap(), Key::new([7; 16]))).unwrap();
                }
                mark => {
                    let mark = mark % 14;
                    seen.insert(Mark(mark));
                    if !naive.contains(&mark) {
                        naive.push(mark);
                        if naive.len() > capacity as usize { naive.remove(0); }
                    }
                }
            }
            for mark in 0..14 {
                prop_assert_eq!(seen.contains(Mark(mark)), naive.contains(&mark));
            }
        }
    }
}

#[test]
fn a_smaller_bound_keeps_the_newest() {
    let mut seen = Seen::new(nonzero!(4), Key::default());
    for mark in 0..6 {
        seen.insert(Mark(mark));
    }
    seen.fit(&Seen::new(nonzero!(2), Key::default())).unwrap();
    let held: Vec<u64> = (0..6).filter(|mark| seen.contains(Mark(*mark))).collect();
    assert_eq!(held, [4, 5]);
}
