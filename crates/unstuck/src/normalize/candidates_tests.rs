use proptest::prelude::*;

use super::*;

fn all(bytes: &[u8]) -> Vec<usize> {
    let mut candidates = Candidates::new(bytes);
    let mut found = Vec::new();
    let mut at = candidates.next(0);
    while at < bytes.len() {
        found.push(at);
        at = candidates.next(at + 1);
    }
    found
}

fn one_by_one(bytes: &[u8]) -> Vec<usize> {
    let next = |at: usize| bytes.get(at + 1).copied().unwrap_or_default();
    (0..bytes.len())
        .filter(|at| may_begin(bytes[*at], next(*at)))
        .collect()
}

#[test]
fn pairs_are_seen_over_the_edge_of_a_block() {
    for edge in [LANES, BLOCK, 3 * BLOCK] {
        let mut text = vec![b'.'; 4 * BLOCK];
        text[edge - 1..=edge].copy_from_slice(b"\\u");
        assert_eq!(all(&text), [edge - 1]);
    }
}

#[test]
fn all_that_may_begin_something_is_found() {
    for pair in [r"\u", r"\r", "[u", "/t", "/v", "\":", "0.", "9."] {
        assert_eq!(all(format!(".{pair}.").as_bytes()), [1], "{pair}");
    }
    for pair in [r"\t", r"\n", "[a", "/a", "\",", "ab", ": ", "/."] {
        assert_eq!(all(format!(".{pair}.").as_bytes()), [0; 0], "{pair}");
    }
}

proptest! {
    #[test]
    fn blocks_find_what_a_look_at_each_byte_finds(text in r#"[a-d09/tv\\ur":\[ ]{0,300}"#) {
        prop_assert_eq!(all(text.as_bytes()), one_by_one(text.as_bytes()));
    }

    #[test]
    fn what_was_passed_is_not_found(text in "[a-d09 ]{0,300}", steps in prop::collection::vec(1_usize..90, 1..20)) {
        let bytes = text.as_bytes();
        let mut candidates = Candidates::new(bytes);
        let mut at = 0;
        for step in steps {
            let expected = one_by_one(bytes).into_iter().find(|found| *found >= at);
            let found = candidates.next(at);
            prop_assert_eq!(found, expected.unwrap_or(bytes.len()));
            at = found + step;
        }
    }
}
