use unstuck_json::Json;

use super::*;

#[test]
fn names_are_ordered_by_length_and_found() {
    for pair in ARGUMENTS.windows(2) {
        let key = |row: &Argument| (row.name.len(), row.name);
        assert!(key(&pair[0]) < key(&pair[1]), "{}", pair[1].name);
    }
    for row in &ARGUMENTS {
        assert_eq!(Argument::named(row.name).name, row.name);
    }
    assert_eq!(Argument::named("no_such_name").roles, 0);
    assert_eq!(Argument::named("").roles, 0);
}

#[test]
fn ranks_of_a_role_are_told_apart() {
    for role in 0..ArgumentRole::COUNT {
        let mut ranks: Vec<_> = ARGUMENTS
            .iter()
            .map(|row| row.ranks[role])
            .filter(|rank| *rank > 0)
            .collect();
        ranks.sort_unstable();
        let expected: Vec<_> = (1..=ranks.len() as u8).collect();
        assert_eq!(ranks, expected);
    }
}

#[test]
fn the_most_telling_name_plays_the_role() {
    let json = Json::parse(
        r#"{"file":"b","path":"a","text":1,"old_str":"c","new_str":"d","old_string":"e"}"#,
    )
    .expect("it is JSON");
    let members: Vec<_> = json
        .view()
        .members()
        .map(|(name, value)| Member::new(name, value))
        .collect();
    let roles = Roles::of(&members);
    let text = |role| {
        members
            .get(roles.place(role))
            .map(|member| member.value.as_str())
    };
    assert_eq!(text(Path), Some("\"a\""));
    assert_eq!(text(Content), Some("1"));
    // A message is a text.
    assert_eq!(text(Message), None);
    assert_eq!(roles.common_rank(OldText, NewText), Some(2));
    assert_eq!(roles.count(OldText), 2);
}
