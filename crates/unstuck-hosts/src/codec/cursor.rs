//! Cursor.

use serde_json::json;
use unstuck::{Json, Status, Verdict};
use unstuck_json::JsonRef;

use super::{Codec, Environment, family};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct Cursor;

const HOST: Host = Host::Cursor;

impl Codec for Cursor {
    fn events(&self) -> &'static [&'static str] {
        &[
            "beforeSubmitPrompt",
            "preToolUse",
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
        let name = family::event_name(payload, "hook_event_name", event);
        let id = payload.id("tool_use_id");
        let mut hook = family::base(HOST, payload, &name);
        hook.session = payload
            .id("conversation_id")
            .unwrap_or_else(|| family::session(payload, "session_id"));
        hook.directory = hook.directory.or_else(|| {
            let roots = payload.get("workspace_roots")?;
            Some(roots.elements().next()?.text()?.into_owned().into())
        });
        (hook.moment, hook.happened) = match &*name {
            "preToolUse" | "PreToolUse" => (
                Moment::BeforeCall,
                Happened::Call(family::call(HOST, payload, id)?),
            ),
            "postToolUse" | "PostToolUse" => (
                Moment::AfterCall,
                Happened::Result(family::call(HOST, payload, id)?, returned(payload)),
            ),
            "postToolUseFailure" | "PostToolUseFailure" => (
                Moment::AfterFailure,
                Happened::Result(family::call(HOST, payload, id)?, failed(payload)),
            ),
            "beforeSubmitPrompt" | "UserPromptSubmit" => (Moment::Prompt, Happened::UserSpoke),
            _ => (Moment::Other, Happened::Nothing),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        moment == Moment::AfterCall
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let text = &*answer.text;
        match (answer.verdict, hook.moment) {
            (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => Output::json(&json!({
                "permission": "deny",
                "user_message": text,
                "agent_message": text,
            })),
            (_, Moment::AfterCall) => Output::json(&json!({ "additional_context": text })),
            _ => self.allow(),
        }
    }

    /// An explicit `allow` would speak for the person who is to be asked.
    fn allow(&self) -> Output {
        Output::json(&json!({}))
    }
}

/// The result comes as the text of a JSON document.
fn returned(payload: &Payload<'_>) -> CallEnded {
    let given = payload
        .json("tool_output")
        .or_else(|| payload.json("tool_response"));
    let inside = given
        .as_ref()
        .and_then(|output| Json::parse(&output.view().text()?).ok());
    let output = inside.or(given);
    let exit = output
        .as_ref()
        .and_then(|output| output.view().get("exitCode"))
        .and_then(JsonRef::integer);
    CallEnded::ok(output).exited(exit)
}

fn failed(payload: &Payload<'_>) -> CallEnded {
    let status = match payload.text("failure_type").as_deref() {
        _ if payload.flag("is_interrupt") => Status::Cancelled,
        Some("permission_denied") => Status::Denied,
        _ => Status::Error,
    };
    CallEnded::new(status, payload.json("error_message"))
}
