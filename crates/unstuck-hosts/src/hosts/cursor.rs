//! Cursor. Its hooks are in `hooks.json`, and it reads Claude Code's files, too.

use serde_json::json;
use unstuck::{Json, Status, Verdict};
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
    hook::{CallEnded, DecodeError, Hook, Moment},
    invocation::Invocation,
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, OUTPUT, input},
        entry::commands,
    },
};

const HOST: Host = Host::Cursor;

/// An explicit `allow` would speak for the person who is to be asked.
const GO_ON: &str = "{}";

pub(super) static CURSOR: HostSpec = HostSpec {
    name: "cursor",
    title: "Cursor",
    programs: &["cursor", "cursor-agent"],
    processes: &["cursor-agent"],
    variables: &["CURSOR_AGENT"],
    hooks: Hooks {
        events: &[
            "beforeSubmitPrompt",
            "preToolUse",
            "postToolUse",
            "postToolUseFailure",
        ],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[Moment::AfterCall],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: GO_ON,
    },
    install: Install {
        evidence: Evidence::Documented("its documentation"),
        files,
        all_files: files,
        by_hand: &[(
            &[Scope::Project],
            "Cursor runs a project's hooks in a trusted workspace only.",
        )],
        trust: no_trust_needed,
        directories: |around| {
            let roots = [around.home, around.project];
            roots.map(|root| root.join(".cursor")).into()
        },
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: Some(|around| ServerFile::in_both(around, ".cursor/mcp.json", "mcpServers")),
    recordings: Recordings::Unread(|around| {
        let database = "Cursor/User/globalStorage/state.vscdb";
        vec![
            around.home.join(".cursor/chats"),
            around.home.join(".cursor/projects"),
            around.applications().join(database),
        ]
    }),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    let has = |name| payload.has(name);
    if has("cursor_version") || (has("conversation_id") && has("generation_id")) {
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
    let name = shared::event_name(payload, "hook_event_name", event);
    let call = || shared::call(HOST, payload, payload.id("tool_use_id"));
    let mut hook = shared::base(HOST, payload, &name);
    hook.session = payload
        .id("conversation_id")
        .unwrap_or_else(|| shared::session(payload, "session_id"));
    hook.directory = hook
        .directory
        .or_else(|| shared::first_directory(payload, "workspace_roots"));
    (hook.moment, hook.happened) = match &*name {
        "preToolUse" | "PreToolUse" => shared::before(call())?,
        "postToolUse" | "PostToolUse" => shared::after(call(), returned(payload))?,
        "postToolUseFailure" | "PostToolUseFailure" => {
            shared::after_failure(call(), failed(payload))?
        }
        "beforeSubmitPrompt" | "UserPromptSubmit" => shared::PROMPT,
        _ => shared::NOTHING,
    };
    Ok(hook)
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
    let denied = payload.text("failure_type").as_deref() == Some("permission_denied");
    let status = match shared::failure(payload) {
        Status::Error if denied => Status::Denied,
        status => status,
    };
    CallEnded::new(status, payload.json("error_message"))
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    match (answer.verdict, hook.moment) {
        (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => Output::json(&json!({
            "permission": "deny",
            "user_message": text,
            "agent_message": text,
        })),
        (_, Moment::AfterCall) => Output::json(&json!({ "additional_context": text })),
        _ => Output::text(GO_ON),
    }
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let path = around.root(scope).join(".cursor/hooks.json");
    let file = PlannedFile::json(HOST, path, commands(HOST, invocation));
    vec![file.with_version()]
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |event: &str| {
        json!({
            "conversation_id": call.session,
            "generation_id": "canary",
            "hook_event_name": event,
            "cursor_version": "canary",
            "workspace_roots": [call.directory],
            "tool_name": "Shell",
            "tool_input": {"command": COMMAND},
            "tool_use_id": call.id(),
            "cwd": call.directory,
        })
    };
    let mut after = told("postToolUse");
    after["tool_output"] = json!(json!({"exitCode": 0, "stdout": OUTPUT}).to_string());
    vec![
        input("preToolUse", told("preToolUse")),
        input("postToolUse", after),
    ]
}
