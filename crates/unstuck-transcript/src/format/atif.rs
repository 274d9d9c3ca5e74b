//! ATIF, the interchange format of trajectories that Harbor writes for many agents.

use unstuck::Status;
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Reading};
use crate::{
    conversation::Conversation,
    elements::Raw,
    head::Head,
    look::{count, integer, is_true, micros, present, text, tokens_with_cache, words},
    message::{Message, arguments, name},
    readable::readable,
    said::result,
    sink::Sink,
    time::time,
    track::Used,
    transcript::Origin,
    values::{Place, unfinished},
};

pub(super) static ATIF: FormatSpec = FormatSpec {
    name: "atif",
    title: "ATIF",
    agent: "atif",
    recognises,
    reading: Reading::Document(read),
    endings: &[".json"],
    files_named_alike: &["trajectory"],
    directory: &[],
    locations: &[],
};

/// Agents call agents, but no sane trajectory goes deeper than this.
const DEEPEST: usize = 16;

fn read(origin: &Origin, bytes: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
    let text = readable(bytes);
    let Some((root, _)) = Raw::first(&text) else {
        return Err("the document is empty".into());
    };
    let session = root.get("session_id").and_then(Raw::string);
    let session = session.filter(|session| !session.is_empty());
    trajectory(
        root,
        session.as_deref().unwrap_or(&origin.session),
        "",
        0,
        sink,
    );
    if let Some(problem) = unfinished(root) {
        sink.incomplete(problem);
    }
    Ok(())
}

/// One agent's steps, then those of the agents it called.
fn trajectory(told: Raw<'_>, session: &str, agent: &str, depth: usize, sink: &mut dyn Sink) {
    let mut conversation = Conversation::new(session, agent);
    let model = told
        .get("agent")
        .and_then(|agent| agent.get("model_name")?.string());
    let model = model.unwrap_or_default();
    let steps = told.get("steps").into_iter().flat_map(Raw::elements);
    for element in steps {
        match element.json() {
            Ok(json) => {
                let told = json.view();
                // A context that was taken over was reported in the run it comes from.
                if !is_true(told, "is_copied_context") {
                    conversation.tell(element.line, step(told, &model), sink);
                }
            }
            Err(error) if element.has_end() => {
                Place::Document.problem(element, "step", &error, sink);
            }
            Err(_) => {}
        }
    }
    conversation.end(sink);
    if depth == DEEPEST {
        return;
    }
    let called = told
        .get("subagent_trajectories")
        .into_iter()
        .flat_map(Raw::elements);
    for (inner, number) in called.zip(1..) {
        let id = inner
            .get("trajectory_id")
            .or_else(|| inner.get("session_id"));
        let id = id.and_then(Raw::string);
        let agent = match id {
            Some(id) if !id.is_empty() => id.into_owned(),
            _ if agent.is_empty() => format!("subagent-{number}"),
            _ => format!("{agent}/subagent-{number}"),
        };
        trajectory(inner, session, &agent, depth + 1, sink);
    }
}

fn step(told: JsonRef<'_>, model: &str) -> Message {
    let source = text(told, "source").unwrap_or_default();
    let said = told.get("message").map(words).unwrap_or_default();
    let mut message = match &*source {
        "agent" => Message::of_model(),
        _ => Message::default(),
    };
    match &*source {
        "agent" => {
            message.think(&text(told, "reasoning_content").unwrap_or_default());
            message.say(&said);
        }
        "user" => message.ask(&said),
        _ => {}
    }
    let calls = told
        .get("tool_calls")
        .into_iter()
        .flat_map(JsonRef::elements);
    for call in calls {
        let args = arguments(call.get("arguments"));
        message.call(
            &name(call.get("tool_call_id")),
            &name(call.get("function_name")),
            args,
        );
    }
    let observed = told
        .get("observation")
        .and_then(|observed| observed.get("results"));
    for told in observed.into_iter().flat_map(JsonRef::elements) {
        let id = name(told.get("source_call_id"));
        // An observation without a call is not a result.
        if id.is_empty() && message.calls() == 0 {
            continue;
        }
        let extra = told.get("extra");
        let failed = extra.is_some_and(|extra| is_true(extra, "is_error"));
        let status = if failed { Status::Error } else { Status::Ok };
        let mut outcome = result(&id, status, present(told, "content"));
        let code = extra
            .and_then(|extra| integer(extra, "exit_code").or_else(|| integer(extra, "returncode")));
        outcome.exit_code = code.or(outcome.exit_code);
        message.answer(outcome, "");
    }
    message.at = told.get("timestamp").and_then(time);
    message.used = used(told, model);
    message
}

fn used(told: JsonRef<'_>, model: &str) -> Option<Used> {
    let metrics = present(told, "metrics")?;
    let own = name(told.get("model_name"));
    let extra = metrics.get("extra");
    let written = extra.map_or(0, |extra| count(extra, "cache_creation_input_tokens"));
    Some(Used {
        model: if own.is_empty() { model.into() } else { own },
        tokens: tokens_with_cache(
            count(metrics, "prompt_tokens"),
            count(metrics, "completion_tokens"),
            count(metrics, "cached_tokens"),
            written,
        ),
        cost_micros: micros(metrics.get("cost_usd").and_then(JsonRef::number)),
    })
}

/// Does the document say so?
fn recognises(head: &Head<'_>) -> bool {
    let schema = head.first.text("schema_version");
    schema.is_some_and(|schema| schema.starts_with("ATIF-"))
}
