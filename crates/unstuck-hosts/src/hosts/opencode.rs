//! `OpenCode`, through a plugin file of ours.
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

use std::path::PathBuf;

use serde_json::{Value, json};
use unstuck::{Json, Status};
use unstuck_json::JsonRef;

use super::{
    Host,
    contract::{
        Denial, Environment, Halt, Hooks, HostSpec, Install, Recordings, Results, Sender,
        by_registration, no_trust_needed,
    },
    shared,
};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    invocation::Invocation,
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        Access, CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, OUTPUT, input},
    },
};

const HOST: Host = Host::OpenCode;

/// The plugin, with a place for the program's path.
const PLUGIN: &str = include_str!("opencode_plugin.js");

const PROGRAM: &str = "\"unstuck\" /* PROGRAM */";

pub(super) static OPENCODE: HostSpec = HostSpec {
    name: "opencode",
    title: "OpenCode",
    programs: &["opencode"],
    processes: &["opencode"],
    variables: &["OPENCODE"],
    hooks: Hooks {
        events: &[
            "chat.message",
            "tool.execute.before",
            "tool.execute.after",
            "event",
        ],
        sender: Sender::OurPlugin,
        recognises: by_registration,
        decode,
        text_at: &[Moment::AfterCall],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: r#"{"verdict":"allow"}"#,
    },
    install: Install {
        evidence: Evidence::Seen("1.18.33"),
        files,
        all_files: files,
        by_hand: &[],
        trust: no_trust_needed,
        directories: |around| {
            vec![
                around.config.join("opencode"),
                around.project.join(".opencode"),
            ]
        },
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: Some(server_files),
    recordings: Recordings::Read("opencode"),
};

fn decode(
    payload: &Payload<'_>,
    event: Option<&str>,
    _: Environment<'_>,
) -> Result<Hook, DecodeError> {
    let name = shared::event_name(payload, "hook", event);
    let missing = |field| DecodeError::Missing { host: HOST, field };
    let input = payload.object("input").ok_or(missing("input"))?;
    let output = payload.object("output");
    let mut hook = shared::base(HOST, payload, &name);
    hook.session = shared::session(&input, "sessionID");
    hook.directory = payload.boxed("directory");
    (hook.moment, hook.happened) = match &*name {
        "tool.execute.before" => {
            let args = output.map_or_else(Json::empty_object, |output| output.args("args"));
            shared::before(call(&input, args))?
        }
        "tool.execute.after" => {
            let ended = output.map_or(CallEnded::ok(None), |output| returned(&output));
            shared::after(call(&input, input.args("args")), ended)?
        }
        "chat.message" => shared::PROMPT,
        "event" => {
            let properties = input.object("properties");
            if let Some(properties) = &properties {
                hook.session = shared::session(properties, "sessionID");
            }
            match (input.text("type").as_deref(), properties) {
                (Some("message.part.updated"), Some(properties)) => part(&properties),
                (Some("session.compacted"), _) => (Moment::Other, Happened::Compacted),
                _ => shared::NOTHING,
            }
        }
        _ => shared::NOTHING,
    };
    Ok(hook)
}

fn call(input: &Payload<'_>, args: Json) -> Result<CallMade, DecodeError> {
    let tool = shared::needed(HOST, input, "tool")?;
    // A tool that does not exist arrives as a call of `invalid`, with the name among the arguments.
    let meant = args.view().get("tool").and_then(JsonRef::text);
    let tool = match meant {
        Some(meant) if &*tool == "invalid" => meant.into_owned().into(),
        _ => tool,
    };
    let args = shared::arguments(&tool, args);
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
    failed_call(properties).map_or(shared::NOTHING, |(made, ended)| {
        (Moment::Other, Happened::Result(made, ended))
    })
}

fn failed_call(properties: &Payload<'_>) -> Option<(CallMade, CallEnded)> {
    let part = properties.object("part")?;
    let state = part.object("state")?;
    if state.text("status").as_deref() != Some("error") {
        return None;
    }
    let made = call(&part, state.args("input")).ok()?;
    let aborted = state
        .object("metadata")
        .is_some_and(|metadata| metadata.flag("interrupted"));
    let status = if aborted {
        Status::Cancelled
    } else {
        Status::Error
    };
    Some((made, CallEnded::new(status, state.json("error"))))
}

fn encode(_: &Hook, answer: &Answer) -> Output {
    Output::json(&json!({ "verdict": answer.verdict.as_str(), "text": answer.text }))
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let directory = match scope {
        Scope::User => around.config.join("opencode"),
        Scope::Project => around.project.join(".opencode"),
    };
    let program = Value::from(invocation.program.as_str()).to_string();
    let text = PLUGIN.replace(PROGRAM, &program);
    let path = directory.join("plugins/unstuck.js");
    vec![PlannedFile::whole(HOST, path, text, Access::Data)]
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let args = json!({"command": COMMAND});
    let before = json!({
        "hook": "tool.execute.before",
        "directory": call.directory,
        "input": {"tool": "bash", "sessionID": call.session, "callID": call.id()},
        "output": {"args": args},
    });
    let after = json!({
        "hook": "tool.execute.after",
        "directory": call.directory,
        "input": {"tool": "bash", "sessionID": call.session, "callID": call.id(), "args": args},
        "output": {"title": "", "output": OUTPUT, "metadata": {"exit": 0}},
    });
    vec![
        input("tool.execute.before", before),
        input("tool.execute.after", after),
    ]
}

/// `mcp` in `opencode.json`, with the command and its arguments in one list.
fn server_files(around: &Surroundings<'_>) -> Vec<ServerFile> {
    let directories = [
        (Scope::Project, around.project.join(".opencode")),
        (Scope::Project, around.project.to_path_buf()),
        (Scope::User, around.config.join("opencode")),
    ];
    let of = |(scope, directory): (Scope, PathBuf)| {
        ["opencode.json", "opencode.jsonc"]
            .map(|name| ServerFile::json(scope, directory.join(name), "mcp"))
    };
    directories.into_iter().flat_map(of).collect()
}
