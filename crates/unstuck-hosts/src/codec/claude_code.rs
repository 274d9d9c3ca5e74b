//! Claude Code.

use serde_json::{Map, Value, json};
use unstuck::{Json, Status, Verdict, settings::Attendance};

use super::{Codec, Environment, family, report};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct ClaudeCode;

const HOST: Host = Host::ClaudeCode;

impl Codec for ClaudeCode {
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
        environment: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let name = family::event_name(payload, "hook_event_name", event);
        let id = payload.id("tool_use_id");
        let mut hook = family::base(HOST, payload, &name);
        hook.attendance = attendance(payload, environment);
        (hook.moment, hook.happened) = match &*name {
            "PreToolUse" => (
                Moment::BeforeCall,
                Happened::Call(family::call(HOST, payload, id)?),
            ),
            "PostToolUse" => (
                Moment::AfterCall,
                Happened::Result(family::call(HOST, payload, id)?, returned(payload)),
            ),
            "PostToolUseFailure" => (
                Moment::AfterFailure,
                Happened::Result(family::call(HOST, payload, id)?, failed(payload)),
            ),
            "PostToolBatch" => (Moment::AfterBatch, Happened::Batch(batch(payload))),
            // The harness wakes itself up by prompts, too.
            "UserPromptSubmit"
                if !matches!(
                    payload.text("source").as_deref(),
                    None | Some("user" | "sdk")
                ) =>
            {
                (Moment::Continuation, Happened::GoesOn)
            }
            _ => family::around_calls(&name, payload),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        matches!(
            moment,
            Moment::BeforeCall
                | Moment::AfterCall
                | Moment::AfterFailure
                | Moment::AfterBatch
                | Moment::Prompt
                | Moment::SessionStart
        )
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let text = &*answer.text;
        let in_run = matches!(
            hook.moment,
            Moment::BeforeCall | Moment::AfterCall | Moment::AfterFailure | Moment::AfterBatch
        );
        // Outside of a run the words are for the person; the model is not asked again.
        if answer.verdict == Verdict::Halt && !in_run {
            return Output::json(&json!({ "systemMessage": text }));
        }
        let mut specific = Map::from_iter([("hookEventName".to_owned(), json!(hook.name))]);
        let mut whole = Map::new();
        match (answer.verdict, hook.moment) {
            (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => {
                specific.insert("permissionDecision".into(), json!("deny"));
                specific.insert("permissionDecisionReason".into(), json!(text));
                whole.insert("systemMessage".into(), json!(text));
            }
            _ => {
                specific.insert("additionalContext".into(), json!(text));
            }
        }
        // Alone, `continue: false` lets the call run; together with the denial nothing runs and the turn ends.
        if answer.verdict == Verdict::Halt {
            whole.insert("continue".into(), json!(false));
            whole.insert("stopReason".into(), json!(text));
        }
        whole.insert("hookSpecificOutput".into(), Value::Object(specific));
        Output::json(&Value::Object(whole))
    }
}

/// An interactive terminal is watched as long as it asks for permissions; what is started by a program is not.
fn attendance(payload: &Payload<'_>, environment: Environment<'_>) -> Option<Attendance> {
    let mode = payload.text("permission_mode");
    let nobody_is_asked = matches!(mode.as_deref(), Some("bypassPermissions" | "dontAsk"));
    match family::variable(environment, "CLAUDE_CODE_ENTRYPOINT").as_deref() {
        _ if nobody_is_asked => Some(Attendance::Unattended),
        Some("cli") => Some(Attendance::Attended),
        Some(program) if program.starts_with("sdk") => Some(Attendance::Unattended),
        _ => None,
    }
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let output = payload.json("tool_response");
    let interrupted = payload
        .object("tool_response")
        .is_some_and(|response| response.flag("interrupted"));
    if interrupted {
        CallEnded::new(Status::Cancelled, output)
    } else {
        CallEnded::ok(output)
    }
}

fn failed(payload: &Payload<'_>) -> CallEnded {
    let error = payload.text("error").unwrap_or_default();
    let status = if payload.flag("is_interrupt") {
        Status::Cancelled
    } else {
        Status::Error
    };
    CallEnded::new(status, Some(Json::string(&error))).exited(report::leading(&error))
}

fn batch(payload: &Payload<'_>) -> Vec<(CallMade, CallEnded)> {
    let calls = payload.get("tool_calls").into_iter();
    calls
        .flat_map(unstuck_json::JsonRef::elements)
        .filter_map(|entry| {
            let entry = Payload::of(entry);
            let call = family::call(HOST, &entry, entry.id("tool_use_id")).ok()?;
            Some((call, told(&entry)))
        })
        .collect()
}

/// What the model was shown, which has to tell how the call ended.
fn told(entry: &Payload<'_>) -> CallEnded {
    let output = entry.json("tool_response");
    let text = entry.text("tool_response").unwrap_or_default();
    let refused = text.starts_with("PreToolUse:") || text.starts_with("The user doesn't want to");
    let status = if refused {
        Status::Denied
    } else if text.starts_with("<tool_use_error>") || report::leading(&text).is_some() {
        Status::Error
    } else {
        Status::Ok
    };
    CallEnded::new(status, output).exited(report::leading(&text))
}
