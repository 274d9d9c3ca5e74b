//! Gemini CLI. Its hooks name no call. `settings.json` has times in milliseconds.

use serde_json::{Value, json};
use unstuck::{Json, Status, Verdict};

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
        entry::settings_of_gemini,
    },
};

const HOST: Host = Host::GeminiCli;

/// Events that only this host has.
const OWN_EVENTS: [&str; 8] = [
    "AfterAgent",
    "AfterModel",
    "AfterTool",
    "BeforeAgent",
    "BeforeModel",
    "BeforeTool",
    "BeforeToolSelection",
    "PreCompress",
];

pub(super) static GEMINI_CLI: HostSpec = HostSpec {
    name: "gemini-cli",
    title: "Gemini CLI",
    programs: &["gemini"],
    processes: &["gemini"],
    variables: &["GEMINI_CLI"],
    hooks: Hooks {
        events: &[
            "SessionStart",
            "BeforeAgent",
            "BeforeTool",
            "AfterTool",
            "AfterAgent",
        ],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[Moment::AfterCall, Moment::Prompt],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: "{}",
    },
    install: Install {
        evidence: Evidence::Seen("0.61.0"),
        files,
        all_files: files,
        by_hand: &[(
            &[Scope::Project],
            "Gemini CLI runs a project's hooks once its folder is trusted: /permissions.",
        )],
        trust,
        directories: |around| {
            let roots = [around.home, around.project];
            roots.map(|root| root.join(".gemini")).into()
        },
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: Some(|around| ServerFile::in_both(around, ".gemini/settings.json", "mcpServers")),
    recordings: Recordings::Read("gemini-cli"),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    let event = payload.text("hook_event_name").unwrap_or_default();
    if OWN_EVENTS.contains(&&*event) {
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
    let call = || shared::call(HOST, payload, None);
    let mut hook = shared::base(HOST, payload, &name);
    (hook.moment, hook.happened) = match &*name {
        "BeforeTool" => shared::before(call())?,
        "AfterTool" => shared::after(call(), returned(payload))?,
        "BeforeAgent" => shared::PROMPT,
        "AfterAgent" => shared::said(payload, "prompt_response"),
        "PreCompress" => (Moment::Other, Happened::Compacted),
        _ => shared::around_calls(&name, payload),
    };
    Ok(hook)
}

/// What the model is shown, and the error that the host adds where it was one.
fn returned(payload: &Payload<'_>) -> CallEnded {
    let Some(response) = payload.object("tool_response") else {
        return CallEnded::ok(payload.json("tool_response"));
    };
    let shown = response.json("llmContent");
    if let Some(error) = response.object("error") {
        let message = error.text("message").map(|message| Json::string(&message));
        return CallEnded::new(Status::Error, message.or(shown));
    }
    let text = response.text("llmContent").unwrap_or_default();
    report::ended(Status::Ok, report::labelled(&text), shown)
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    Output::json(&match (answer.verdict, hook.moment) {
        (Verdict::Halt, Moment::BeforeCall | Moment::AfterCall) => {
            json!({ "continue": false, "stopReason": text, "systemMessage": text })
        }
        (Verdict::Deny, Moment::BeforeCall) => {
            json!({ "decision": "deny", "reason": text, "systemMessage": text })
        }
        (Verdict::Halt, _) => json!({ "systemMessage": text }),
        _ => shared::specific(&shared::context(hook, text)),
    })
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    vec![settings_of_gemini(
        HOST, ".gemini", scope, around, invocation,
    )]
}

fn trust(plan: &Plan, around: &Surroundings<'_>) -> Trust {
    if plan.scope == Scope::User {
        return Trust::Granted;
    }
    let folders = (around.read)(&around.home.join(".gemini/trustedFolders.json"));
    let folders = folders.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let project = around.project.to_string_lossy();
    let word = folders
        .as_ref()
        .and_then(|folders| folders.get(&*project)?.as_str());
    match word {
        Some("TRUST_FOLDER") => Trust::Granted,
        Some("DO_NOT_TRUST") => Trust::Missing(format!(
            "start `gemini` in {project} and trust it: /permissions"
        )),
        _ => Trust::Unknown(format!(
            "if `gemini` asks, trust {project}: its hooks do not run before"
        )),
    }
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |event: &str| {
        json!({
            "session_id": call.session,
            "transcript_path": "",
            "cwd": call.directory,
            "hook_event_name": event,
            "tool_name": "run_shell_command",
            "tool_input": {"command": COMMAND},
        })
    };
    let mut after = told("AfterTool");
    after["tool_response"] = json!({"llmContent": OUTPUT, "returnDisplay": OUTPUT});
    vec![
        input("BeforeTool", told("BeforeTool")),
        input("AfterTool", after),
    ]
}
