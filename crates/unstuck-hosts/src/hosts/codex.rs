//! Codex CLI. Its output schema is strict: one unknown field, and the whole answer is void. The hooks are in `hooks.json`, or
//! in `config.toml` where that has hooks already.
//!
//! Codex complains when one layer has both, so hooks go where there are some. Where there are none they get a file of
//! their own, and the user's `config.toml` stays untouched.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toml_edit::{Document, Item};
use unstuck::{Verdict, settings::Attendance};

use super::{
    Host,
    contract::{
        Denial, Environment, Halt, Hooks, HostSpec, Install, Recognition, Recordings, Results,
        Sender,
    },
    shared,
};
use crate::{
    answer::{Answer, Output},
    edit::toml,
    hook::{CallEnded, DecodeError, Happened, Hook, Moment},
    invocation::{Invocation, is_ours},
    mcp_client::ServerFile,
    payload::Payload,
    plan::{
        CanaryCall, CanaryInput, Content, Evidence, Plan, PlannedFile, Scope, Surroundings, Trust,
        canary::{COMMAND, OUTPUT, input},
        entry::groups,
    },
};

const HOST: Host = Host::Codex;

pub(super) static CODEX: HostSpec = HostSpec {
    name: "codex",
    title: "Codex CLI",
    programs: &["codex"],
    processes: &["codex"],
    variables: &[
        "CODEX_CI",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
    ],
    hooks: Hooks {
        events: &[
            "SessionStart",
            "UserPromptSubmit",
            "PreModelRequest",
            "PreToolUse",
            "PermissionRequest",
            "PostToolUse",
            "PreCompact",
            "Stop",
            "SubagentStop",
        ],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[Moment::BeforeCall, Moment::AfterCall, Moment::Prompt],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: "",
    },
    install: Install {
        evidence: Evidence::Seen("0.166.0"),
        files,
        all_files: |scope, around, invocation| both(scope, around, invocation).into(),
        by_hand: &[
            (
                &Scope::ALL,
                "Codex runs no hook that was not reviewed, and does not say so: start `codex`, type /hooks and trust them.",
            ),
            (
                &[Scope::Project],
                "Codex reads a project's hooks once the project is trusted.",
            ),
        ],
        trust,
        directories: |around| vec![home(around), around.project.join(".codex")],
        canary,
        command_endings: &[],
        plugin_manifest: Some(".codex-plugin/plugin.json"),
    },
    server_files: Some(server_files),
    recordings: Recordings::Read("codex"),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    let event = payload.text("hook_event_name").unwrap_or_default();
    if !event.is_empty() && payload.has("turn_id") && payload.has("model") {
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
    let call = || shared::call(HOST, payload, payload.id("tool_use_id"));
    let mut hook = shared::base(HOST, payload, &name);
    let mode = payload.text("permission_mode");
    hook.attendance = matches!(mode.as_deref(), Some("bypassPermissions" | "dontAsk"))
        .then_some(Attendance::Unattended);
    (hook.moment, hook.happened) = match &*name {
        "PreToolUse" => shared::before(call())?,
        "PostToolUse" => shared::after(call(), returned(payload))?,
        "PermissionRequest" => shared::permission(call())?,
        "PreModelRequest" => (Moment::ModelRequest, Happened::RoundOver),
        _ => shared::around_calls(&name, payload),
    };
    Ok(hook)
}

/// A command's exit code is nowhere in the input; what an MCP server calls an error is.
fn returned(payload: &Payload<'_>) -> CallEnded {
    let output = payload.json("tool_response");
    let response = payload.object("tool_response");
    let error = response.is_some_and(|response| response.flag("isError"));
    CallEnded::new(shared::failed_if(error), output)
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    let specific = match (answer.verdict, hook.moment) {
        (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => shared::denial(hook, text),
        // The turn cannot be stopped from a hook; further calls are denied.
        (_, Moment::BeforeCall | Moment::AfterCall | Moment::Prompt) => shared::context(hook, text),
        _ => return Output::silent(),
    };
    Output::json(&shared::specific(&specific))
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let [hooks, config] = both(scope, around, invocation);
    let in_config = (around.read)(&hooks.path).is_none()
        && (around.read)(&config.path)
            .is_some_and(|text| toml::has_lists(&text, &["hooks"]).unwrap_or(false));
    vec![if in_config { config } else { hooks }]
}

/// `hooks.json` and `config.toml`.
fn both(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> [PlannedFile; 2] {
    let directory = match scope {
        Scope::User => home(around),
        Scope::Project => around.project.join(".codex"),
    };
    let wishes = groups(HOST, invocation);
    let (hooks, config) = (directory.join("hooks.json"), directory.join("config.toml"));
    [
        PlannedFile::json(HOST, hooks, wishes.clone()),
        PlannedFile::toml(HOST, config, wishes),
    ]
}

/// A hook is trusted when the hash of its definition stands under its place in the user's `config.toml`.
fn trust(plan: &Plan, around: &Surroundings<'_>) -> Trust {
    let review = || Trust::Missing("start `codex`, type /hooks and trust them".to_owned());
    let config = (around.read)(&home(around).join("config.toml")).unwrap_or_default();
    let Ok(config) = Document::parse(config.as_str()) else {
        return Trust::Unknown("its config.toml cannot be read; see /hooks in `codex`".to_owned());
    };
    let state = config.get("hooks").and_then(|hooks| hooks.get("state"));
    for file in &plan.files {
        let Some(text) = (around.read)(&file.path) else {
            return review();
        };
        let groups = match &file.content {
            Content::Json { .. } => groups_of_json(&text),
            Content::Toml { .. } => groups_of_toml(&text),
            Content::Whole { .. } => None,
        };
        let Some(groups) = groups else {
            return Trust::Unknown(format!("{} cannot be read", file.path.display()));
        };
        let ours = trust_keys(&file.path, &groups);
        let is_trusted = |(key, hash): &(String, String)| {
            let trusted = state.and_then(|state| state.get(key)?.get("trusted_hash"));
            trusted.and_then(Item::as_str) == Some(hash)
        };
        if ours.is_empty() || !ours.iter().all(is_trusted) {
            return review();
        }
    }
    Trust::Granted
}

/// Event by event, the groups of handlers as values.
fn groups_of_json(text: &str) -> Option<Vec<(String, Vec<Value>)>> {
    let value: Value = serde_json::from_str(text).ok()?;
    let events = value.get("hooks")?.as_object()?;
    let list = |groups: &Value| groups.as_array().cloned().unwrap_or_default();
    Some(
        events
            .iter()
            .map(|(event, groups)| (event.clone(), list(groups)))
            .collect(),
    )
}

fn groups_of_toml(text: &str) -> Option<Vec<(String, Vec<Value>)>> {
    let document = Document::parse(text).ok()?;
    let events = document.get("hooks")?.as_table_like()?;
    let found = events.iter().filter(|(event, _)| *event != "state");
    Some(
        found
            .map(|(event, groups)| {
                let groups = toml::tables(groups).into_iter().map(value_of_group);
                (event.to_owned(), groups.collect())
            })
            .collect(),
    )
}

fn value_of_group(group: &dyn toml_edit::TableLike) -> Value {
    let handlers = group.get("hooks").map(toml::tables).unwrap_or_default();
    let handlers = handlers.into_iter().map(|handler| {
        let mut value = json!({});
        for key in ["type", "command", "statusMessage"] {
            if let Some(text) = handler.get(key).and_then(Item::as_str) {
                value[key] = json!(text);
            }
        }
        if let Some(timeout) = handler.get("timeout").and_then(Item::as_integer) {
            value["timeout"] = json!(timeout);
        }
        value
    });
    let mut value = json!({"hooks": handlers.collect::<Vec<_>>()});
    if let Some(matcher) = group.get("matcher").and_then(Item::as_str) {
        value["matcher"] = json!(matcher);
    }
    value
}

/// The key under which Codex keeps its trust in each of our handlers, and the hash that it must have there.
fn trust_keys(path: &Path, groups: &[(String, Vec<Value>)]) -> Vec<(String, String)> {
    let mut keys = Vec::new();
    for (event, groups) in groups {
        let event = snake_case(event);
        for (group_index, group) in groups.iter().enumerate() {
            let handlers = group["hooks"].as_array().into_iter().flatten();
            for (handler_index, handler) in handlers.enumerate() {
                let command = handler["command"].as_str().unwrap_or_default();
                if is_ours(command, HOST) {
                    let path = path.display();
                    keys.push((
                        format!("{path}:{event}:{group_index}:{handler_index}"),
                        hash(&event, &group["matcher"], handler),
                    ));
                }
            }
        }
    }
    keys
}

/// SHA-256 of one handler in its group, written compactly with sorted keys and defaults filled in.
fn hash(event: &str, matcher: &Value, handler: &Value) -> String {
    let timeout = handler["timeout"].as_u64().unwrap_or(600).max(1);
    let command = &handler["command"];
    let status = match &handler["statusMessage"] {
        Value::String(status) => format!(r#","statusMessage":{}"#, json!(status)),
        _ => String::new(),
    };
    let matcher = match matcher {
        Value::String(matcher) => format!(r#","matcher":{}"#, json!(matcher)),
        _ => String::new(),
    };
    let canonical = format!(
        r#"{{"event_name":"{event}","hooks":[{{"async":false,"command":{command}{status},"timeout":{timeout},"type":"command"}}]{matcher}}}"#
    );
    let digest = Sha256::digest(canonical.as_bytes());
    let hex: Vec<_> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{}", hex.concat())
}

fn snake_case(event: &str) -> String {
    let mut snake = String::new();
    for (index, c) in event.chars().enumerate() {
        if c.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |event: &str| {
        json!({
            "session_id": call.session,
            "turn_id": "canary",
            "transcript_path": null,
            "cwd": call.directory,
            "hook_event_name": event,
            "model": "canary",
            "permission_mode": "default",
            "tool_name": "Bash",
            "tool_input": {"command": COMMAND},
            "tool_use_id": call.id(),
        })
    };
    let mut after = told("PostToolUse");
    after["tool_response"] = json!(OUTPUT);
    vec![
        input("PreToolUse", told("PreToolUse")),
        input("PostToolUse", after),
    ]
}

/// `[mcp_servers.NAME]` in `config.toml`.
fn server_files(around: &Surroundings<'_>) -> Vec<ServerFile> {
    const TABLE: &str = "mcp_servers";
    let project = around.project.join(".codex/config.toml");
    vec![
        ServerFile::toml(Scope::Project, project, TABLE),
        ServerFile::toml(Scope::User, home(around).join("config.toml"), TABLE),
    ]
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    around.directory("CODEX_HOME", ".codex")
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
