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
fn keys_decide_on_places_alone() {
    let (one, other) = (Key::new([1; 16]), Key::new([2; 16]));
    assert_eq!(one.place(7), Key::new([1; 16]).place(7));
    assert_ne!(one.place(7), other.place(7));
    assert_ne!(one.place_of_names("a", "bc"), one.place_of_names("ab", "c"));
    assert!(!format!("{one:?}").contains('1'));
}
