use super::*;

#[test]
fn paths_become_uris() {
    assert_eq!(uri("/a b/c.jsonl"), "file:///a%20b/c.jsonl");
    assert_eq!(uri("runs/é:1.jsonl"), "runs/%C3%A9%3A1.jsonl");
    assert_eq!(uri(r"C:\runs\a.jsonl"), "file:///C:/runs/a.jsonl");
}

#[test]
fn nothing_in_a_text_is_a_placeholder_or_a_link() {
    assert_eq!(
        text(r"{0} [click](https://example.com) a\b"),
        r"{{0}} \[click\](https://example.com) a\\b"
    );
}

#[test]
fn a_fingerprint_does_not_change_when_the_loop_grows() {
    let run = Run::default();
    let young = Loop {
        rule: "cycle".to_owned(),
        repeats: 3,
        to: 20,
        pattern: vec!["a".to_owned(), "b".to_owned()],
        ..Loop::default()
    };
    let old = Loop {
        repeats: 9,
        to: 70,
        ..young.clone()
    };
    let other = Loop {
        pattern: vec!["ab".to_owned()],
        ..young.clone()
    };
    assert_eq!(fingerprint(&run, &young, 0), fingerprint(&run, &old, 0));
    assert_ne!(fingerprint(&run, &young, 0), fingerprint(&run, &other, 0));
    assert_ne!(fingerprint(&run, &young, 0), fingerprint(&run, &young, 1));
}
