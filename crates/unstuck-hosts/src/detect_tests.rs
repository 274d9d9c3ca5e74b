use super::*;
use crate::codec::tests::hooks;

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

/// Only what tells of calls is unmistakable for hosts that are so alike.
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
