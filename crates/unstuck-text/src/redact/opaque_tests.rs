use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn words_without_signs_are_counted_alike_both_ways(word in "[A-Za-z0-9]{0,200}") {
        let word = word.as_bytes();
        prop_assert_eq!(changes_between_neighbours(word), changes(word));
    }

    #[test]
    fn bytes_are_counted_in_blocks_as_they_are_one_by_one(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let one_by_one = bytes.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
        prop_assert_eq!(count(&bytes, u8::is_ascii_hexdigit), one_by_one);
    }
}

/// What [`may_hold_random`] asks, of counts that are taken one by one.
fn may_plainly_hold_random(word: &[u8]) -> bool {
    let looks = Looks::of(word);
    looks.runs >= 3
        || looks.upper > 0 && looks.lower > 0 && looks.digits > 0
        || looks.upper >= 6 && looks.lower >= 6
        || count(word, u8::is_ascii_hexdigit) >= 24 && looks.digits > 0
}

proptest! {
    #[test]
    fn words_that_may_hold_random_parts_are_told_alike_both_ways(word in "([a-f]{0,9}|[A-Z]?|[0-9]{0,2}|[_./-]){0,12}") {
        prop_assert_eq!(may_hold_random(word.as_bytes()), may_plainly_hold_random(word.as_bytes()));
    }
}
