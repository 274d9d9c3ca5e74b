//! Codex CLI: `hooks.json`, or `config.toml` where that has hooks already.
//!
//! Codex complains when one layer has both, so hooks go where there are some. Where there are none they get a file of
//! their own, and the user's `config.toml` stays untouched.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use toml_edit::{Document, Item};

use super::{
    CanaryCall, CanaryInput, Content, Evidence, Plan, PlannedFile, Recipe, Scope, Surroundings,
    Trust,
    canary::{COMMAND, OUTPUT, input},
    entry::{TIMEOUT_SECONDS, group, handler},
};
use crate::{Host, Invocation, edit::toml, events, invocation::is_ours};

pub(super) struct Codex;

impl Recipe for Codex {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let [hooks, config] = both(scope, around, invocation);
        let in_config = (around.read)(&hooks.path).is_none()
            && (around.read)(&config.path)
                .is_some_and(|text| toml::has_lists(&text, &["hooks"]).unwrap_or(false));
        vec![if in_config { config } else { hooks }]
    }

    fn all_files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        both(scope, around, invocation).into()
    }

    fn by_hand(&self, scope: Scope) -> Vec<String> {
        let mut steps = vec![
            "Codex runs no hook that was not reviewed, and does not say so: start `codex`, type /hooks and trust them."
                .to_owned(),
        ];
        if scope == Scope::Project {
            steps.push("Codex reads a project's hooks once the project is trusted.".to_owned());
        }
        steps
    }

    /// A hook is trusted when the hash of its definition stands under its place in the user's `config.toml`.
    fn trust(&self, plan: &Plan, around: &Surroundings<'_>) -> Trust {
        let review = || Trust::Missing("start `codex`, type /hooks and trust them".to_owned());
        let config = (around.read)(&home(around).join("config.toml")).unwrap_or_default();
        let Ok(config) = Document::parse(config.as_str()) else {
            return Trust::Unknown(
                "its config.toml cannot be read; see /hooks in `codex`".to_owned(),
            );
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

    fn evidence(&self) -> Evidence {
        Evidence::Seen("0.166.0")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["codex"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![home(around), around.project.join(".codex")]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
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
}

/// `hooks.json` and `config.toml`.
fn both(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> [PlannedFile; 2] {
    let directory = match scope {
        Scope::User => home(around),
        Scope::Project => around.project.join(".codex"),
    };
    let wishes = events(Host::Codex).iter().map(|event| {
        let command = invocation.of(Host::Codex);
        group(event, handler(command, TIMEOUT_SECONDS))
    });
    let wishes: Vec<_> = wishes.collect();
    let (hooks, config) = (directory.join("hooks.json"), directory.join("config.toml"));
    [
        PlannedFile::json(Host::Codex, hooks, wishes.clone()),
        PlannedFile::toml(Host::Codex, config, wishes),
    ]
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    around.directory("CODEX_HOME", ".codex")
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
                if is_ours(command, Host::Codex) {
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

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
