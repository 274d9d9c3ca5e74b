use super::*;

#[test]
fn values_are_found_where_they_stand() {
    let text = r#" { "a" : [1, {"b":"x\"]"} ,3], "c":{"d":"e"} }"#;
    let found = at(text, whole(text), &["a"]).map(|span| &text[span]);
    assert_eq!(found, Some(r#"[1, {"b":"x\"]"} ,3]"#));
    let found = at(text, whole(text), &["c", "d"]).map(|span| &text[span]);
    assert_eq!(found, Some(r#""e""#));
    let list = at(text, whole(text), &["a"]).unwrap_or_default();
    let found: Vec<_> = elements(text, list)
        .into_iter()
        .map(|span| &text[span])
        .collect();
    assert_eq!(found, ["1", r#"{"b":"x\"]"}"#, "3"]);
    assert_eq!(at(text, whole(text), &["a", "b"]), None);
}

#[test]
fn a_text_that_breaks_off_has_the_members_before() {
    let text = r#"{"a":1,"b":[1,2"#;
    let names: Vec<_> = members(text, whole(text))
        .into_iter()
        .map(|member| member.name)
        .collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn edits_leave_everything_else_as_it_is() {
    let mut edits = Edits::default();
    edits.replace(4..4, "++".to_owned());
    edits.replace(1..2, String::new());
    assert_eq!(edits.apply(b"abcdef"), b"acd++ef");
}
