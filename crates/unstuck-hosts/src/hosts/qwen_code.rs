//! Qwen Code: Claude Code's events with Gemini CLI's results and settings, and one way of its own to stop.

use serde_json::json;
use unstuck::{Json, Status, Verdict, settings::Attendance};

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
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    invocation::Invocation,
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, OUTPUT, input},
        entry::settings_of_gemini,
    },
};

const HOST: Host = Host::QwenCode;

pub(super) static QWEN_CODE: HostSpec = HostSpec {
    name: "qwen-code",
    title: "Qwen Code",
    programs: &["qwen"],
    processes: &["qwen"],
    variables: &["QWEN_CODE"],
    hooks: Hooks {
        events: &[
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PostToolUseFailure",
            "PostToolBatch",
            "PreCompact",
            "Stop",
            "SubagentStop",
        ],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[
            Moment::AfterCall,
            Moment::AfterFailure,
            Moment::AfterBatch,
            Moment::Prompt,
        ],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: "{}",
    },
    install: Install {
        evidence: Evidence::Seen("0.24.4"),
        files,
        all_files: files,
        by_hand: &[],
        trust: no_trust_needed,
        directories: |around| {
            let roots = [around.home, around.project];
            roots.map(|root| root.join(".qwen")).into()
        },
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: Some(|around| ServerFile::in_both(around, ".qwen/settings.json", "mcpServers")),
    recordings: Recordings::Read("qwen-code"),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    let mode = payload.text("permission_mode").unwrap_or_default();
    if payload.has("tool_call_id") || matches!(&*mode, "yolo" | "auto_edit") {
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
    let name = shared::event_name(payload, "hook_event_name", event);
    let mut hook = shared::base(HOST, payload, &name);
    let mode = payload.text("permission_mode");
    hook.attendance = (mode.as_deref() == Some("yolo")).then_some(Attendance::Unattended);
    (hook.moment, hook.happened) = match &*name {
        "PreToolUse" => shared::before(call(payload))?,
        "PostToolUse" => shared::after(call(payload), returned(payload))?,
        "PostToolUseFailure" => {
            let error = payload.text("error").unwrap_or_default();
            shared::after_failure(call(payload), complaint(shared::failure(payload), &error))?
        }
        "PostToolBatch" => shared::after_batch(payload, |entry| Ok((call(entry)?, told(entry)))),
        // It fires before every continuation, too, and then without a prompt.
        "UserPromptSubmit" if payload.text("prompt").unwrap_or_default().is_empty() => {
            (Moment::Continuation, Happened::GoesOn)
        }
        _ => shared::around_calls(&name, payload),
    };
    Ok(hook)
}

/// A call with the provider's id: `tool_use_id` is another one in `PostToolBatch` than before.
fn call(payload: &Payload<'_>) -> Result<CallMade, DecodeError> {
    let id = payload
        .id("tool_call_id")
        .or_else(|| payload.id("tool_use_id"));
    shared::call(HOST, payload, id)
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let Some(response) = payload.object("tool_response") else {
        return CallEnded::ok(payload.json("tool_response"));
    };
    let text = response.text("llmContent").unwrap_or_default();
    let shown = response.json("llmContent");
    report::ended(Status::Ok, report::labelled(&text), shown)
}

fn complaint(status: Status, error: &str) -> CallEnded {
    report::ended(status, report::labelled(error), Some(Json::string(error)))
}

/// What the model was shown at the end of a step.
fn told(entry: &Payload<'_>) -> CallEnded {
    let response = entry.object("tool_response");
    match (response, entry.text("status").as_deref()) {
        (Some(response), Some("error")) => {
            let denied = response.text("error_type").as_deref() == Some("execution_denied");
            let status = if denied {
                Status::Denied
            } else {
                Status::Error
            };
            complaint(status, &response.text("error").unwrap_or_default())
        }
        (Some(response), _) => CallEnded::ok(response.json("response_parts")),
        (None, _) => CallEnded::ok(entry.json("tool_response")),
    }
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    Output::json(&match (answer.verdict, hook.moment) {
        (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => {
            shared::specific(&shared::denial(hook, text))
        }
        // The only place where this host lets a hook end the run.
        (Verdict::Halt, Moment::Continuation) => {
            json!({ "decision": "block", "reason": text })
        }
        // Words at the end of a turn would make it go on.
        (_, Moment::Continuation | Moment::Stop | Moment::SessionStart | Moment::Other) => {
            json!({})
        }
        _ => shared::specific(&shared::context(hook, text)),
    })
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    vec![settings_of_gemini(HOST, ".qwen", scope, around, invocation)]
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |event: &str| {
        json!({
            "session_id": call.session,
            "transcript_path": "",
            "cwd": call.directory,
            "hook_event_name": event,
            "permission_mode": "default",
            "prompt_id": "canary",
            "tool_name": "run_shell_command",
            "tool_input": {"command": COMMAND},
            "tool_use_id": call.id(),
            "tool_call_id": call.id(),
        })
    };
    let mut after = told("PostToolUse");
    after["tool_response"] = json!({"llmContent": OUTPUT, "returnDisplay": OUTPUT});
    vec![
        input("PreToolUse", told("PreToolUse")),
        input("PostToolUse", after),
    ]
}
