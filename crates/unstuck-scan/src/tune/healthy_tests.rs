use super::Healthy;

#[test]
fn a_run_is_named_by_file_directory_or_session() {
    let covers = |pattern: &str, file: &str, session: &str| {
        Healthy::new(&[pattern.to_owned()]).covers(file, session)
    };
    assert!(covers("runs/a.jsonl", "runs/a.jsonl", "s"));
    assert!(covers("runs/*.jsonl", "runs/a.jsonl", "s"));
    assert!(covers("runs/good", "runs/good/deep/a.jsonl", "s"));
    assert!(covers("runs/good/", "runs/good/a.jsonl", "s"));
    assert!(covers("nightly-?", "runs/a.jsonl", "nightly-1"));
    assert!(!covers("runs/goo", "runs/good/a.jsonl", "s"));
    assert!(!covers("", "/runs/a.jsonl", "s"));
    assert!(!covers("night", "runs/a.jsonl", "nightly"));
    assert!(!Healthy::default().covers("runs/a.jsonl", "s"));
}
