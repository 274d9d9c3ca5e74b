use super::*;

#[test]
fn hosts_are_named_or_all() {
    assert_eq!(select(&[]).unwrap().len(), known::ALL.len());
    assert_eq!(select(&["codex".to_owned()]).unwrap().len(), 1);
    let error = select(&["cursor".to_owned()]).err().unwrap().to_string();
    assert!(
        error.contains("`cursor`") && error.contains("claude-code"),
        "{error}"
    );
}

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    options: Options,
}

#[test]
fn options_are_read() {
    let parse = |words: &[&str]| {
        let words = ["e2e"].iter().chain(words);
        <Line as clap::Parser>::try_parse_from(words).map(|line| line.options)
    };
    let hooks = Options {
        hosts: vec!["codex".to_owned()],
        write_docs: true,
        ..Options::default()
    };
    assert_eq!(parse(&["codex", "--write-docs"]).unwrap(), hooks);
    let proxy = Options {
        keep: true,
        mcp: true,
        ..Options::default()
    };
    assert_eq!(parse(&["--mcp", "--keep"]).unwrap(), proxy);
    assert!(parse(&["--what"]).is_err());
}
