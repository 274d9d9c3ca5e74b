//! The agents, one file each.

mod claude_code;
mod codex;
mod copilot_cli;
mod gemini_cli;
mod opencode;
mod qwen_code;

use super::agent::Agent;

pub(crate) const ALL: [&dyn Agent; 6] = [
    &claude_code::ClaudeCode,
    &codex::Codex,
    &gemini_cli::GeminiCli,
    &qwen_code::QwenCode,
    &opencode::OpenCode,
    &copilot_cli::CopilotCli,
];
