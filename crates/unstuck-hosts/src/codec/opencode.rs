//! `OpenCode`, through a plugin of ours.
//!
//! The plugin hands on what it is called with, as one JSON object:
//!
//! ```json
//! {"hook":"tool.execute.before","directory":"/project","input":{"tool":"bash","sessionID":"s","callID":"c"},"output":{"args":{}}}
//! {"hook":"tool.execute.after","input":{"tool":"bash","sessionID":"s","callID":"c","args":{}},"output":{"title":"","output":"","metadata":{"exit":0}}}
//! {"hook":"chat.message","input":{"sessionID":"s"}}
//! {"hook":"event","input":{"type":"message.part.updated","properties":{}}}
//! ```
//!
//! The answer is `{"verdict":"allow|nudge|deny|halt","text":"…"}`: on `deny` the plugin throws an error with the text
//! before the call runs, on `nudge` it appends the text to the output, on `halt` it also aborts the session.

use serde_json::json;
use unstuck::{Json, Status};
use unstuck_json::JsonRef;

use super::{Codec, Environment, family};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::Payload,
};

pub(super) struct OpenCode;

const HOST: Host = Host::OpenCode;

impl Codec for OpenCode {
    fn events(&self) -> &'static [&'static str] {
        &[
            "chat.message",
            "tool.execute.before",
            "tool.execute.after",
            "event",
        ]
    }

    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        _: Environment<'_>,
    ) -> Result<Hook, DecodeError> {
        let name = family::event_name(payload, "hook", event);
        let missing = |field| DecodeError::Missing { host: HOST, field };
        let input = payload.object("input").ok_or(missing("input"))?;
        let output = payload.object("output");
        let mut hook = family::base(HOST, payload, &name);
        hook.session = family::session(&input, "sessionID");
        hook.directory = payload.boxed("directory");
        (hook.moment, hook.happened) = match &*name {
            "tool.execute.before" => {
                let args = output.map_or_else(Json::empty_object, |output| output.args("args"));
                (Moment::BeforeCall, Happened::Call(call(&input, args)?))
            }
            "tool.execute.after" => {
                let made = call(&input, input.args("args"))?;
                let ended = output.map_or(CallEnded::ok(None), |output| returned(&output));
                (Moment::AfterCall, Happened::Result(made, ended))
            }
            "chat.message" => (Moment::Prompt, Happened::UserSpoke),
            "event" => {
                let properties = input.object("properties");
                if let Some(properties) = &properties {
                    hook.session = family::session(properties, "sessionID");
                }
                match (input.text("type").as_deref(), properties) {
                    (Some("message.part.updated"), Some(properties)) => part(&properties),
                    (Some("session.compacted"), _) => (Moment::Other, Happened::Compacted),
                    _ => (Moment::Other, Happened::Nothing),
                }
            }
            _ => (Moment::Other, Happened::Nothing),
        };
        Ok(hook)
    }

    fn tells(&self, moment: Moment) -> bool {
        moment == Moment::AfterCall
    }

    fn encode(&self, _: &Hook, answer: &Answer) -> Output {
        Output::json(&json!({ "verdict": answer.verdict.as_str(), "text": answer.text }))
    }

    fn allow(&self) -> Output {
        Output::json(&json!({ "verdict": "allow" }))
    }
}

fn call(input: &Payload<'_>, args: Json) -> Result<CallMade, DecodeError> {
    let tool = family::needed(HOST, input, "tool")?;
    // A tool that does not exist arrives as a call of `invalid`, with the name among the arguments.
    let meant = args.view().get("tool").and_then(JsonRef::text);
    let tool = match meant {
        Some(meant) if &*tool == "invalid" => meant.into_owned().into(),
        _ => tool,
    };
    let args = family::arguments(&tool, args);
    Ok(CallMade::new(input.id("callID"), tool, args))
}

fn returned(output: &Payload<'_>) -> CallEnded {
    let metadata = output.object("metadata");
    let exit = metadata
        .and_then(|metadata| metadata.get("exit"))
        .and_then(JsonRef::integer);
    CallEnded::ok(output.json("output")).exited(exit)
}

/// A call that failed shows only in the stream of events.
fn part(properties: &Payload<'_>) -> (Moment, Happened) {
    let nothing = (Moment::Other, Happened::Nothing);
    let Some(part) = properties.object("part") else {
        return nothing;
    };
    let Some(state) = part.object("state") else {
        return nothing;
    };
    if state.text("status").as_deref() != Some("error") {
        return nothing;
    }
    let Ok(made) = call(&part, state.args("input")) else {
        return nothing;
    };
    let aborted = state
        .object("metadata")
        .is_some_and(|metadata| metadata.flag("interrupted"));
    let status = if aborted {
        Status::Cancelled
    } else {
        Status::Error
    };
    let ended = CallEnded::new(status, state.json("error"));
    (Moment::Other, Happened::Result(made, ended))
}
