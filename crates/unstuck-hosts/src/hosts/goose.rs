//! Goose. A hook can deny a call, and has no other way to say anything. The hooks are a plugin of our own in the directory
//! of agents' plugins.

use serde_json::json;
use unstuck::{Json, Status, Verdict};

use super::{
    Host,
    contract::{
        Denial, Environment, Halt, Hooks, HostSpec, Install, Recognition, Recordings, Results,
        Sender, no_trust_needed,
    },
    shared,
};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, DecodeError, Hook, Moment},
    invocation::Invocation,
    payload::Payload,
    plan::{
        Access, CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, OUTPUT, input},
        entry::groups,
        file::MARKER,
    },
};

const HOST: Host = Host::Goose;

pub(super) static GOOSE: HostSpec = HostSpec {
    name: "goose",
    title: "Goose",
    programs: &["goose"],
    processes: &["goose"],
    variables: &["GOOSE_TERMINAL"],
    hooks: Hooks {
        events: &[
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
        ],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: "",
    },
    install: Install {
        evidence: Evidence::Documented("its source"),
        files,
        all_files: files,
        by_hand: &[],
        trust: no_trust_needed,
        directories: |around| vec![around.config.join("goose")],
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: None,
    recordings: Recordings::Unread(|around| vec![around.data().join("goose/sessions")]),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    if payload.has("matcher_context") && payload.has("event") {
        Recognition::Certain
    } else {
        Recognition::Unknown
    }
}

fn decode(
    payload: &Payload<'_>,
    event: Option<&str>,
    _: Environment<'_>,
) -> Result<Hook, DecodeError> {
    let name = shared::event_name(payload, "event", event);
    let call = || shared::call(HOST, payload, None);
    let mut hook = shared::base(HOST, payload, &name);
    hook.directory = payload.boxed("working_dir");
    (hook.moment, hook.happened) = match &*name {
        "PreToolUse" => shared::before(call())?,
        "PostToolUse" => shared::after(call(), CallEnded::ok(payload.json("tool_output")))?,
        "PostToolUseFailure" => {
            let told = payload.text("message").map(|text| Json::string(&text));
            let output = payload.json("tool_output").or(told);
            shared::after_failure(call(), CallEnded::new(Status::Error, output))?
        }
        "UserPromptSubmit" => shared::PROMPT,
        _ => shared::NOTHING,
    };
    Ok(hook)
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    match (answer.verdict, hook.moment) {
        (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => {
            Output::json(&json!({ "decision": "block", "reason": answer.text }))
        }
        _ => Output::silent(),
    }
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let plugin = around.root(scope).join(".agents/plugins/unstuck");
    let manifest = format!(
        "{{\n  \"name\": \"unstuck\",\n  \"version\": \"{}\",\n  \"description\": \"Keeps agents from going in circles. Written by `{MARKER} goose`.\"\n}}\n",
        env!("CARGO_PKG_VERSION")
    );
    let path = plugin.join("plugin.json");
    let hooks = plugin.join("hooks/hooks.json");
    vec![
        PlannedFile::whole(HOST, path, manifest, Access::Data),
        PlannedFile::json(HOST, hooks, groups(HOST, invocation)).alone(),
    ]
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |event: &str| {
        json!({
            "event": event,
            "session_id": call.session,
            "matcher_context": "developer__shell",
            "tool_name": "developer__shell",
            "tool_input": {"command": COMMAND},
            "working_dir": call.directory,
        })
    };
    let mut after = told("PostToolUse");
    after["tool_output"] = json!(OUTPUT);
    vec![
        input("PreToolUse", told("PreToolUse")),
        input("PostToolUse", after),
    ]
}
