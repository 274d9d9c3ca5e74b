//! GitHub Copilot CLI: a file of our own in its directory of hooks.
//!
//! Its `preToolUse` fails closed: a hook that cannot be started denies every call. So whatever the program does, or if
//! it is gone, the line for the shell ends well.

use std::path::PathBuf;

use serde_json::json;

use super::{
    CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
    entry::{TIMEOUT_SECONDS, in_hooks, text},
};
use crate::{Host, Invocation, Node, ShellKind, events, invocation::COPILOT_ENDINGS};

pub(super) struct CopilotCli;

/// Events whose hooks must not fail.
const FAIL_CLOSED: [&str; 2] = ["preToolUse", "permissionRequest"];

impl Recipe for CopilotCli {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let directory = match scope {
            Scope::User => home(around).join("hooks"),
            Scope::Project => around.project.join(".github/hooks"),
        };
        let wishes = events(Host::CopilotCli).iter().map(|event| {
            // Its input does not name the event.
            let command = invocation.of_event(Host::CopilotCli, event);
            let (key, ending) = match invocation.shell {
                ShellKind::Posix => ("bash", COPILOT_ENDINGS[0]),
                ShellKind::Windows => ("powershell", COPILOT_ENDINGS[1]),
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
        let file = PlannedFile::json(Host::CopilotCli, path, wishes.collect());
        vec![file.with_version().alone()]
    }

    fn by_hand(&self, scope: Scope) -> Vec<String> {
        match scope {
            Scope::User => Vec::new(),
            Scope::Project => vec![
                "With `copilot -p`, a repository's hooks run only in a trusted folder or with GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true."
                    .to_owned(),
            ],
        }
    }

    fn evidence(&self) -> Evidence {
        Evidence::Seen("1.0.102")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["copilot"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![home(around)]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
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
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    around.directory("COPILOT_HOME", ".copilot")
}
