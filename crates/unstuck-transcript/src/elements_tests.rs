use super::{End, Raw};

fn root(text: &str) -> Raw<'_> {
    Raw::first(text).expect("there is a value").0
}

fn elements(text: &str) -> Vec<(&str, End)> {
    root(text)
        .elements()
        .map(|raw| (raw.text, raw.end))
        .collect()
}

fn members(text: &str) -> Vec<(String, &str, End)> {
    root(text)
        .members()
        .map(|(key, raw)| (key.into_owned(), raw.text, raw.end))
        .collect()
}

#[test]
fn elements_and_members_are_given_as_they_stand() {
    assert_eq!(
        elements(r#" [ 1 , {"a": [2]}, "x,]" ,null] "#),
        [
            ("1", End::Whole),
            (r#"{"a": [2]}"#, End::Whole),
            (r#""x,]""#, End::Whole),
            ("null", End::Whole),
        ]
    );
    assert_eq!(
        members(r#"{"a":1,"b\n" : {"c":2} }"#),
        [
            ("a".to_owned(), "1", End::Whole),
            ("b\n".to_owned(), r#"{"c":2}"#, End::Whole),
        ]
    );
    assert_eq!(elements("[]"), []);
    assert_eq!(members("{}"), []);
    assert_eq!(elements("{}"), []);
}

#[test]
fn what_stands_before_a_cut_is_given() {
    let text = r#"{"a":[1,2],"b":[{"c":1},{"d":2},{"e":"#;
    assert_eq!(root(text).end, End::Cut);
    let (name, list, end) = members(text).remove(1);
    assert_eq!((&*name, end), ("b", End::Cut));
    assert_eq!(
        elements(list),
        [
            (r#"{"c":1}"#, End::Whole),
            (r#"{"d":2}"#, End::Whole),
            (r#"{"e":"#, End::Cut),
        ]
    );
    assert_eq!(elements("[1,"), [("1", End::Whole)]);
    assert_eq!(members(r#"{"a":1,"b":"#).len(), 1);
    assert_eq!(members(r#"{"a":1,"b"#).len(), 1);
}

#[test]
fn what_stands_before_a_break_is_given() {
    let text = r#"[1,{"a" 2},3]"#;
    assert_eq!(root(text).end, End::Broken);
    assert_eq!(
        elements(text),
        [("1", End::Whole), (r#"{"a" 2},3]"#, End::Broken)]
    );
    assert_eq!(elements("[,1]"), []);
    assert_eq!(elements("[1 2]"), [("1", End::Whole)]);
}

#[test]
fn values_follow_each_other() {
    let (first, rest) = Raw::first(" {\"a\":1}\n[2]\n").expect("a value");
    assert_eq!(first.text, r#"{"a":1}"#);
    let (second, rest) = Raw::first(rest).expect("another one");
    assert_eq!(second.text, "[2]");
    assert!(Raw::first(rest).is_none());
}

#[test]
fn strings_are_decoded() {
    assert_eq!(root(r#""a\tb""#).string().as_deref(), Some("a\tb"));
    assert_eq!(root(r#""ab""#).string().as_deref(), Some("ab"));
    assert_eq!(root("1").string(), None);
}

#[test]
fn what_is_nested_too_deeply_loses_only_itself() {
    let deep = format!("{}\"]\"{}", "[".repeat(200), "]".repeat(200));
    let text = format!("[1,{deep},2]");
    assert_eq!(
        elements(&text),
        [("1", End::Whole), (&*deep, End::Deep), ("2", End::Whole)]
    );
    let cut = format!("[1,{}", &deep[..300]);
    assert_eq!(
        elements(&cut),
        [("1", End::Whole), (&deep[..300], End::Cut)]
    );
}

#[test]
fn halves_of_surrogate_pairs_become_replacement_characters() {
    let text = r#"["\ud83d"]"#;
    let element = root(text).elements().next().expect("an element");
    assert_eq!(element.string().as_deref(), Some("\u{fffd}"));
    assert_eq!(element.json().expect("JSON").as_str(), "\"\u{fffd}\"");
}
