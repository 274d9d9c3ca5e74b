use super::*;

fn parents(pairs: &[(&str, Option<&str>)]) -> BTreeMap<String, Option<String>> {
    let owned = |(session, parent): &(&str, Option<&str>)| {
        ((*session).to_owned(), parent.map(ToOwned::to_owned))
    };
    pairs.iter().map(owned).collect()
}

#[test]
fn sessions_belong_to_the_top_of_their_parents() {
    let parents = parents(&[
        ("a", Some("b")),
        ("b", Some("top")),
        ("gone-child", Some("gone")),
        ("top", None),
        // A circle, and a session that leads into it.
        ("x", Some("z")),
        ("y", Some("x")),
        ("z", Some("y")),
        ("w", Some("z")),
        ("self", Some("self")),
    ]);
    let roots = roots(&parents);
    let of = |session: &str| roots.get(session).copied();
    assert_eq!([of("a"), of("b"), of("top")], [Some("top"); 3]);
    assert_eq!(of("gone-child"), Some("gone"));
    assert_eq!([of("w"), of("x"), of("y"), of("z")], [Some("x"); 4]);
    assert_eq!(of("self"), Some("self"));
}

/// A walk from each session to the top would take 20,000,000,000 steps here.
#[test]
fn a_long_chain_of_parents_is_walked_once() {
    let name = |number: u32| format!("{number:06}");
    let parents = (0..200_000)
        .map(|number| (name(number), Some(name(number + 1))))
        .collect();
    let roots = roots(&parents);
    assert_eq!(roots["000000"], "200000");
    assert_eq!(roots["199999"], "200000");
}
