//! mini-swe-agent's trajectories: a document with messages, or of old the bare list of them. Every action is a command
//! for the shell, called as a tool or written in a fence.

use unstuck::{Json, Status};
use unstuck_json::JsonRef;

use super::contract::{FormatSpec, Location, Reading, Root};
use super::openai_responses;
use crate::{
    conversation::Conversation,
    elements::Raw,
    head::Head,
    look::{at, count, integer, micros, present, says, text, tokens_with_cache, words},
    message::{Message, arguments, name, object_of},
    readable::readable,
    said::result_of,
    sink::Sink,
    time::time,
    track::Used,
    transcript::Origin,
    values::{Place, unfinished},
};

pub(super) static MINI_SWE_AGENT: FormatSpec = FormatSpec {
    name: "mini-swe-agent",
    title: "mini-swe-agent",
    agent: "mini-swe-agent",
    recognises,
    reading: Reading::Document(read),
    endings: &[".traj", ".json"],
    files_named_alike: &[],
    directory: &[],
    locations: &[Location {
        root: Root::Configuration("mini-swe-agent"),
        under: "last_mini_run.traj.json",
        title: None,
    }],
};

/// How commands are fenced, the newest way first.
const FENCES: [&str; 2] = ["```mswea_bash_command", "```bash"];

fn read(origin: &Origin, bytes: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
    let text = readable(bytes);
    let Some((root, _)) = Raw::first(&text) else {
        return Err("the document is empty".into());
    };
    let messages = if root.is_array() {
        Some(root)
    } else {
        root.get("messages")
    };
    let mut run = Run {
        conversation: Conversation::new(&origin.session, ""),
        heard: Heard::Nothing,
        open: 0,
        paid: false,
    };
    for element in messages.into_iter().flat_map(Raw::elements) {
        match element.json() {
            Ok(json) => run.tell(json.view(), element.line, sink),
            Err(error) if element.has_end() => {
                Place::Document.problem(element, "message", &error, sink);
            }
            Err(_) => {}
        }
    }
    let info = root.get("info").and_then(|info| info.json().ok());
    if let Some(info) = info.filter(|_| !run.paid) {
        run.pay_at_once(info.view(), sink);
    }
    run.conversation.end(sink);
    if let Some(problem) = unfinished(root) {
        sink.incomplete(problem);
    }
    Ok(())
}

struct Run {
    conversation: Conversation,
    heard: Heard,
    /// Commands whose output did not come yet.
    open: usize,
    /// Was the cost of single requests told?
    paid: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Nothing,
    Task,
}

impl Run {
    fn tell(&mut self, told: JsonRef<'_>, number: u64, sink: &mut dyn Sink) {
        let extra = told.get("extra");
        let role = text(told, "role").unwrap_or_default();
        let of_model = role == "assistant" || says(told, "object", "response");
        let returned =
            matches!(&*role, "tool" | "exit") || says(told, "type", "function_call_output");
        let mut message = if of_model {
            self.action(told, extra)
        } else if returned || (role == "user" && self.open > 0) {
            self.observation(told, extra)
        } else if role == "user" && self.heard == Heard::Nothing {
            let mut message = Message::default();
            message.give_task(&told.get("content").map(words).unwrap_or_default());
            message
        } else {
            return;
        };
        if role == "user" {
            self.heard = Heard::Task;
        }
        message.number = number;
        message.at = extra.and_then(|extra| time(extra.get("timestamp")?));
        self.paid |= message.used.is_some();
        self.conversation.tell(number, message, sink);
    }

    fn action(&mut self, told: JsonRef<'_>, extra: Option<JsonRef<'_>>) -> Message {
        let mut message = Message::of_model();
        message.used = extra.and_then(|extra| used(told, extra));
        if let Some(output) = told.get("output") {
            let mut items = vec![message];
            for item in output.elements() {
                openai_responses::item(item, 0, &mut items);
            }
            message = items.swap_remove(0);
            self.open = message.calls();
            return message;
        }
        if let Some(thought) = text(told, "reasoning_content") {
            message.think(&thought);
        }
        let content = told.get("content").map(words).unwrap_or_default();
        let fenced = fenced(&content);
        message.say(fenced.map_or(&*content, |(before, _)| before));
        let calls = present(told, "tool_calls");
        let actions = extra.and_then(|extra| present(extra, "actions"));
        if let Some(calls) = calls.filter(|calls| calls.elements().next().is_some()) {
            for call in calls.elements() {
                if let Some(function) = call.get("function") {
                    let args = arguments(function.get("arguments"));
                    message.call(&name(call.get("id")), &name(function.get("name")), args);
                }
            }
        } else if let Some(actions) = actions {
            for action in actions.elements() {
                let command = text(action, "command").or_else(|| action.text());
                let id = name(action.get("tool_call_id"));
                message.call(&id, "bash", bash(&command.unwrap_or_default()));
            }
        } else if let Some((_, command)) = fenced {
            message.call("", "bash", bash(command));
        }
        self.open = message.calls();
        message
    }

    fn observation(&mut self, told: JsonRef<'_>, extra: Option<JsonRef<'_>>) -> Message {
        self.open = self.open.saturating_sub(1);
        let mut message = Message::default();
        let id = name(told.get("tool_call_id").or_else(|| told.get("call_id")));
        let content = told.get("content").or_else(|| told.get("output"));
        let output = Json::string(&content.map(words).unwrap_or_default());
        let mut outcome = result_of(&id, Status::Ok, Some(output));
        let code = extra.and_then(|extra| integer(extra, "returncode"));
        outcome.exit_code = code.or(outcome.exit_code);
        message.answer(outcome, "bash");
        message
    }

    /// The cost of the whole run, where single requests have none.
    fn pay_at_once(&mut self, info: JsonRef<'_>, sink: &mut dyn Sink) {
        let cost = at(info, &["model_stats", "instance_cost"]).and_then(JsonRef::number);
        let Some(cost_micros) = micros(cost).filter(|cost| *cost > 0) else {
            return;
        };
        let model = at(info, &["config", "model", "model_name"]);
        let used = Used {
            model: name(model),
            cost_micros: Some(cost_micros),
            ..Used::default()
        };
        self.conversation.pay_for_run(vec![used], sink);
    }
}

/// What was said before the one fenced command, and the command. Two of them are none: the agent refuses that.
fn fenced(content: &str) -> Option<(&str, &str)> {
    FENCES.iter().find_map(|fence| {
        let mut found = content.match_indices(fence);
        let (at, _) = found.next()?;
        if found.next().is_some() {
            return None;
        }
        let (_, body) = content[at + fence.len()..].split_once('\n')?;
        let end = body.find("\n```")?;
        Some((&content[..at], body[..end].trim()))
    })
}

fn bash(command: &str) -> Json {
    object_of("command", &Json::string(command))
}

fn used(told: JsonRef<'_>, extra: JsonRef<'_>) -> Option<Used> {
    let cost_micros = micros(extra.get("cost").and_then(JsonRef::number));
    // The answer is kept beside the message, or is the message.
    let answer = present(extra, "response").unwrap_or(told);
    let usage = present(answer, "usage");
    if usage.is_none() && cost_micros.is_none() {
        return None;
    }
    let number = |chat: &str, responses: &str| {
        usage.map_or(0, |usage| count(usage, chat).max(count(usage, responses)))
    };
    let cached = usage.and_then(|usage| {
        let details = ["prompt_tokens_details", "input_tokens_details"];
        details.iter().find_map(|name| present(usage, name))
    });
    Some(Used {
        model: name(answer.get("model")),
        tokens: tokens_with_cache(
            number("prompt_tokens", "input_tokens"),
            number("completion_tokens", "output_tokens"),
            cached.map_or(0, |details| count(details, "cached_tokens")),
            0,
        ),
        cost_micros,
    })
}

/// Does the document say so, or do its messages have what only this agent's have?
pub(super) fn recognises(head: &Head<'_>) -> bool {
    /// How many messages are looked at.
    const MESSAGES: usize = 24;
    let text = readable(head.bytes);
    let Some((root, _)) = Raw::first(&text) else {
        return false;
    };
    let names_itself = || {
        let format = root.get("trajectory_format").and_then(Raw::string);
        let version = root.get("info").and_then(|info| info.get("mini_version"));
        format.is_some_and(|format| format.starts_with("mini-swe-agent")) || version.is_some()
    };
    if !root.is_array() {
        return names_itself();
    }
    root.elements().take(MESSAGES).any(|message| {
        let content = message.get("content").and_then(Raw::string);
        let content = content.unwrap_or_default();
        let role = message.get("role").and_then(Raw::string);
        let extra = message.get("extra");
        let of_ours = |name: &str| extra.is_some_and(|extra| extra.get(name).is_some());
        match role.as_deref() {
            Some("system" | "assistant") => content.contains(FENCES[0]) || of_ours("actions"),
            Some("user" | "tool") => content.starts_with("<returncode>") || of_ours("returncode"),
            _ => false,
        }
    })
}

#[cfg(test)]
#[path = "mini_swe_agent_tests.rs"]
mod tests;
