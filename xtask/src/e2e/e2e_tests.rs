use super::*;

#[test]
fn hosts_are_named_or_all() {
    assert_eq!(select(&[]).unwrap().len(), agents::ALL.len());
    assert_eq!(select(&["codex".to_owned()]).unwrap().len(), 1);
    let error = select(&["cursor".to_owned()]).err().unwrap().to_string();
    assert!(
        error.contains("`cursor`") && error.contains("claude-code"),
        "{error}"
    );
}

#[test]
fn options_are_read() {
    let words = ["codex", "--write-docs"].map(str::to_owned).to_vec();
    assert_eq!(
        Options::parse(Args::new(words)).unwrap(),
        Options {
            hosts: vec!["codex".to_owned()],
            write_docs: true,
            ..Options::default()
        }
    );
    let words = vec!["--mcp".to_owned(), "--keep".to_owned()];
    assert_eq!(
        Options::parse(Args::new(words)).unwrap(),
        Options {
            keep: true,
            guarded: Guarded::ByProxy,
            ..Options::default()
        }
    );
    assert!(Options::parse(Args::new(vec!["--what".to_owned()])).is_err());
}
