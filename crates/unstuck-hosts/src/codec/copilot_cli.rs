//! GitHub Copilot CLI. Events come in two spellings, name no call, and a failing `preToolUse` denies it: every answer
//! but one ends with exit code 0.

use serde_json::json;
use unstuck::{Json, Status, Verdict};

use super::{Codec, Environment, family, report};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct CopilotCli;

const HOST: Host = Host::CopilotCli;

impl Codec for CopilotCli {
    fn events(&self) -> &'static [&'static str] {
        &[
            "sessionStart",
            "userPromptSubmitted",
            "preToolUse",
            "permissionRequest",
            "postToolUse",
            "postToolUseFailure",
        ]
    }

    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        _: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let named = payload
            .boxed("hook_event_name")
            .or_else(|| payload.boxed("hookName"));
        // The payload of the camel-case events does not say which event it is.
        let name = named
            .or_else(|| event.map(Into::into))
            .unwrap_or_else(|| guess(payload).into());
        let mut hook = family::base(HOST, payload, &name);
        if !payload.has("session_id") {
            hook.session = family::session(payload, "sessionId");
        }
        (hook.moment, hook.happened) = match &*name {
            "preToolUse" | "PreToolUse" => (Moment::BeforeCall, Happened::Call(call(payload)?)),
            "permissionRequest" | "PermissionRequest" => {
                (Moment::Permission, Happened::Asked(call(payload)?))
            }
            "postToolUse" | "PostToolUse" => (
                Moment::AfterCall,
                Happened::Result(call(payload)?, returned(payload)),
            ),
            "postToolUseFailure" | "PostToolUseFailure" => {
                let error = Json::string(&payload.text("error").unwrap_or_default());
                let ended = CallEnded::new(Status::Error, Some(error));
                (
                    Moment::AfterFailure,
                    Happened::Result(call(payload)?, ended),
                )
            }
            "userPromptSubmitted" | "UserPromptSubmit" => (Moment::Prompt, Happened::UserSpoke),
            "agentStop" | "Stop" => (Moment::Stop, Happened::Said("".into())),
            "sessionStart" | "SessionStart" => (
                Moment::SessionStart,
                family::started(payload.text("source").as_deref()),
            ),
            _ => (Moment::Other, Happened::Nothing),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        matches!(moment, Moment::AfterCall | Moment::AfterFailure)
    }

    fn stops_when_asked(&self) -> bool {
        true
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let text = &*answer.text;
        match (answer.verdict, hook.moment) {
            (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => Output::json(&json!({
                "permissionDecision": "deny",
                "permissionDecisionReason": text,
            })),
            (Verdict::Halt, Moment::Permission) => Output::json(&json!({
                "behavior": "deny",
                "message": text,
                "interrupt": true,
            })),
            (_, Moment::AfterCall) => Output::json(&json!({ "additionalContext": text })),
            // Here, and only here, this exit code is how words reach the model; it denies nothing.
            (_, Moment::AfterFailure) => Output {
                stdout: text.to_owned(),
                exit_code: 2,
            },
            _ => Output::silent(),
        }
    }
}

fn call(payload: &Payload<'_>) -> Result<CallMade, DecodeError> {
    let (tool, args) = if payload.has("tool_name") {
        (
            family::needed(HOST, payload, "tool_name")?,
            payload.args("tool_input"),
        )
    } else {
        let given = if payload.has("toolArgs") {
            "toolArgs"
        } else {
            "toolInput"
        };
        (
            family::needed(HOST, payload, "toolName")?,
            payload.args(given),
        )
    };
    let tool = native(&tool);
    let args = family::arguments(&tool, args);
    Ok(CallMade::new(None, tool, args))
}

/// One name for a tool, whichever way the event is spelled.
fn native(tool: &str) -> String {
    match tool {
        "Bash" => "bash".into(),
        "Read" => "view".into(),
        "Write" => "create".into(),
        "Edit" => "edit".into(),
        "Glob" => "glob".into(),
        "Grep" => "grep".into(),
        // An MCP tool is `server/tool` where permission is asked, and `server-tool` elsewhere.
        _ => tool.replace('/', "-"),
    }
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let native = payload.object("toolResult");
    let (result, kind, text) = match &native {
        Some(result) => (Some(result), "resultType", "textResultForLlm"),
        None => (None, "result_type", "text_result_for_llm"),
    };
    let pascal = payload.object("tool_result");
    let Some(result) = result.or(pascal.as_ref()) else {
        return CallEnded::ok(None);
    };
    let status = match result.text(kind).as_deref() {
        Some("failure" | "error") => Status::Error,
        Some("rejected" | "denied") => Status::Denied,
        _ => Status::Ok,
    };
    let said = result.text(text).unwrap_or_default();
    match report::trailing(&said) {
        Some(report) => CallEnded::new(status, Some(report.output)).exited(report.exit_code),
        None => CallEnded::new(status, result.json(text)),
    }
}

/// The event of a payload that does not say it.
fn guess(payload: &Payload<'_>) -> &'static str {
    if payload.has("toolResult") || payload.has("tool_result") {
        "postToolUse"
    } else if payload.has("toolName") && payload.has("error") {
        "postToolUseFailure"
    } else if payload.has("toolName") {
        "preToolUse"
    } else if payload.has("prompt") {
        "userPromptSubmitted"
    } else {
        ""
    }
}
