use super::*;

#[test]
fn every_host_is_found_by_its_name() {
    for host in Host::ALL {
        assert_eq!(host.name().parse(), Ok(host));
    }
}

#[test]
fn an_unknown_name_is_told_the_known_ones() {
    let error = "claude".parse::<Host>().unwrap_err().to_string();
    assert!(
        error.contains("`claude`") && error.contains("claude-code, codex"),
        "{error}"
    );
}
