use super::*;

#[test]
fn the_option_checks_and_builds_nothing() {
    let parse = |words: &[&str]| {
        Options::parse(Args::new(
            words.iter().map(|word| (*word).to_owned()).collect(),
        ))
    };
    assert_eq!(parse(&[]).unwrap(), Options::Build);
    assert_eq!(parse(&["--check"]).unwrap(), Options::Check);
    assert!(parse(&["--fast"]).is_err());
    assert!(parse(&["docs"]).is_err());
}
