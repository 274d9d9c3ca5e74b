use super::*;

#[test]
fn the_last_line_says_what_came_of_it() {
    let passed = "note\n{\"adapter\":\"mcp\",\"outcome\":\"passed\",\"tests\":12}\n";
    assert_eq!(shown(passed).unwrap(), Shown::Passed(12));
    let missing = r#"{"outcome":"not-installed","why":"no such version"}"#;
    assert!(matches!(shown(missing).unwrap(), Shown::NotInstalled(_)));
    for bad in [r#"{"outcome":"failed","tests":3}"#, "Error: no npm", ""] {
        assert!(shown(bad).is_err(), "{bad}");
    }
}
