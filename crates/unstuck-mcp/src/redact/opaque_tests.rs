use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn words_without_signs_are_counted_alike_both_ways(word in "[A-Za-z0-9]{0,200}") {
        let word = word.as_bytes();
        prop_assert_eq!(changes_between_neighbours(word), changes(word));
    }
}
