//! `OpenHands`. `hooks.json` has events in snake case at its root.

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
    hook::{CallEnded, DecodeError, Hook, Moment},
    invocation::Invocation,
    payload::Payload,
    plan::{
        CanaryCall, CanaryInput, Evidence, PlannedFile, Scope, Surroundings,
        canary::{COMMAND, OUTPUT, input},
        entry::groups,
    },
};

const HOST: Host = Host::OpenHands;

pub(super) static OPENHANDS: HostSpec = HostSpec {
    name: "openhands",
    title: "OpenHands",
    programs: &["openhands"],
    processes: &["openhands"],
    variables: &["OPENHANDS"],
    hooks: Hooks {
        events: &["user_prompt_submit", "pre_tool_use", "post_tool_use"],
        sender: Sender::Agent,
        recognises,
        decode,
        text_at: &[Moment::AfterCall, Moment::Prompt],
        denial: Denial::StopsTheCall,
        halt: Halt::Anywhere,
        results: Results::Reported,
        encode,
        go_on: "",
    },
    install: Install {
        evidence: Evidence::Documented("its source"),
        files,
        all_files: files,
        by_hand: &[(
            &[Scope::User],
            "A project that has an .openhands/hooks.json of its own is not guarded by the user's.",
        )],
        trust: no_trust_needed,
        directories: |around| {
            let roots = [around.home, around.project];
            roots.map(|root| root.join(".openhands")).into()
        },
        canary,
        command_endings: &[],
        plugin_manifest: None,
    },
    server_files: None,
    recordings: Recordings::Read("openhands"),
};

fn recognises(payload: &Payload<'_>, _: Environment<'_>) -> Recognition {
    if payload.has("event_type") {
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
    let name = shared::event_name(payload, "event_type", event);
    let call = || shared::call(HOST, payload, None);
    let mut hook = shared::base(HOST, payload, &name);
    hook.directory = payload.boxed("working_dir");
    // The configuration names events in snake case, the payload in Pascal case.
    (hook.moment, hook.happened) = match &*name {
        "PreToolUse" | "pre_tool_use" => shared::before(call())?,
        "PostToolUse" | "post_tool_use" => shared::after(call(), returned(payload))?,
        "UserPromptSubmit" | "user_prompt_submit" => shared::PROMPT,
        _ => shared::NOTHING,
    };
    Ok(hook)
}

/// Where the exit code stands depends on the tool: beside the output, or in its metadata.
fn returned(payload: &Payload<'_>) -> CallEnded {
    let output = payload.json("tool_response");
    let Some(response) = payload.object("tool_response") else {
        return CallEnded::ok(output);
    };
    let metadata = response.object("metadata");
    let exit = response
        .get("exit_code")
        .or_else(|| metadata?.get("exit_code"))
        .and_then(JsonRef::integer);
    let failed = response.flag("is_error") || response.flag("error");
    CallEnded::new(shared::failed_if(failed), output).exited(exit)
}

fn encode(hook: &Hook, answer: &Answer) -> Output {
    let text = &*answer.text;
    match (answer.verdict, hook.moment) {
        (Verdict::Deny | Verdict::Halt, Moment::BeforeCall) => {
            Output::json(&json!({ "decision": "deny", "reason": text }))
        }
        (_, Moment::AfterCall | Moment::Prompt) => {
            Output::json(&json!({ "additionalContext": text }))
        }
        _ => Output::silent(),
    }
}

fn files(scope: Scope, around: &Surroundings<'_>, invocation: &Invocation) -> Vec<PlannedFile> {
    let mut wishes = groups(HOST, invocation);
    for wish in &mut wishes {
        wish.list.remove(0);
    }
    let path = around.root(scope).join(".openhands/hooks.json");
    vec![PlannedFile::json(HOST, path, wishes).at_root()]
}

fn canary(call: &CanaryCall<'_>) -> Vec<CanaryInput> {
    let told = |event: &str| {
        json!({
            "event_type": event,
            "tool_name": "terminal",
            "tool_input": {"command": COMMAND},
            "session_id": call.session,
            "working_dir": call.directory,
            "metadata": {},
        })
    };
    let mut after = told("PostToolUse");
    after["tool_response"] = json!({"output": OUTPUT});
    vec![
        input("pre_tool_use", told("PreToolUse")),
        input("post_tool_use", after),
    ]
}
