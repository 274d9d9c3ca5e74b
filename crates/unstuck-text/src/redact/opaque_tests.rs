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
