use super::*;

#[test]
fn members_are_seen_by_their_paths() {
    let glance =
        Glance::of(br#"{"type":"a","message":{"role":"b","parts":[{"text":"c"},{"x":1}]},"n":1}"#);
    assert_eq!(glance.text("type"), Some("a"));
    assert_eq!(glance.text("message.role"), Some("b"));
    assert!(glance.has_all(&["message.parts", "message.parts.0", "n"]));
    assert!(glance.says("type", &["x", "a"]));
    assert!(!glance.has("x"));
    assert_eq!(glance.text("n"), None);
}

#[test]
fn what_is_cut_off_shows_what_came_before() {
    let glance = Glance::of(br#"{"type":"a","message":{"role":"b","con"#);
    assert!(glance.has_all(&["type", "message", "message.role"]));
}

#[test]
fn a_head_has_its_first_value_and_its_lines() {
    let head = Head::new(b"\xef\xbb\xbf\r\n{\n \"a\": 1\n}\n");
    assert!(head.first.has("a"));
    assert_eq!(head.lines.len(), 1);
    let head = Head::new(b"{\"a\":1}\n\n{\"b\":1}\r\nnoise\n{\"c\":");
    assert!(head.any_line(|line| line.has("b")));
    assert!(head.any_line(|line| line.has("c")));
    assert!(!head.any_line(|line| line.has("d")));
}
