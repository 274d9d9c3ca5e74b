//! Gemini CLI. Its hooks name no call.

use serde_json::json;
use unstuck::{Json, Status, Verdict};

use super::{Codec, Environment, family, report};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct GeminiCli;

const HOST: Host = Host::GeminiCli;

impl Codec for GeminiCli {
    fn events(&self) -> &'static [&'static str] {
        &[
            "SessionStart",
            "BeforeAgent",
            "BeforeTool",
            "AfterTool",
            "AfterAgent",
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
        (hook.moment, hook.happened) = match &*name {
            "BeforeTool" => (
                Moment::BeforeCall,
                Happened::Call(family::call(HOST, payload, None)?),
            ),
            "AfterTool" => (
                Moment::AfterCall,
                Happened::Result(family::call(HOST, payload, None)?, returned(payload)),
            ),
            "BeforeAgent" => (Moment::Prompt, Happened::UserSpoke),
            "AfterAgent" => family::said(payload, "prompt_response"),
            "PreCompress" => (Moment::Other, Happened::Compacted),
            _ => family::around_calls(&name, payload),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        matches!(moment, Moment::AfterCall | Moment::Prompt)
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let text = &*answer.text;
        Output::json(&match (answer.verdict, hook.moment) {
            (Verdict::Halt, Moment::BeforeCall | Moment::AfterCall) => {
                json!({ "continue": false, "stopReason": text, "systemMessage": text })
            }
            (Verdict::Deny, Moment::BeforeCall) => {
                json!({ "decision": "deny", "reason": text, "systemMessage": text })
            }
            (Verdict::Halt, _) => json!({ "systemMessage": text }),
            _ => json!({
                "hookSpecificOutput": { "hookEventName": hook.name, "additionalContext": text },
            }),
        })
    }

    fn allow(&self) -> Output {
        Output::json(&json!({}))
    }
}

/// What the model is shown, and the error that the host adds where it was one.
fn returned(payload: &Payload<'_>) -> CallEnded {
    let Some(response) = payload.object("tool_response") else {
        return CallEnded::ok(payload.json("tool_response"));
    };
    let shown = response.json("llmContent");
    if let Some(error) = response.object("error") {
        let message = error.text("message").map(|message| Json::string(&message));
        return CallEnded::new(Status::Error, message.or(shown));
    }
    let text = response.text("llmContent").unwrap_or_default();
    match report::labelled(&text) {
        Some(report) => CallEnded::ok(Some(report.output)).exited(report.exit_code),
        None => CallEnded::ok(shown),
    }
}
