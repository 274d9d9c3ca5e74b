use super::*;

fn names(recent: &Recent<u32>) -> Vec<&str> {
    recent.iter().map(|(name, _)| name).collect()
}

#[test]
fn values_are_found_again_and_ordered_by_their_last_use() {
    let mut recent = Recent::new(3);
    for name in ["a", "b", "a"] {
        *recent.entry(name) += 1;
    }
    assert_eq!(recent.iter().collect::<Vec<_>>(), [("a", &2), ("b", &1)]);
    assert_eq!(recent.get("b"), Some(&1));
    assert_eq!(recent.get("c"), None);
}

#[test]
fn a_full_map_forgets_what_was_used_longest_ago() {
    let mut recent = Recent::new(2);
    for name in ["a", "b", "a", "c"] {
        *recent.entry(name) += 1;
    }
    assert_eq!(names(&recent), ["c", "a"]);
    assert_eq!((recent.len(), recent.order.len()), (2, 2));
}

#[test]
fn a_cleared_map_is_empty() {
    let mut recent = Recent::new(2);
    *recent.entry("a") += 1;
    recent.clear();
    assert_eq!((recent.len(), names(&recent).len()), (0, 0));
    assert_eq!(*recent.entry("a"), 0);
}
