//! Crush. It has a hook before a call and none after: outcomes are not seen. `crush.json` has entries without groups.
//!
//! Only `PreToolUse` is registered. Versions that know no other event refuse the whole file when they meet one.

use std::path::PathBuf;

use serde_json::json;
use unstuck::Verdict;

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
    hook::{DecodeError, Hook, Moment},
    invocation::Invocation,
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, input},
        entry::commands,
    },
};

const HOST: Host = Host::Crush;

pub(super) static CRUSH: HostSpec = HostSpec {
    name: "crush",
    title: "Crush",
    programs: &["crush"],
    processes: &["crush"],
    variables: &["CRUSH"],
    hooks: Hooks {
        events: &["PreToolUse"],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[Moment::BeforeCall],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Unreported,
        encode,
        go_on: "",
    },
    install: Install {
        evidence: Evidence::Documented("its documentation"),
        files,
        all_files: files,
        by_hand: &[(
            &Scope::ALL,
            "Crush tells its hooks of calls but not of their results: only bursts of equal calls are seen.",
        )],
        trust: no_trust_needed,
        directories: |around| vec![home(around), around.project.join(".crush")],
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: Some(server_files),
    recordings: Recordings::Unread(|around| vec![around.project.join(".crush/crush.db")]),
};

fn recognises(payload: &Payload<'_>, environment: Environment<'_>) -> Recognition {
    if payload.has("event") && payload.has("cwd") && environment("CRUSH").is_some() {
        Recognition::Typical
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
    let mut hook = shared::base(HOST, payload, &name);
    if &*name == "PreToolUse" {
        (hook.moment, hook.happened) = shared::before(shared::call(HOST, payload, None))?;
    }
    Ok(hook)
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    if hook.moment != Moment::BeforeCall {
        return Output::silent();
    }
    let text = &*answer.text;
    Output::json(&match answer.verdict {
        Verdict::Halt => {
            json!({ "version": 1, "decision": "deny", "halt": true, "reason": text })
        }
        Verdict::Deny => json!({ "version": 1, "decision": "deny", "reason": text }),
        Verdict::Allow | Verdict::Nudge => json!({ "version": 1, "context": text }),
    })
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let hidden = around.project.join(".crush.json");
    let path = match scope {
        Scope::User => home(around).join("crush.json"),
        Scope::Project if (around.read)(&hidden).is_some() => hidden,
        Scope::Project => around.project.join("crush.json"),
    };
    vec![PlannedFile::json(HOST, path, commands(HOST, invocation))]
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = json!({
        "event": "PreToolUse",
        "session_id": call.session,
        "cwd": call.directory,
        "tool_name": "bash",
        "tool_input": {"command": COMMAND},
    });
    vec![input("PreToolUse", told)]
}

fn server_files(around: &Surroundings<'_>) -> Vec<ServerFile> {
    vec![
        ServerFile::json(Scope::Project, around.project.join(".crush.json"), "mcp"),
        ServerFile::json(Scope::Project, around.project.join("crush.json"), "mcp"),
        ServerFile::json(Scope::User, home(around).join("crush.json"), "mcp"),
    ]
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    match (around.variable)("CRUSH_GLOBAL_CONFIG").filter(|value| !value.is_empty()) {
        Some(directory) => PathBuf::from(directory),
        None => around.config.join("crush"),
    }
}
