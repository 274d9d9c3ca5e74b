use super::*;

#[test]
fn the_option_checks_and_builds_nothing() {
    let parse = crate::parsed::<Options>;
    assert!(!parse(&[]).unwrap().check);
    assert!(parse(&["--check"]).unwrap().check);
    assert!(parse(&["--fast"]).is_err());
    assert!(parse(&["docs"]).is_err());
}
