//! `OpenHands`.

use serde_json::json;
use unstuck::{Status, Verdict};
use unstuck_json::JsonRef;

use super::{Codec, Environment, family};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct OpenHands;

const HOST: Host = Host::OpenHands;

impl Codec for OpenHands {
    fn events(&self) -> &'static [&'static str] {
        &["user_prompt_submit", "pre_tool_use", "post_tool_use"]
    }

    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        _: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let name = family::event_name(payload, "event_type", event);
        let mut hook = family::base(HOST, payload, &name);
        hook.directory = payload.boxed("working_dir");
        // The configuration names events in snake case, the payload in Pascal case.
        (hook.moment, hook.happened) = match &*name {
            "PreToolUse" | "pre_tool_use" => (
                Moment::BeforeCall,
                Happened::Call(family::call(HOST, payload, None)?),
            ),
            "PostToolUse" | "post_tool_use" => (
                Moment::AfterCall,
                Happened::Result(family::call(HOST, payload, None)?, returned(payload)),
            ),
            "UserPromptSubmit" | "user_prompt_submit" => (Moment::Prompt, Happened::UserSpoke),
            _ => (Moment::Other, Happened::Nothing),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        matches!(moment, Moment::AfterCall | Moment::Prompt)
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        let text = &*answer.text;
        match (answer.verdict, hook.moment) {
            (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => {
                Output::json(&json!({ "decision": "deny", "reason": text }))
            }
            (_, Moment::AfterCall | Moment::Prompt) => {
                Output::json(&json!({ "additionalContext": text }))
            }
            _ => Output::silent(),
        }
    }
}

/// Where the exit code stands depends on the tool: beside the output, or in its metadata.
fn returned(payload: &Payload<'_>) -> CallEnded {
    let output = payload.json("tool_response");
    let Some(response) = payload.object("tool_response") else {
        return CallEnded::ok(output);
    };
    let metadata = response.object("metadata");
    let exit = response
        .get("exit_code")
        .or_else(|| metadata?.get("exit_code"))
        .and_then(JsonRef::integer);
    let failed = response.flag("is_error") || response.flag("error");
    let status = if failed { Status::Error } else { Status::Ok };
    CallEnded::new(status, output).exited(exit)
}
