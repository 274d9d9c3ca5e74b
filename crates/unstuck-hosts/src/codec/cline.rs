//! Cline. A file hook cannot skip one call: to cancel it is to end the run.

use serde_json::json;
use unstuck::{Status, Verdict};

use super::{Codec, Environment, family};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct Cline;

const HOST: Host = Host::Cline;

impl Codec for Cline {
    fn events(&self) -> &'static [&'static str] {
        &["UserPromptSubmit", "PreToolUse", "PostToolUse"]
    }

    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        _: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let name = family::event_name(payload, "hookName", event);
        let mut hook = family::base(HOST, payload, &name);
        hook.session = family::session(payload, "taskId");
        // The agent of the task itself has an id of its own, too; only sub-agents have a parent.
        if !payload.has("parent_agent_id") {
            hook.agent = "main".into();
        }
        hook.directory = payload
            .get("workspaceRoots")
            .and_then(|roots| Some(roots.elements().next()?.text()?.into_owned().into()));
        (hook.moment, hook.happened) = match &*name {
            "tool_call" | "PreToolUse" => (
                Moment::BeforeCall,
                Happened::Call(call(payload, "tool_call", "preToolUse")?),
            ),
            "tool_result" | "PostToolUse" => {
                let made = call(payload, "tool_result", "postToolUse")?;
                (Moment::AfterCall, Happened::Result(made, returned(payload)))
            }
            "prompt_submit" | "UserPromptSubmit" => (Moment::Prompt, Happened::UserSpoke),
            _ => (Moment::Other, Happened::Nothing),
        };
        Ok(hook)
    }

    /// What a hook says after a call is not waited for; words go in with the next call.
    fn tells(&self, moment: Moment) -> bool {
        moment == Moment::BeforeCall
    }

    fn denies(&self) -> bool {
        false
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let text = &*answer.text;
        Output::json(&match (answer.verdict, hook.moment) {
            (Verdict::Halt, Moment::BeforeCall) => json!({ "cancel": true, "errorMessage": text }),
            (_, Moment::BeforeCall) => json!({ "cancel": false, "contextModification": text }),
            _ => json!({ "cancel": false }),
        })
    }

    fn allow(&self) -> Output {
        Output::json(&json!({ "cancel": false }))
    }
}

/// The newer form has an id, the older one does not.
fn call(payload: &Payload<'_>, newer: &str, older: &str) -> Result<CallMade, DecodeError> {
    if let Some(call) = payload.object(newer)
        && let Some(tool) = call.boxed("name")
    {
        return Ok(CallMade::new(
            call.id("id"),
            tool.clone(),
            family::arguments(&tool, call.args("input")),
        ));
    }
    let missing = DecodeError::Missing {
        host: HOST,
        field: "toolName",
    };
    let call = payload.object(older).ok_or(missing.clone())?;
    let tool = call.boxed("toolName").ok_or(missing)?;
    let args = family::arguments(&tool, call.args("parameters"));
    Ok(CallMade::new(None, tool, args))
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let Some(result) = payload.object("postToolUse") else {
        return CallEnded::ok(payload.json("tool_result"));
    };
    let success = result
        .get("success")
        .and_then(unstuck_json::JsonRef::boolean);
    let status = if success == Some(false) {
        Status::Error
    } else {
        Status::Ok
    };
    CallEnded::new(status, result.json("result"))
}
