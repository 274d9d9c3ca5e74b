//! What only people may do.

use std::env;

use anyhow::{Result, bail};

/// Variables that agents set for the commands they run.
const AGENTS: [(&str, &str); 12] = [
    ("CLAUDECODE", "Claude Code"),
    ("CODEX_CI", "Codex CLI"),
    ("CODEX_SANDBOX", "Codex CLI"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "Codex CLI"),
    ("COPILOT_CLI", "GitHub Copilot CLI"),
    ("CRUSH", "Crush"),
    ("CURSOR_AGENT", "Cursor"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("GOOSE_TERMINAL", "Goose"),
    ("OPENCODE", "OpenCode"),
    ("OPENHANDS", "OpenHands"),
    ("QWEN_CODE", "Qwen Code"),
];

/// An agent that is denied a call could otherwise lift that by itself: the text of the denial names the command.
pub(crate) fn ensure() -> Result<()> {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if let Some((variable, agent)) = AGENTS.iter().find(|(variable, _)| set(variable)) {
        bail!(
            "this is for a person to decide, and {variable} says that {agent} runs this command; run it in a terminal of your own"
        );
    }
    Ok(())
}
