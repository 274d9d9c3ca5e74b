use std::env;

use unstuck_hosts::encode_allow;
use unstuck_session::StateDir;

use super::*;

#[test]
fn a_panic_is_answered_and_logged() {
    let directory = env::temp_dir().join(format!("unstuck-shield-{}", std::process::id()));
    let log = Log::of(&StateDir::at(&directory));
    let allow = || encode_allow(Host::GeminiCli);
    let output = run(
        &log,
        Host::GeminiCli,
        || panic!("the roof is on fire"),
        allow,
    );
    let _ = panic::take_hook();
    assert_eq!(output, encode_allow(Host::GeminiCli));
    let logged = std::fs::read_to_string(log.path()).unwrap();
    assert!(logged.contains("the roof is on fire"), "{logged}");
    std::fs::remove_dir_all(directory).unwrap();
}
