use super::*;
use crate::{
    codec::tests::{fixtures, hooks, lines},
    payload::parse,
};

/// Cursor and Copilot CLI run hooks that were registered for Claude Code; so may any host that reads its files.
#[test]
fn hooks_of_another_host_are_recognised() {
    for (host, fixture) in [
        (Host::Cursor, "cursor"),
        (Host::CopilotCli, "copilot-cli"),
        (Host::Cline, "cline"),
        (Host::Crush, "crush"),
        (Host::Goose, "goose"),
        (Host::OpenHands, "openhands"),
    ] {
        for named in [Host::ClaudeCode, Host::Codex, Host::GeminiCli] {
            for hook in hooks(named, fixture) {
                assert_eq!(hook.host, host, "{fixture}: {}", hook.name);
            }
        }
    }
}

/// Only inputs about calls distinguish hosts that are so alike.
#[test]
fn calls_of_the_closest_relatives_are_told_apart() {
    use crate::hook::Moment;
    for (host, fixture) in [
        (Host::ClaudeCode, "claude-code"),
        (Host::Codex, "codex"),
        (Host::GeminiCli, "gemini-cli"),
        (Host::QwenCode, "qwen-code"),
    ] {
        for named in [
            Host::ClaudeCode,
            Host::Codex,
            Host::CopilotCli,
            Host::QwenCode,
        ] {
            for hook in hooks(named, fixture) {
                if matches!(hook.moment, Moment::BeforeCall | Moment::AfterCall) {
                    assert_eq!(hook.host, host, "{fixture} as {named}: {}", hook.name);
                }
            }
        }
    }
}

/// Then the order in which hosts are listed does not decide.
#[test]
fn no_input_is_recognised_by_two_hosts_with_the_same_certainty() {
    for (_, fixture) in fixtures() {
        let crush = |name: &str| (name == "CRUSH" && fixture == "crush").then(|| "1".to_owned());
        for line in lines(&fixture) {
            let json = parse(line.as_bytes(), &[0; 32]).unwrap();
            let payload = Payload::of(json.view());
            let sure = |host: Host| (host.spec().hooks.recognises)(&payload, &crush);
            let most = Host::ALL.map(sure).into_iter().max().unwrap();
            let hosts = Host::ALL.into_iter().filter(|host| sure(*host) == most);
            assert!(
                most == Recognition::Unknown || hosts.count() == 1,
                "{fixture}: {line}"
            );
        }
    }
}
