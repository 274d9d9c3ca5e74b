//! Qwen Code: Claude Code's events with Gemini CLI's results, and one way of its own to stop.

use serde_json::json;
use unstuck::{Json, Status, Verdict, settings::Attendance};

use super::{Codec, Environment, family, report};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct QwenCode;

const HOST: Host = Host::QwenCode;

impl Codec for QwenCode {
    fn events(&self) -> &'static [&'static str] {
        &[
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "PostToolBatch",
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
        let mut hook = family::base(HOST, payload, &name);
        let mode = payload.text("permission_mode");
        hook.attendance = (mode.as_deref() == Some("yolo")).then_some(Attendance::Unattended);
        (hook.moment, hook.happened) = match &*name {
            "PreToolUse" => (
                Moment::BeforeCall,
                Happened::Call(family::call(HOST, payload, id(payload))?),
            ),
            "PostToolUse" => (
                Moment::AfterCall,
                Happened::Result(family::call(HOST, payload, id(payload))?, returned(payload)),
            ),
            "PostToolUseFailure" => (
                Moment::AfterFailure,
                Happened::Result(family::call(HOST, payload, id(payload))?, failed(payload)),
            ),
            "PostToolBatch" => (Moment::AfterBatch, Happened::Batch(batch(payload))),
            // It fires before every continuation, too, and then nobody has said anything.
            "UserPromptSubmit" if payload.text("prompt").unwrap_or_default().is_empty() => {
                (Moment::Continuation, Happened::GoesOn)
            }
            _ => family::around_calls(&name, payload),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        matches!(
            moment,
            Moment::AfterCall | Moment::AfterFailure | Moment::AfterBatch | Moment::Prompt
        )
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let text = &*answer.text;
        Output::json(&match (answer.verdict, hook.moment) {
            (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => json!({
                "hookSpecificOutput": {
                    "hookEventName": hook.name,
                    "permissionDecision": "deny",
                    "permissionDecisionReason": text,
                },
            }),
            // The only place where this host lets a hook end the run.
            (Verdict::Halt, Moment::Continuation) => {
                json!({ "decision": "block", "reason": text })
            }
            // Words at the end of a turn would make it go on.
            (_, Moment::Continuation | Moment::Stop | Moment::SessionStart | Moment::Other) => {
                json!({})
            }
            _ => json!({
                "hookSpecificOutput": { "hookEventName": hook.name, "additionalContext": text },
            }),
        })
    }

    fn allow(&self) -> Output {
        Output::json(&json!({}))
    }
}

/// The provider's id: `tool_use_id` is another one in `PostToolBatch` than before.
fn id(payload: &Payload<'_>) -> Option<Box<str>> {
    payload
        .id("tool_call_id")
        .or_else(|| payload.id("tool_use_id"))
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let Some(response) = payload.object("tool_response") else {
        return CallEnded::ok(payload.json("tool_response"));
    };
    let text = response.text("llmContent").unwrap_or_default();
    match report::labelled(&text) {
        Some(report) => CallEnded::ok(Some(report.output)).exited(report.exit_code),
        None => CallEnded::ok(response.json("llmContent")),
    }
}

fn failed(payload: &Payload<'_>) -> CallEnded {
    let status = if payload.flag("is_interrupt") {
        Status::Cancelled
    } else {
        Status::Error
    };
    complaint(status, &payload.text("error").unwrap_or_default())
}

fn complaint(status: Status, error: &str) -> CallEnded {
    match report::labelled(error) {
        Some(report) => CallEnded::new(status, Some(report.output)).exited(report.exit_code),
        None => CallEnded::new(status, Some(Json::string(error))),
    }
}

fn batch(payload: &Payload<'_>) -> Vec<(CallMade, CallEnded)> {
    let calls = payload.get("tool_calls").into_iter();
    calls
        .flat_map(unstuck_json::JsonRef::elements)
        .filter_map(|entry| {
            let entry = Payload::of(entry);
            let call = family::call(HOST, &entry, id(&entry)).ok()?;
            let response = entry.object("tool_response");
            let ended = match (response, entry.text("status").as_deref()) {
                (Some(response), Some("error")) => {
                    let denied = response.text("error_type").as_deref() == Some("execution_denied");
                    let status = if denied {
                        Status::Denied
                    } else {
                        Status::Error
                    };
                    complaint(status, &response.text("error").unwrap_or_default())
                }
                (Some(response), _) => CallEnded::ok(response.json("response_parts")),
                (None, _) => CallEnded::ok(entry.json("tool_response")),
            };
            Some((call, ended))
        })
        .collect()
}
