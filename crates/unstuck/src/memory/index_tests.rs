use super::*;
use crate::hash::Tag;

const ITEMS: usize = 500;

/// How many places are looked at to find any one of the marks, at the most.
fn longest_search(key: Key, marks: &[u64]) -> usize {
    let mut index = Index::new(key);
    for (item, mark) in marks.iter().enumerate() {
        index.insert(*mark, item as u32, |item| marks[item as usize]);
    }
    let looked_at = |(item, mark): (usize, &u64)| {
        let looked_at = std::cell::Cell::new(0);
        let found = index.find(*mark, |other| {
            looked_at.set(looked_at.get() + 1);
            other == item as u32
        });
        assert_eq!(found, Some(item as u32));
        looked_at.get()
    };
    marks.iter().enumerate().map(looked_at).max().unwrap_or(0)
}

/// Marks that one key leads to one place of a table for so many items.
fn colliding_under(key: Key) -> Vec<u64> {
    let place = |mark: &u64| key.place(*mark) & 1_023;
    (0..).filter(|mark| place(mark) == 7).take(ITEMS).collect()
}

#[test]
fn marks_that_were_chosen_to_collide_do_so_under_one_key_only() {
    let known = Key::new([0; 16]);
    let chosen = colliding_under(known);
    assert_eq!(longest_search(known, &chosen), ITEMS);
    for byte in 1..=40 {
        let longest = longest_search(Key::new([byte; 16]), &chosen);
        assert!(longest <= 40, "{byte}: {longest}");
    }
}

/// Numbers that do not fit in two bytes are kept in four, together with those that were there before.
#[test]
fn items_of_any_number_are_found_and_removed() {
    let items = [0, 7, 65_534, 65_535, 65_536, u32::MAX - 1];
    let mut index = Index::new(Key::new([3; 16]));
    for (at, item) in items.into_iter().enumerate() {
        index.insert(item.into(), item, u64::from);
        for known in &items[..=at] {
            assert_eq!(
                index.find((*known).into(), |other| other == *known),
                Some(*known)
            );
        }
    }
    for item in items {
        index.remove(item.into(), item, u64::from);
        assert_eq!(index.find(item.into(), |other| other == item), None);
    }
}

#[test]
fn marks_with_a_pattern_spread_under_any_key() {
    let series = |step: u64| (0..ITEMS as u64).map(|n| n.wrapping_mul(step)).collect();
    let mut all: Vec<Vec<u64>> = [
        1,
        1 << 10,
        1 << 32,
        1 << 52,
        (1 << 32) + 1,
        0x0100_0000_01b3,
    ]
    .map(series)
    .into();
    // The halves of each are equal, which once led them all to place 0.
    all.push((1..=ITEMS as u64).map(|n| n << 32 | n).collect());
    all.push(
        (0..ITEMS)
            .map(|n| Tag::of(format!("src/{n}.rs").bytes()).0)
            .collect(),
    );
    for (at, marks) in all.iter().enumerate() {
        for byte in 0..40 {
            let longest = longest_search(Key::new([byte; 16]), marks);
            assert!(longest <= 40, "{at}, {byte}: {longest}");
        }
    }
}
