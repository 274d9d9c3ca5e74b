use proptest::prelude::*;

use super::*;
use crate::options::nonzero;

/// The same map, written as simply as possible: newest last, copied whole at a commit.
#[derive(Clone, Default)]
struct Naive {
    entries: Vec<(u64, u32)>,
    capacity: usize,
}

impl Naive {
    fn write(&mut self, mark: u64, value: u32) {
        let old = self.entries.iter().position(|(known, _)| *known == mark);
        let value = match old {
            Some(at) => self.entries.remove(at).1.wrapping_add(value),
            None => value,
        };
        if self.entries.len() == self.capacity {
            self.entries.remove(0);
        }
        self.entries.push((mark, value));
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Write(u64, u32),
    Update(u64, u32),
    Commit,
    Rollback,
    Store,
    Clear,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        12 => (0..12_u64, any::<u32>()).prop_map(|(mark, value)| Operation::Write(mark, value)),
        4 => (0..12_u64, any::<u32>()).prop_map(|(mark, value)| Operation::Update(mark, value)),
        2 => Just(Operation::Commit),
        2 => Just(Operation::Rollback),
        1 => Just(Operation::Store),
        1 => Just(Operation::Clear),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn behaves_like_a_naive_map(capacity in 1..9_u32, operations in proptest::collection::vec(operation(), 0..120)) {
        let mut recent: Recent<u32> = Recent::new(NonZeroU32::new(capacity).unwrap(), Key::default());
        let mut naive = Naive { capacity: capacity as usize, ..Naive::default() };
        let mut committed = naive.clone();
        for operation in operations {
            match operation {
                Operation::Write(mark, value) => {
                    let mut made = false;
                    let slot = recent.entry(Mark(mark), || { made = true; value });
                    if !made { *slot = slot.wrapping_add(value); }
                    naive.write(mark, value);
                }
                Operation::Update(mark, value) => {
                    recent.update(Mark(mark), |slot| *slot = value);
                    if let Some(entry) = naive.entries.iter_mut().find(|(known, _)| *known == mark) {
                        entry.1 = value;
                    }
                }
                Operation::Commit => { recent.commit(); committed = naive.clone(); }
                Operation::Rollback => { recent.rollback(); naive = committed.clone(); }
                Operation::Store => {
                    let bytes = postcard::to_allocvec(&recent).unwrap();
                    recent = postcard::from_bytes(&bytes).unwrap();
                    recent.fit(&Recent::new(NonZeroU32::new(capacity).unwrap(), Key::new([7; 16]))).unwrap();
                }
                Operation::Clear => {
                    recent.clear();
                    naive.entries.clear();
                    committed = naive.clone();
                }
            }
            let held: Vec<(u64, u32)> = recent.iter().map(|(mark, value)| (mark.0, *value)).collect();
            let expected: Vec<(u64, u32)> = naive.entries.iter().rev().copied().collect();
            prop_assert_eq!(held, expected);
            for mark in 0..12 {
                let expected = naive.entries.iter().find(|(known, _)| *known == mark).map(|(_, value)| value);
                prop_assert_eq!(recent.get(Mark(mark)), expected);
            }
        }
    }
}

#[test]
fn a_smaller_bound_keeps_the_newest() {
    let mut recent: Recent<u32> = Recent::new(nonzero!(8), Key::default());
    for mark in 0..6 {
        recent.entry(Mark(mark), || mark as u32);
    }
    recent
        .fit(&Recent::new(nonzero!(2), Key::default()))
        .unwrap();
    let held: Vec<u64> = recent.iter().map(|(mark, _)| mark.0).collect();
    assert_eq!(held, [5, 4]);
}

#[test]
fn stored_links_that_lead_nowhere_are_refused() {
    let mut recent: Recent<u32> = Recent::new(nonzero!(4), Key::default());
    recent.entry(Mark(1), || 1);
    recent.entry(Mark(2), || 2);
    let whole = postcard::to_allocvec(&recent).unwrap();
    let broken = (0..whole.len()).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x5a;
        bytes
    });
    for bytes in broken {
        // Refused or read: either way it can be used without a panic.
        if let Ok(mut read) = postcard::from_bytes::<Recent<u32>>(&bytes)
            && read.fit(&Recent::new(nonzero!(4), Key::default())).is_ok()
        {
            read.entry(Mark(9), || 9);
            read.rollback();
            assert!(read.iter().count() <= 8);
        }
    }
}

#[test]
fn a_tracked_call_takes_128_bytes_at_the_most() {
    // Every call has an entry by its exact and one by its coarse identity, and the index two places for each.
    let entry = size_of::<Entry<crate::state::CallStreak>>() + 2 * size_of::<u32>();
    assert!(2 * entry <= 128, "{entry}");
}
