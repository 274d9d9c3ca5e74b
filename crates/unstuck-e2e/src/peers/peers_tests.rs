use super::*;

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    options: Options,
}

#[test]
fn options_are_read() {
    let parse = |words: &[&str]| {
        let words = ["mcp-peers"].iter().chain(words);
        <Line as clap::Parser>::try_parse_from(words).map(|line| line.options)
    };
    let options = parse(&["--http", "--only", "ts-1", "--no-install"]).unwrap();
    let expected = Options {
        http: true,
        only: Some("ts-1".to_owned()),
        binary: None,
        no_install: true,
    };
    assert_eq!(options, expected);
    assert!(parse(&["everything"]).is_err());
}

#[test]
fn no_two_pairs_share_a_directory() {
    let mut names: Vec<_> = over_stdio()
        .into_iter()
        .chain(over_http())
        .map(Pair::name)
        .collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
}
