use super::*;

fn parse(words: &[&str]) -> Result<Options> {
    Options::parse(Args::new(words.iter().map(ToString::to_string).collect()))
}

#[test]
fn options_are_read() {
    let options = parse(&["--http", "--only", "ts-1", "--no-install"]).unwrap();
    assert!(options.http);
    assert_eq!(options.only.as_deref(), Some("ts-1"));
    assert_eq!(options.install, Install::Never);
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
