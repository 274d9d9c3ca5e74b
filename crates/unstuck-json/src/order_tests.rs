use proptest::prelude::{Strategy, prop_oneof};

use super::*;
use crate::Json;

/// Keys of which many share long beginnings, with every kind of escape, in their canonical spelling.
fn keys() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        "a{1,9}",
        "[\u{0}\n\"\\\\b-d]{1,2}",
        "[\u{e9}\u{ffff}\u{10000}]",
    ];
    let key = proptest::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat());
    let key = key.prop_map(|key| Json::string(&format!("aaaaaaaa{key}")).as_str().to_owned());
    proptest::collection::vec(key, 0..200)
}

fn members(keys: &[String]) -> (Vec<Member>, String) {
    let mut out = String::new();
    let mut members = Vec::new();
    for key in keys {
        let start = out.len();
        out.push_str(key);
        let key_end = out.len();
        out.push_str(":0");
        members.push(Member::new(out.as_bytes(), start, key_end));
        out.push(',');
    }
    (members, out)
}

proptest::proptest! {
    #[test]
    fn many_members_are_sorted_as_few_are(keys in keys()) {
        let (mut many, out) = members(&keys);
        let mut few = many.clone();
        sort_few(&mut few, out.as_bytes());
        let starts = |members: &[Member]| members.iter().map(|member| member.start).collect::<Vec<_>>();
        sort(&mut many, out.as_bytes());
        proptest::prop_assert_eq!(starts(&many), starts(&few));
        let (mut by_parts, _) = members(&keys);
        sort_by_parts(&mut by_parts, out.as_bytes());
        proptest::prop_assert_eq!(starts(&by_parts), starts(&few));
    }
}

#[test]
fn a_key_that_ends_sorts_before_one_that_goes_on_with_a_zero() {
    let keys = [
        r#""aaaaaaaa\u0000\u0000""#,
        r#""aaaaaaaa\u0000""#,
        r#""aaaaaaaa""#,
    ];
    let (mut sorted, out) = members(&keys.map(str::to_owned));
    sort_by_parts(&mut sorted, out.as_bytes());
    let sorted: Vec<usize> = sorted
        .iter()
        .map(|member| member.key(out.as_bytes()).len())
        .collect();
    assert_eq!(sorted, [8, 14, 20]);
}
