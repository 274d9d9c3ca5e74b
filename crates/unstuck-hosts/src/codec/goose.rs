//! Goose. A hook can deny a call, and has no other way to say anything.

use serde_json::json;
use unstuck::{Json, Status, Verdict};

use super::{Codec, Environment, family};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct Goose;

const HOST: Host = Host::Goose;

impl Codec for Goose {
    fn events(&self) -> &'static [&'static str] {
        &[
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
        ]
    }

    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        _: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let name = family::event_name(payload, "event", event);
        let mut hook = family::base(HOST, payload, &name);
        hook.directory = payload.boxed("working_dir");
        (hook.moment, hook.happened) = match &*name {
            "PreToolUse" => (
                Moment::BeforeCall,
                Happened::Call(family::call(HOST, payload, None)?),
            ),
            "PostToolUse" => (
                Moment::AfterCall,
                Happened::Result(
                    family::call(HOST, payload, None)?,
                    CallEnded::ok(payload.json("tool_output")),
                ),
            ),
            "PostToolUseFailure" => {
                let told = payload.text("message").map(|text| Json::string(&text));
                let output = payload.json("tool_output").or(told);
                (
                    Moment::AfterFailure,
                    Happened::Result(
                        family::call(HOST, payload, None)?,
                        CallEnded::new(Status::Error, output),
                    ),
                )
            }
            "UserPromptSubmit" => (Moment::Prompt, Happened::UserSpoke),
            _ => (Moment::Other, Happened::Nothing),
        };
        Ok(hook)
    }

    fn tells(&self, _: Moment) -> bool {
        false
    }

    fn encode(&self, hook: &Hook, answer: &Answer) -> Output {
        match (answer.verdict, hook.moment) {
            (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => {
                Output::json(&json!({ "decision": "block", "reason": answer.text }))
            }
            _ => Output::silent(),
        }
    }
}
