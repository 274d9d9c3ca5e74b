//! GitHub Copilot CLI. Events come in two spellings, name no call, and a failing `preToolUse` denies it: every answer
//! but one ends with exit code 0. The hooks are in a file of our own in its directory of hooks.
//!
//! Its `preToolUse` fails closed: a hook that cannot be started denies every call. So whatever the program does, or if
//! it is gone, the line for the shell ends well.

use std::path::PathBuf;

use serde_json::json;
use unstuck::{Json, Status, Verdict};

use super::{
    Host,
    contract::{
        Denial, Environment, Halt, Hooks, HostSpec, Install, Recognition, Recordings, Results,
        Sender, no_trust_needed,
    },
    report, shared,
};
use crate::{
    answer::{Answer, Output},
    edit::Node,
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    invocation::{Invocation, ShellKind},
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, OUTPUT, input},
        entry::{TIMEOUT_SECONDS, in_hooks, text},
    },
};

const HOST: Host = Host::CopilotCli;

/// Events whose hooks must not fail.
const FAIL_CLOSED: [&str; 2] = ["preToolUse", "permissionRequest"];

/// What ends their command lines, in POSIX shells and in PowerShell.
const ENDINGS: [&str; 2] = [" || true", "; exit 0"];

pub(super) static COPILOT_CLI: HostSpec = HostSpec {
    name: "copilot-cli",
    title: "GitHub Copilot CLI",
    programs: &["copilot"],
    processes: &["copilot"],
    variables: &["COPILOT_CLI"],
    hooks: Hooks {
        events: &[
            "sessionStart",
            "userPromptSubmitted",
            "preToolUse",
            "permissionRequest",
            "postToolUse",
            "postToolUseFailure",
        ],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[Moment::AfterCall, Moment::AfterFailure],
        denial: Denial::StopsTheCall,
        halt: Halt::WhenAsked,
        results: Results::Reported,
        encode,
        go_on: "",
    },
    install: Install {
        evidence: Evidence::Seen("1.0.102"),
        files,
        all_files: files,
        by_hand: &[(
            &[Scope::Project],
            "With `copilot -p`, a repository's hooks run only in a trusted folder or with GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true.",
        )],
        trust: no_trust_needed,
        directories: |around| vec![home(around)],
        canary,
        command_endings: &ENDINGS,
        plugin_manifest: None,
    },
    server_files: Some(|around| {
        let path = home(around).join("mcp-config.json");
        vec![ServerFile::json(Scope::User, path, "mcpServers")]
    }),
    recordings: Recordings::Read("copilot-cli"),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    let has = |name| payload.has(name);
    let event = payload.text("hook_event_name").unwrap_or_default();
    if has("sessionId") && (has("toolName") || payload.stamp("timestamp").is_some()) {
        Recognition::Typical
    } else if !event.is_empty()
        && has("timestamp")
        && (!has("transcript_path") || has("stop_reason"))
    {
        Recognition::Likely
    } else {
        Recognition::Unknown
    }
}

fn decode(
    payload: &Payload<'_>,
    event: Option<&str>,
    _: Environment<'_>,
) -> Result<Hook, DecodeError> {
    let named = payload
        .boxed("hook_event_name")
        .or_else(|| payload.boxed("hookName"));
    // The payload of the camel-case events does not say which event it is.
    let name = named
        .or_else(|| event.map(Into::into))
        .unwrap_or_else(|| guess(payload).into());
    let mut hook = shared::base(HOST, payload, &name);
    if !payload.has("session_id") {
        hook.session = shared::session(payload, "sessionId");
    }
    (hook.moment, hook.happened) = match &*name {
        "preToolUse" | "PreToolUse" => shared::before(call(payload))?,
        "permissionRequest" | "PermissionRequest" => shared::permission(call(payload))?,
        "postToolUse" | "PostToolUse" => shared::after(call(payload), returned(payload))?,
        "postToolUseFailure" | "PostToolUseFailure" => {
            let error = Json::string(&payload.text("error").unwrap_or_default());
            let ended = CallEnded::new(Status::Error, Some(error));
            shared::after_failure(call(payload), ended)?
        }
        "userPromptSubmitted" | "UserPromptSubmit" => shared::PROMPT,
        "agentStop" | "Stop" => (Moment::Stop, Happened::Said("".into())),
        "sessionStart" | "SessionStart" => shared::started(payload),
        _ => shared::NOTHING,
    };
    Ok(hook)
}

fn call(payload: &Payload<'_>) -> Result<CallMade, DecodeError> {
    let (tool, args) = if payload.has("tool_name") {
        ("tool_name", "tool_input")
    } else if payload.has("toolArgs") {
        ("toolName", "toolArgs")
    } else {
        ("toolName", "toolInput")
    };
    let tool = native(&shared::needed(HOST, payload, tool)?);
    let args = shared::arguments(&tool, payload.args(args));
    Ok(CallMade::new(None, tool, args))
}

/// One name for a tool, whichever way the event is spelled.
fn native(tool: &str) -> String {
    match tool {
        "Bash" => "bash".into(),
        "Read" => "view".into(),
        "Write" => "create".into(),
        "Edit" => "edit".into(),
        "Glob" => "glob".into(),
        "Grep" => "grep".into(),
        // An MCP tool is `server/tool` where permission is asked, and `server-tool` elsewhere.
        _ => tool.replace('/', "-"),
    }
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let native = payload.object("toolResult");
    let (result, kind, text) = match &native {
        Some(result) => (Some(result), "resultType", "textResultForLlm"),
        None => (None, "result_type", "text_result_for_llm"),
    };
    let pascal = payload.object("tool_result");
    let Some(result) = result.or(pascal.as_ref()) else {
        return CallEnded::ok(None);
    };
    let status = match result.text(kind).as_deref() {
        Some("failure" | "error") => Status::Error,
        Some("rejected" | "denied") => Status::Denied,
        _ => Status::Ok,
    };
    let said = result.text(text).unwrap_or_default();
    report::ended(status, report::trailing(&said), result.json(text))
}

/// The event of a payload that does not say it.
fn guess(payload: &Payload<'_>) -> &'static str {
    if payload.has("toolResult") || payload.has("tool_result") {
        "postToolUse"
    } else if payload.has("toolName") && payload.has("error") {
        "postToolUseFailure"
    } else if payload.has("toolName") {
        "preToolUse"
    } else if payload.has("prompt") {
        "userPromptSubmitted"
    } else {
        ""
    }
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    match (answer.verdict, hook.moment) {
        (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => Output::json(&json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": text,
        })),
        (Verdict::Halt, Moment::Permission) => Output::json(&json!({
            "behavior": "deny",
            "message": text,
            "interrupt": true,
        })),
        (_, Moment::AfterCall) => Output::json(&json!({ "additionalContext": text })),
        // Here, and only here, this exit code is how words reach the model; it denies nothing.
        (_, Moment::AfterFailure) => Output {
            stdout: text.to_owned(),
            exit_code: 2,
        },
        _ => Output::silent(),
    }
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let directory = match scope {
        Scope::User => home(around).join("hooks"),
        Scope::Project => around.project.join(".github/hooks"),
    };
    let wishes = HOST.events().iter().map(|event| {
        // Its input does not name the event.
        let command = invocation.of_event(HOST, event);
        let (key, ending) = match invocation.shell {
            ShellKind::Posix => ("bash", ENDINGS[0]),
            ShellKind::Windows => ("powershell", ENDINGS[1]),
        };
        let ending = if FAIL_CLOSED.contains(event) {
            ending
        } else {
            ""
        };
        in_hooks(
            event,
            vec![
                ("type", text("command")),
                (key, Node::Text(format!("{command}{ending}"))),
                ("timeoutSec", Node::Number(TIMEOUT_SECONDS)),
            ],
        )
    });
    let path = directory.join("unstuck.json");
    let file = PlannedFile::json(HOST, path, wishes.collect());
    vec![file.with_version().alone()]
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = || {
        json!({
            "sessionId": call.session,
            "timestamp": call.at,
            "cwd": call.directory,
            "toolName": "bash",
            "toolArgs": {"command": COMMAND},
        })
    };
    let mut after = told();
    after["toolResult"] = json!({"resultType": "success", "textResultForLlm": OUTPUT});
    vec![input("preToolUse", told()), input("postToolUse", after)]
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    around.directory("COPILOT_HOME", ".copilot")
}
