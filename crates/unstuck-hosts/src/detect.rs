//! Who really called: some hosts run the hooks that were registered for another one.

use crate::{codec::Environment, host::Host, payload::Payload};

/// Events that only Gemini CLI has.
const GEMINI_EVENTS: [&str; 8] = [
    "AfterAgent",
    "AfterModel",
    "AfterTool",
    "BeforeAgent",
    "BeforeModel",
    "BeforeTool",
    "BeforeToolSelection",
    "PreCompress",
];

/// The host whose payload this is. What could be several hosts' is left to the name that was registered.
pub(crate) fn detect(payload: &Payload<'_>, named: Host, environment: Environment<'_>) -> Host {
    // Its plugin is ours, and so is what it sends.
    if named == Host::OpenCode {
        return named;
    }
    let event = payload.text("hook_event_name").unwrap_or_default();
    let mode = payload.text("permission_mode").unwrap_or_default();
    let has = |name| payload.has(name);
    if has("cursor_version") || (has("conversation_id") && has("generation_id")) {
        Host::Cursor
    } else if has("clineVersion") || (has("hookName") && has("taskId")) {
        Host::Cline
    } else if has("matcher_context") && has("event") {
        Host::Goose
    } else if has("event_type") {
        Host::OpenHands
    } else if has("event") && has("cwd") && environment("CRUSH").is_some() {
        Host::Crush
    } else if has("sessionId") && (has("toolName") || payload.stamp("timestamp").is_some()) {
        Host::CopilotCli
    } else if GEMINI_EVENTS.contains(&&*event) {
        Host::GeminiCli
    } else if !event.is_empty() && has("turn_id") && has("model") {
        Host::Codex
    } else if has("tool_call_id") || matches!(&*mode, "yolo" | "auto_edit") {
        Host::QwenCode
    } else if !event.is_empty()
        && has("timestamp")
        && (!has("transcript_path") || has("stop_reason"))
    {
        Host::CopilotCli
    } else if has("tool_use_id") && has("transcript_path") && !has("timestamp") {
        Host::ClaudeCode
    } else {
        named
    }
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
