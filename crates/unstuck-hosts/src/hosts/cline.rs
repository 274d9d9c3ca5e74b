//! Cline. A file hook cannot skip one call: to cancel it is to end the run. Hooks are programs named after the events, in a
//! directory.

use serde_json::json;
use unstuck::Verdict;
use unstuck_json::JsonRef;

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
    hook::{CallEnded, CallMade, DecodeError, Hook, Moment},
    invocation::{Invocation, ShellKind},
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        Access, CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, OUTPUT, input},
        file::MARKER,
    },
};

const HOST: Host = Host::Cline;

pub(super) static CLINE: HostSpec = HostSpec {
    name: "cline",
    title: "Cline",
    programs: &["cline"],
    processes: &["cline"],
    variables: &[],
    hooks: Hooks {
        events: &["UserPromptSubmit", "PreToolUse", "PostToolUse"],
        sender: Sender::Agent,
        recognises,
        decode,
        // What a hook says after a call is not waited for; words go in with the next call.
        text_at: &[Moment::BeforeCall],
        denial: Denial::Unavailable,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: r#"{"cancel":false}"#,
    },
    install: Install {
        evidence: Evidence::Documented("its source"),
        files,
        all_files: files,
        by_hand: &[(&Scope::ALL, "Hooks must be on in Cline's settings.")],
        trust: no_trust_needed,
        directories: |around| {
            vec![
                around.home.join(".cline"),
                around.home.join("Documents/Cline"),
                around.project.join(".clinerules"),
            ]
        },
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: Some(server_files),
    recordings: Recordings::Read("cline"),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    let has = |name| payload.has(name);
    if has("clineVersion") || (has("hookName") && has("taskId")) {
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
    let name = shared::event_name(payload, "hookName", event);
    let mut hook = shared::base(HOST, payload, &name);
    hook.session = shared::session(payload, "taskId");
    // The agent of the task itself has an id of its own, too; only sub-agents have a parent.
    if !payload.has("parent_agent_id") {
        hook.agent = "main".into();
    }
    hook.directory = shared::first_directory(payload, "workspaceRoots");
    (hook.moment, hook.happened) = match &*name {
        "tool_call" | "PreToolUse" => shared::before(call(payload, "tool_call", "preToolUse"))?,
        "tool_result" | "PostToolUse" => {
            let made = call(payload, "tool_result", "postToolUse");
            shared::after(made, returned(payload))?
        }
        "prompt_submit" | "UserPromptSubmit" => shared::PROMPT,
        _ => shared::NOTHING,
    };
    Ok(hook)
}

/// The newer form has an id, the older one does not.
fn call(payload: &Payload<'_>, newer: &str, older: &str) -> Result<CallMade, DecodeError> {
    if let Some(call) = payload.object(newer)
        && let Some(tool) = call.boxed("name")
    {
        let args = shared::arguments(&tool, call.args("input"));
        return Ok(CallMade::new(call.id("id"), tool, args));
    }
    let missing = DecodeError::Missing {
        host: HOST,
        field: "toolName",
    };
    let call = payload.object(older).ok_or(missing)?;
    let tool = shared::needed(HOST, &call, "toolName")?;
    let args = shared::arguments(&tool, call.args("parameters"));
    Ok(CallMade::new(None, tool, args))
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let Some(result) = payload.object("postToolUse") else {
        return CallEnded::ok(payload.json("tool_result"));
    };
    let success = result.get("success").and_then(JsonRef::boolean);
    let status = shared::failed_if(success == Some(false));
    CallEnded::new(status, result.json("result"))
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    Output::json(&match (answer.verdict, hook.moment) {
        (Verdict::Halt, Moment::BeforeCall) => json!({ "cancel": true, "errorMessage": text }),
        (_, Moment::BeforeCall) => json!({ "cancel": false, "contextModification": text }),
        _ => json!({ "cancel": false }),
    })
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let directory = match scope {
        Scope::User => around.home.join(".cline/hooks"),
        Scope::Project => around.project.join(".clinerules/hooks"),
    };
    let program = |event: &str| {
        let command = invocation.of_event(HOST, event);
        match invocation.shell {
            ShellKind::Posix => (
                event.to_owned(),
                format!("#!/bin/sh\n# Written by `{MARKER} cline`.\nexec {command}\n"),
            ),
            ShellKind::Windows => (
                format!("{event}.ps1"),
                format!("# Written by `{MARKER} cline`.\n$input | & {command}\n"),
            ),
        }
    };
    let file = |event: &&str| {
        let (name, text) = program(event);
        PlannedFile::whole(HOST, directory.join(name), text, Access::Program)
    };
    HOST.events().iter().map(file).collect()
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |name: &str| {
        json!({
            "clineVersion": "canary",
            "hookName": name,
            "taskId": call.session,
            "workspaceRoots": [call.directory],
        })
    };
    let mut before = told("tool_call");
    before["tool_call"] =
        json!({"id": call.id(), "name": "execute_command", "input": {"command": COMMAND}});
    before["preToolUse"] =
        json!({"toolName": "execute_command", "parameters": {"command": COMMAND}});
    let mut after = told("tool_result");
    after["tool_result"] = json!({
        "id": call.id(), "name": "execute_command", "input": {"command": COMMAND}, "output": OUTPUT,
    });
    after["postToolUse"] = json!({
        "toolName": "execute_command", "parameters": {"command": COMMAND},
        "result": OUTPUT, "success": true, "executionTimeMs": 1,
    });
    vec![input("PreToolUse", before), input("PostToolUse", after)]
}

/// The settings of the command, and of the extension of Visual Studio Code.
fn server_files(around: &Surroundings<'_>) -> Vec<ServerFile> {
    const FILE: &str = "settings/cline_mcp_settings.json";
    let command = around.directory("CLINE_DIR", ".cline").join("data");
    let editor = around.applications().join("Code/User/globalStorage");
    let extension = editor.join("saoudrizwan.claude-dev");
    [command, extension]
        .map(|directory| ServerFile::json(Scope::User, directory.join(FILE), "mcpServers"))
        .to_vec()
}
