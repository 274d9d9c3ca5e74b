//! Claude Code. The hooks are in `settings.json`.
//!
//! The command is a line for the shell and not a program with `args`: versions before 2.1.139 ignore `args` and would
//! run the program without any, and other hosts read this file, too.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use unstuck::{Json, Status, Verdict, settings::Attendance};

use super::{
    Host,
    contract::{
        Denial, Environment, Halt, Hooks, HostSpec, Install, Recognition, Recordings, Results,
        Sender,
    },
    report, shared,
};
use crate::{
    answer::{Answer, Output},
    hook::{CallEnded, DecodeError, Happened, Hook, Moment},
    invocation::Invocation,
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        CanaryCall, CanaryInput, Evidence, Plan, PlannedFile, Scope, Surroundings, Trust,
        canary::{COMMAND, OUTPUT, input},
        entry::groups,
    },
};

const HOST: Host = Host::ClaudeCode;

pub(super) static CLAUDE_CODE: HostSpec = HostSpec {
    name: "claude-code",
    title: "Claude Code",
    programs: &["claude"],
    processes: &["claude"],
    variables: &["CLAUDECODE"],
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
            Moment::BeforeCall,
            Moment::AfterCall,
            Moment::AfterFailure,
            Moment::AfterBatch,
            Moment::Prompt,
            Moment::SessionStart,
        ],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: "",
    },
    install: Install {
        evidence: Evidence::Seen("2.1.325"),
        files,
        all_files: files,
        by_hand: &[(
            &Scope::ALL,
            "Claude Code runs hooks in a directory once you have said that you trust it.",
        )],
        trust,
        directories: |around| vec![home(around), around.project.join(".claude")],
        canary,
        command_endings: &[],
        plugin_manifest: Some(".claude-plugin/plugin.json"),
    },
    server_files: Some(server_files),
    recordings: Recordings::Read("claude-code"),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    let has = |name| payload.has(name);
    if has("tool_use_id") && has("transcript_path") && !has("timestamp") {
        Recognition::Likely
    } else {
        Recognition::Unknown
    }
}

fn decode(
    payload: &Payload<'_>,
    event: Option<&str>,
    environment: Environment<'_>,
) -> Result<Hook, DecodeError> {
    let name = shared::event_name(payload, "hook_event_name", event);
    let call = || shared::call(HOST, payload, payload.id("tool_use_id"));
    let mut hook = shared::base(HOST, payload, &name);
    hook.attendance = attendance(payload, environment);
    (hook.moment, hook.happened) = match &*name {
        "PreToolUse" => shared::before(call())?,
        "PostToolUse" => shared::after(call(), returned(payload))?,
        "PostToolUseFailure" => shared::after_failure(call(), failed(payload))?,
        "PostToolBatch" => shared::after_batch(payload, |entry| {
            let call = shared::call(HOST, entry, entry.id("tool_use_id"))?;
            Ok((call, told(entry)))
        }),
        // The harness wakes itself up by prompts, too.
        "UserPromptSubmit"
            if !matches!(
                payload.text("source").as_deref(),
                None | Some("user" | "sdk")
            ) =>
        {
            (Moment::Continuation, Happened::GoesOn)
        }
        _ => shared::around_calls(&name, payload),
    };
    Ok(hook)
}

/// An interactive terminal is watched as long as it asks for permissions; what is started by a program is not.
fn attendance(payload: &Payload<'_>, environment: Environment<'_>) -> Option<Attendance> {
    let mode = payload.text("permission_mode");
    let nobody_is_asked = matches!(mode.as_deref(), Some("bypassPermissions" | "dontAsk"));
    match shared::variable(environment, "CLAUDE_CODE_ENTRYPOINT").as_deref() {
        _ if nobody_is_asked => Some(Attendance::Unattended),
        Some("cli") => Some(Attendance::Attended),
        Some(program) if program.starts_with("sdk") => Some(Attendance::Unattended),
        _ => None,
    }
}

fn returned(payload: &Payload<'_>) -> CallEnded {
    let output = payload.json("tool_response");
    let interrupted = payload
        .object("tool_response")
        .is_some_and(|response| response.flag("interrupted"));
    if interrupted {
        CallEnded::new(Status::Cancelled, output)
    } else {
        CallEnded::ok(output)
    }
}

fn failed(payload: &Payload<'_>) -> CallEnded {
    let error = payload.text("error").unwrap_or_default();
    let output = Some(Json::string(&error));
    CallEnded::new(shared::failure(payload), output).exited(report::leading(&error))
}

/// What the model was shown, which has to tell how the call ended.
fn told(entry: &Payload<'_>) -> CallEnded {
    let output = entry.json("tool_response");
    let text = entry.text("tool_response").unwrap_or_default();
    let refused = text.starts_with("PreToolUse:") || text.starts_with("The user doesn't want to");
    let status = if refused {
        Status::Denied
    } else if text.starts_with("<tool_use_error>") || report::leading(&text).is_some() {
        Status::Error
    } else {
        Status::Ok
    };
    CallEnded::new(status, output).exited(report::leading(&text))
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    let in_run = matches!(
        hook.moment,
        Moment::BeforeCall | Moment::AfterCall | Moment::AfterFailure | Moment::AfterBatch
    );
    // Outside of a run the words are for the person; the model is not asked again.
    if answer.verdict == Verdict::Halt && !in_run {
        return Output::json(&json!({ "systemMessage": text }));
    }
    let mut whole = Map::new();
    let specific = match (answer.verdict, hook.moment) {
        (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => {
            whole.insert("systemMessage".into(), json!(text));
            shared::denial(hook, text)
        }
        _ => shared::context(hook, text),
    };
    // Alone, `continue: false` lets the call run; together with the denial nothing runs and the turn ends.
    if answer.verdict == Verdict::Halt {
        whole.insert("continue".into(), json!(false));
        whole.insert("stopReason".into(), json!(text));
    }
    whole.insert("hookSpecificOutput".into(), specific);
    Output::json(&Value::Object(whole))
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let path = match scope {
        Scope::User => home(around).join("settings.json"),
        Scope::Project => around.project.join(".claude/settings.json"),
    };
    vec![PlannedFile::json(HOST, path, groups(HOST, invocation))]
}

fn trust(_: &Plan, around: &Surroundings<'_>) -> Trust {
    let state = match (around.variable)("CLAUDE_CONFIG_DIR").filter(|value| !value.is_empty()) {
        Some(directory) => PathBuf::from(directory).join(".claude.json"),
        None => around.home.join(".claude.json"),
    };
    let project = around.project.to_string_lossy();
    let state = (around.read)(&state).and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let accepted = state
        .as_ref()
        .and_then(|state| state["projects"][&*project]["hasTrustDialogAccepted"].as_bool());
    match accepted {
        Some(true) => Trust::Granted,
        Some(false) => Trust::Missing(format!(
            "start `claude` in {project} once and say that you trust it; `claude -p` does not ask"
        )),
        None => Trust::Unknown(format!(
            "`claude` asks for trust when it is first started in {project}; `claude -p` does not ask"
        )),
    }
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |event: &str, rest: Value| {
        let mut told = json!({
            "session_id": call.session,
            "transcript_path": "",
            "cwd": call.directory,
            "permission_mode": "default",
            "hook_event_name": event,
            "tool_name": "Bash",
            "tool_input": {"command": COMMAND},
            "tool_use_id": call.id(),
        });
        if let (Some(told), Value::Object(rest)) = (told.as_object_mut(), rest) {
            told.extend(rest);
        }
        told
    };
    let response = json!({"tool_response": {"stdout": OUTPUT, "stderr": "", "interrupted": false}});
    vec![
        input("PreToolUse", told("PreToolUse", json!({}))),
        input("PostToolUse", told("PostToolUse", response)),
    ]
}

/// `.mcp.json` of the project, and `~/.claude.json` with servers for one project and for all.
fn server_files(around: &Surroundings<'_>) -> Vec<ServerFile> {
    const TABLE: &str = "mcpServers";
    let state = around
        .directory("CLAUDE_CONFIG_DIR", "")
        .join(".claude.json");
    let project = around.project.to_string_lossy().into_owned();
    let own = ["projects".to_owned(), project, TABLE.to_owned()];
    vec![
        ServerFile::json(Scope::Project, state.clone(), TABLE).at(own.to_vec()),
        ServerFile::json(Scope::Project, around.project.join(".mcp.json"), TABLE),
        ServerFile::json(Scope::User, state, TABLE),
    ]
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    around.directory("CLAUDE_CONFIG_DIR", ".claude")
}
