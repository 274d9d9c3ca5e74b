use super::*;

#[test]
fn tags_are_those_of_fnv_1a() {
    assert_eq!(Tag::of(*b""), Tag::EMPTY);
    assert_eq!(Tag::of(*b"a"), Tag(0xaf63_dc4c_8601_ec8c));
    assert_eq!(Tag::of(*b"foobar"), Tag(0x8594_4171_f739_67e8));
    assert_eq!(Tag::of(*b"foo").and("bar".chars()), Tag::of(*b"foobar"));
    let short = "foobar".chars().fold(SHORT_EMPTY, add_short);
    assert_eq!(short, 0xbf9c_f968);
}

#[test]
fn texts_that_differ_anywhere_have_other_hashes() {
    let key = *blake3::hash(b"key").as_bytes();
    let text: Vec<u8> = (1..=100).collect();
    let mut hashes: Vec<_> = (0..=text.len())
        .map(|end| keyed(&key, &text[..end]))
        .collect();
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut other = text.clone();
            other[at] ^= 1 << bit;
            hashes.push(keyed(&key, &other));
        }
    }
    // Zeros at the end are not what fills the last block.
    hashes.extend((0..40).map(|zeros| keyed(&key, &vec![0; zeros][..])));
    hashes.push(keyed(&[8; 32], &text));
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    // The empty text was hashed twice.
    assert_eq!(hashes.len(), all - 1);
}

#[test]
fn keys_decide_on_places_alone() {
    let (one, other) = (Key::new([1; 16]), Key::new([2; 16]));
    assert_eq!(one.place(7), Key::new([1; 16]).place(7));
    assert_ne!(one.place(7), other.place(7));
    assert_ne!(one.place_of_names("a", "bc"), one.place_of_names("ab", "c"));
    assert!(!format!("{one:?}").contains('1'));
}

#[test]
fn a_product_by_halves_is_the_product() {
    let edges = [
        0,
        1,
        2,
        u64::from(u32::MAX),
        1 << 32,
        GOLDEN,
        u64::MAX - 1,
        u64::MAX,
    ];
    for one in edges {
        for other in edges {
            let product = u128::from(one) * u128::from(other);
            let halves = (product as u64, (product >> 64) as u64);
            assert_eq!(product_by_halves(one, other), halves, "{one} {other}");
        }
    }
}
