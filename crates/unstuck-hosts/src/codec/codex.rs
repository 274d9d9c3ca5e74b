//! Codex CLI. Its output schema is strict: one unknown field, and the whole answer is void.

use serde_json::json;
use unstuck::{Status, Verdict, settings::Attendance};

use super::{Codec, Environment, family};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct Codex;

const HOST: Host = Host::Codex;

impl Codec for Codex {
    fn events(&self) -> &'static [&'static str] {
        &[
            "SessionStart",
            "UserPromptSubmit",
            "PreModelRequest",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
            "PreCompact",
            "Stop",
            "SubagentStop",
        ]
    }

    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        _: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let name = family::event_name(payload, "hook_event_name", event);
        let id = payload.id("tool_use_id");
        let mut hook = family::base(HOST, payload, &name);
        let mode = payload.text("permission_mode");
        hook.attendance = matches!(mode.as_deref(), Some("bypassPermissions" | "dontAsk"))
            .then_some(Attendance::Unattended);
        (hook.moment, hook.happened) = match &*name {
            "PreToolUse" => (
                Moment::BeforeCall,
                Happened::Call(family::call(HOST, payload, id)?),
            ),
            "PostToolUse" => (
                Moment::AfterCall,
                Happened::Result(family::call(HOST, payload, id)?, returned(payload)),
            ),
            "PermissionRequest" => (
                Moment::Permission,
                Happened::Asked(family::call(HOST, payload, id)?),
            ),
            "PreModelRequest" => (Moment::ModelRequest, Happened::RoundOver),
            _ => family::around_calls(&name, payload),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        matches!(
            moment,
            Moment::BeforeCall | Moment::AfterCall | Moment::Prompt
        )
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let specific = match (answer.verdict, hook.moment) {
            (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => json!({
                "hookEventName": hook.name,
                "permissionDecision": "deny",
                "permissionDecisionReason": answer.text,
            }),
            // The turn cannot be stopped from a hook; further calls are denied.
            (_, Moment::BeforeCall | Moment::AfterCall | Moment::Prompt) => json!({
                "hookEventName": hook.name,
                "additionalContext": answer.text,
            }),
            _ => return Output::silent(),
        };
        Output::json(&json!({ "hookSpecificOutput": specific }))
    }
}

/// A command's exit code is nowhere in the input; what an MCP server calls an error is.
fn returned(payload: &Payload<'_>) -> CallEnded {
    let output = payload.json("tool_response");
    let error = payload
        .object("tool_response")
        .is_some_and(|response| response.flag("isError"));
    let status = if error { Status::Error } else { Status::Ok };
    CallEnded::new(status, output)
}
