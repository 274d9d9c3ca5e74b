//! SWE-agent's `.traj`: the steps of a run, or where there are none, its history.

use unstuck::{Json, Status};
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use crate::{
    conversation::Conversation,
    elements::Raw,
    head::Head,
    look::{count, integer, is_true, micros, says, text, words},
    message::{Message, arguments, name, object_of},
    readable::readable,
    said::result_of,
    sink::{Sink, Tokens},
    track::Used,
    transcript::Origin,
    values::{Place, unfinished},
};

pub(super) static SWE_AGENT: FormatSpec = FormatSpec {
    name: "swe-agent",
    title: "SWE-agent",
    agent: "swe-agent",
    recognises,
    reading: Reading::Document(read),
    endings: &[".traj", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

fn read(origin: &Origin, bytes: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
    let text = readable(bytes);
    let Some((root, _)) = Raw::first(&text) else {
        return Err("the document is empty".into());
    };
    // Runs that were tried several times have their attempts apart.
    match root.get("attempts").filter(|attempts| attempts.is_array()) {
        Some(attempts) => {
            for (attempt, number) in attempts.elements().zip(1..) {
                run(&format!("{}#{number}", origin.session), attempt, sink);
            }
        }
        None => run(&origin.session, root, sink),
    }
    if let Some(problem) = unfinished(root) {
        sink.incomplete(problem);
    }
    Ok(())
}

fn run(session: &str, run: Raw<'_>, sink: &mut dyn Sink) {
    let mut conversation = Conversation::new(session, "");
    let steps = run
        .get("trajectory")
        .filter(|steps| steps.elements().next().is_some());
    match (steps, run.get("history")) {
        (Some(steps), history) => {
            let prompt = history.and_then(first_prompt).unwrap_or_default();
            tell_steps(&mut conversation, steps, &prompt, sink);
        }
        (None, Some(history)) => tell_history(&mut conversation, history, sink),
        (None, None) => {}
    }
    if let Some(used) = used(run) {
        conversation.pay_for_run(vec![used], sink);
    }
    conversation.end(sink);
}

/// The steps: what was run in the shell, and what it said.
fn tell_steps(conversation: &mut Conversation, steps: Raw<'_>, prompt: &str, sink: &mut dyn Sink) {
    let mut task = Message::default();
    task.give_task(prompt);
    conversation.tell(steps.line, task, sink);
    for (step, number) in steps.elements().zip(1..) {
        // Steps carry the whole prompt with them, which is not needed: only these members are read.
        let member = |name: &str| step.get(name).and_then(Raw::string);
        let Some(action) = member("action") else {
            if step.has_end()
                && let Err(error) = step.json()
            {
                Place::Document.problem(step, "step", &error, sink);
            }
            continue;
        };
        let mut message = Message::of_model();
        message.say(&member("thought").unwrap_or_default());
        let action = action.trim();
        // The harness's own word that a run is over.
        let runs = !action.is_empty() && !action.starts_with("exit_");
        let id = format!("step-{number}");
        if runs {
            message.call(&id, "bash", command(action));
        }
        if let Some(observation) = member("observation").filter(|_| runs) {
            let output = Some(Json::string(&observation));
            message.answer(result_of(&id, Status::Ok, output), "bash");
        }
        conversation.tell(step.line, message, sink);
    }
}

/// The history: messages as they were sent, with demonstrations among them.
fn tell_history(conversation: &mut Conversation, history: Raw<'_>, sink: &mut dyn Sink) {
    let mut heard = Heard::Nothing;
    for element in history.elements() {
        let json = match element.json() {
            Ok(json) => json,
            Err(error) => {
                if element.has_end() {
                    Place::Document.problem(element, "message", &error, sink);
                }
                continue;
            }
        };
        let told = json.view();
        if is_demonstration(told) {
            continue;
        }
        let role = text(told, "role").unwrap_or_default();
        let message = match (&*role, heard) {
            ("assistant", _) => {
                heard = Heard::Action;
                action(told)
            }
            ("user", Heard::Nothing) => {
                heard = Heard::Task;
                let mut message = Message::default();
                message.give_task(&told.get("content").map(words).unwrap_or_default());
                message
            }
            ("user" | "tool", Heard::Action) => observation(told),
            _ => continue,
        };
        conversation.tell(element.line, message, sink);
    }
}

/// The words of the first message of the user that is not a demonstration.
fn first_prompt(history: Raw<'_>) -> Option<String> {
    history.elements().find_map(|element| {
        let json = element.json().ok()?;
        let told = json.view();
        let is_prompt = says(told, "role", "user") && !is_demonstration(told);
        is_prompt.then(|| told.get("content").map(words).unwrap_or_default())
    })
}

fn is_demonstration(told: JsonRef<'_>) -> bool {
    is_true(told, "is_demo") || says(told, "message_type", "demonstration")
}

/// What the history had so far.
#[derive(Clone, Copy)]
enum Heard {
    Nothing,
    Task,
    Action,
}

fn action(told: JsonRef<'_>) -> Message {
    let mut message = Message::of_model();
    let content = told.get("content").map(words).unwrap_or_default();
    let said = text(told, "thought").map_or(content, std::borrow::Cow::into_owned);
    message.say(&said);
    let calls = told.get("tool_calls").map(JsonRef::elements);
    let mut called = false;
    for call in calls.into_iter().flatten() {
        if let Some(function) = call.get("function") {
            called = true;
            let args = arguments(function.get("arguments"));
            message.call(&name(call.get("id")), &name(function.get("name")), args);
        }
    }
    let action = text(told, "action").unwrap_or_default();
    if !called && !action.trim().is_empty() {
        message.call("", "bash", command(action.trim()));
    }
    message
}

fn observation(told: JsonRef<'_>) -> Message {
    let mut message = Message::default();
    let id = told
        .get("tool_call_ids")
        .and_then(|ids| ids.elements().next());
    let content = told.get("content").map(words).unwrap_or_default();
    let output = Some(Json::string(&content));
    message.answer(result_of(&name(id), Status::Ok, output), "");
    message
}

fn command(action: &str) -> Json {
    object_of("command", &Json::string(action))
}

/// What the run used: it is only known as a whole.
fn used(run: Raw<'_>) -> Option<Used> {
    let stats = run.get("info")?.get("model_stats")?.json().ok()?;
    let stats = stats.view();
    integer(stats, "api_calls").filter(|calls| *calls > 0)?;
    let config = run.get("replay_config")?;
    let inner = config.string();
    let config = match &inner {
        Some(text) => Raw::first(text).map(|(config, _)| config),
        None => Some(config),
    };
    let model = config
        .and_then(|config| config.get("agent")?.get("model")?.get("name")?.string())
        .unwrap_or_default();
    Some(Used {
        model: model.as_ref().into(),
        tokens: Tokens {
            input: count(stats, "tokens_sent"),
            output: count(stats, "tokens_received"),
            ..Tokens::default()
        },
        cost_micros: micros(stats.get("instance_cost").and_then(JsonRef::number)),
    })
}

/// Is this a document with steps, or with a history of actions?
pub(super) fn recognises(head: &Head<'_>) -> bool {
    let text = readable(head.bytes);
    let Some((root, _)) = Raw::first(&text).filter(|(root, _)| root.is_object()) else {
        return false;
    };
    let has_all =
        |value: Raw<'_>, names: &[&str]| names.iter().all(|name| value.get(name).is_some());
    let run = match root
        .get("attempts")
        .and_then(|attempts| attempts.elements().next())
    {
        Some(attempt) => attempt,
        None => root,
    };
    let steps = run.get("trajectory").into_iter().flat_map(Raw::elements);
    let mut history = run.get("history").into_iter().flat_map(Raw::elements);
    steps.take(1).any(|step| {
        has_all(step, &["action", "observation"]) || has_all(step, &["action", "response"])
    }) || history.any(|message| {
        has_all(message, &["role", "agent"]) || has_all(message, &["role", "message_type"])
    })
}

#[cfg(test)]
#[path = "swe_agent_tests.rs"]
mod tests;
