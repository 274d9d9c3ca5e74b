//! Claude Code: the JSONL files of its sessions and sub-agents, and what `claude -p --output-format stream-json` prints.
//!
//! Most transcripts on most machines are these, and they are long, so a line is walked once and nothing is built from
//! what is not needed: the structured twin of each result, the usage of repeated lines, the envelope.
//!
//! One message of the model is spread over several lines, one for each block of its content. They share the message's
//! id, and each repeats its usage; the last one is right.

use std::{borrow::Cow, collections::VecDeque};

use unstuck::{Call, Json, JsonError, Outcome, Role, Status, Timestamp};
use unstuck_json::{JsonKind, Scanner, Scratch, lossy_text};

use super::{
    contract::{FormatSpec, Location, Reading, Root},
    logged,
};
use crate::{
    head::{Glance, Head},
    members::{for_members, is_true, word},
    outcome,
    sink::{Sink, Tokens},
    time,
    track::{Moment, Used},
    tracks::Tracks,
    transcript::{Lines, Origin},
};

pub(super) static CLAUDE_CODE: FormatSpec = FormatSpec {
    name: "claude-code",
    title: "Claude Code",
    agent: "claude-code",
    recognises: |head| logged::is_plain(head, recognises),
    reading: Reading::Lines(|origin| Box::new(Reader::new(origin))),
    endings: &[".jsonl"],
    files_named_alike: &[],
    directory: &["/cwd"],
    locations: &[
        Location {
            root: Root::Home(".claude", Some("CLAUDE_CONFIG_DIR")),
            under: "projects",
            title: None,
        },
        Location {
            root: Root::Configuration("claude"),
            under: "projects",
            title: None,
        },
    ],
};

pub(super) static CLAUDE_CODE_LOG: FormatSpec = FormatSpec {
    name: "claude-code-log",
    title: "Claude Code",
    agent: "claude-code",
    recognises: |head| logged::recognises(head, recognises),
    reading: Reading::Lines(|origin| Box::new(logged::Reader::new(Reader::new(origin)))),
    endings: &[".log"],
    files_named_alike: &[],
    directory: &[],
    locations: &[],
};

/// Texts in the place of a prompt that no person wrote.
const HARNESS: [&str; 11] = [
    "<system-reminder>",
    "<local-command-",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<user-prompt-submit-hook>",
    "[Request interrupted by user",
    "Caveat: The messages below",
    "Stop hook feedback",
    "This session is being continued from a previous conversation",
    "API Error",
];

/// How results of calls begin that a person or a rule refused.
const DENIED: [&str; 4] = [
    "The user doesn't want to ",
    "Permission to use ",
    "Claude requested permissions to ",
    "PreToolUse:",
];

/// How results of calls begin that were called off.
const CANCELLED: [&str; 4] = [
    "[Request interrupted by user",
    "<tool_use_error>Cancelled",
    "<tool_use_error>Sibling tool call errored",
    "Interrupted by user",
];

pub(crate) struct Reader {
    scratch: Scratch,
    tracks: Tracks,
    session: Box<str>,
    chains: Chains,
}

/// Older versions wrote sub-agents into the session's file without their names: a line belongs to the one whose line it
/// follows by id.
#[derive(Default)]
struct Chains {
    /// The ids of the latest lines and the number of their chain.
    lines: VecDeque<(Box<str>, usize)>,
    begun: usize,
}

impl Chains {
    /// More lines than this are not between a line and the one it follows.
    const MOST: usize = 64;

    fn agent(&mut self, parent: &str, id: &str) -> String {
        let mut lines = self.lines.iter().rev();
        let known = lines.find(|(line, _)| **line == *parent);
        let chain = known.map_or(self.begun + 1, |(_, chain)| *chain);
        self.begun = self.begun.max(chain);
        if self.lines.len() >= Self::MOST {
            self.lines.pop_front();
        }
        self.lines.push_back((id.into(), chain));
        format!("sidechain-{chain}")
    }
}

enum Author {
    Agent,
    Person,
}

/// A line, as far as it is needed.
#[derive(Default)]
struct Line<'a> {
    kind: Cow<'a, str>,
    subtype: Cow<'a, str>,
    session: Option<Cow<'a, str>>,
    agent: Option<Cow<'a, str>>,
    id: Cow<'a, str>,
    parent: Cow<'a, str>,
    at: Option<Timestamp>,
    sidechain: bool,
    /// The harness wrote it in the person's name.
    synthetic: bool,
    /// How its results ended, where the line itself says so.
    ending: Option<Status>,
    message: Message<'a>,
}

#[derive(Default)]
struct Message<'a> {
    id: Cow<'a, str>,
    model: Cow<'a, str>,
    usage: Option<Tokens>,
    content: Vec<Block<'a>>,
}

enum Block<'a> {
    Text(Cow<'a, str>),
    Thinking(Cow<'a, str>),
    Call(Call),
    Result {
        id: Cow<'a, str>,
        output: Option<Json>,
        is_error: bool,
    },
}

/// The members of a block, before it is known what it is.
#[derive(Default)]
struct Fields<'a> {
    kind: Cow<'a, str>,
    text: Cow<'a, str>,
    id: Cow<'a, str>,
    name: Cow<'a, str>,
    json: Option<Json>,
    is_error: bool,
}

impl Reader {
    pub(crate) fn new(origin: &Origin) -> Self {
        Self {
            scratch: Scratch::default(),
            tracks: Tracks::default(),
            session: origin.session.clone(),
            chains: Chains::default(),
        }
    }
}

impl Lines for Reader {
    fn line(&mut self, number: u64, line: &[u8], sink: &mut dyn Sink) -> Result<(), Box<str>> {
        let text = lossy_text(line);
        let line = Line::read(&text, &mut self.scratch).map_err(|error| error.to_string())?;
        let session = line.session.as_deref().unwrap_or(&self.session);
        let chain;
        let agent = match &line.agent {
            Some(agent) => agent,
            None if line.sidechain => {
                chain = self.chains.agent(&line.parent, &line.id);
                &*chain
            }
            None => "main",
        };
        let moment = Moment {
            line: number,
            at: line.at,
        };
        match &*line.kind {
            "assistant" if line.message.model != "<synthetic>" => {
                let track = self.tracks.of(session, agent, sink);
                track.message(&line.message.id, sink);
                if let Some(tokens) = line.message.usage {
                    track.used(
                        moment,
                        Used {
                            model: line.message.model.into(),
                            tokens,
                            cost_micros: None,
                        },
                    );
                }
                for block in line.message.content {
                    match block {
                        Block::Text(text) => track.say(moment, Role::Assistant, &text, sink),
                        Block::Thinking(text) => track.say(moment, Role::Thinking, &text, sink),
                        Block::Call(call) => track.call(moment, call, sink),
                        // Tools of the provider answer within the message.
                        Block::Result {
                            id,
                            output,
                            is_error,
                        } => {
                            let outcome = result(&id, output, is_error);
                            track.result(moment, outcome, sink);
                        }
                    }
                }
            }
            "user" => {
                let track = self.tracks.of(session, agent, sink);
                let prompt = line.prompt().map(str::to_owned);
                let author = line.author();
                for block in line.message.content {
                    if let Block::Result {
                        id,
                        output,
                        is_error,
                    } = block
                    {
                        let mut outcome = result(&id, output, is_error);
                        outcome.status = line.ending.unwrap_or(outcome.status);
                        track.result(moment, outcome, sink);
                    }
                }
                match (prompt, author) {
                    (Some(prompt), Author::Person) => track.asked(moment, &prompt, sink),
                    // A task, and no word of a person: it restarts nothing.
                    (Some(prompt), Author::Agent) => sink.asked(session, agent, &prompt),
                    (None, _) => {}
                }
            }
            "system" if line.subtype == "compact_boundary" => {
                let track = self.tracks.of(session, agent, sink);
                track.compaction(moment, sink);
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.tracks.end(sink);
    }
}

impl<'a> Line<'a> {
    fn read(text: &'a str, scratch: &mut Scratch) -> Result<Self, JsonError> {
        let mut scanner = Scanner::lossy(text, scratch);
        let mut line = Self::default();
        scanner.begin_object()?;
        while let Some(key) = scanner.next_key()? {
            match &*key {
                "type" => line.kind = word(&mut scanner)?.unwrap_or_default(),
                "subtype" => line.subtype = word(&mut scanner)?.unwrap_or_default(),
                "sessionId" | "session_id" => line.session = word(&mut scanner)?,
                "agentId" | "parent_tool_use_id" => {
                    line.agent = word(&mut scanner)?.or(line.agent);
                }
                "uuid" => line.id = word(&mut scanner)?.unwrap_or_default(),
                "parentUuid" => line.parent = word(&mut scanner)?.unwrap_or_default(),
                "timestamp" => {
                    line.at = word(&mut scanner)?.and_then(|text| time::iso(&text));
                }
                "isSidechain" => line.sidechain = is_true(&mut scanner)?,
                "isMeta" | "isCompactSummary" | "isSynthetic" | "isVisibleInTranscriptOnly" => {
                    line.synthetic |= is_true(&mut scanner)?;
                }
                "toolDenialKind" => {
                    if word(&mut scanner)?.is_some() {
                        line.ending = Some(Status::Denied);
                    }
                }
                "permissionDecision" => {
                    for_members(&mut scanner, |key, scanner| {
                        if key != "decision" {
                            return scanner.skip_value();
                        }
                        if word(scanner)?.as_deref() == Some("reject") {
                            line.ending = Some(Status::Denied);
                        }
                        Ok(())
                    })?;
                }
                "toolUseResult" | "tool_use_result" => {
                    for_members(&mut scanner, |key, scanner| {
                        if key != "interrupted" {
                            return scanner.skip_value();
                        }
                        if is_true(scanner)? {
                            line.ending = line.ending.or(Some(Status::Cancelled));
                        }
                        Ok(())
                    })?;
                }
                "message" => line.message = Message::read(&mut scanner)?,
                _ => scanner.skip_value()?,
            }
        }
        scanner.end()?;
        Ok(line)
    }

    /// Who wrote the prompt. Those of sub-agents come from the agent above.
    fn author(&self) -> Author {
        if self.sidechain || self.agent.is_some() {
            Author::Agent
        } else {
            Author::Person
        }
    }

    /// The prompt, unless the harness wrote it.
    fn prompt(&self) -> Option<&str> {
        if self.synthetic {
            return None;
        }
        self.message.content.iter().find_map(|block| match block {
            Block::Text(text) => {
                let text = text.trim_start();
                let is_harness = HARNESS.iter().any(|start| text.starts_with(start));
                (!text.is_empty() && !is_harness).then_some(text)
            }
            _ => None,
        })
    }
}

impl<'a> Message<'a> {
    fn read(scanner: &mut Scanner<'a, '_>) -> Result<Self, JsonError> {
        let mut message = Self::default();
        for_members(scanner, |key, scanner| {
            match key {
                "id" => message.id = word(scanner)?.unwrap_or_default(),
                "model" => message.model = word(scanner)?.unwrap_or_default(),
                "usage" => message.usage = usage(scanner)?,
                "content" => match scanner.peek_kind()? {
                    JsonKind::String => message.content.push(Block::Text(scanner.string()?)),
                    JsonKind::Array => {
                        scanner.begin_array()?;
                        while scanner.next_element()? {
                            message.content.extend(block(scanner)?);
                        }
                    }
                    _ => scanner.skip_value()?,
                },
                _ => scanner.skip_value()?,
            }
            Ok(())
        })?;
        Ok(message)
    }
}

fn block<'a>(scanner: &mut Scanner<'a, '_>) -> Result<Option<Block<'a>>, JsonError> {
    let mut fields = Fields::default();
    for_members(scanner, |key, scanner| {
        match key {
            "type" => fields.kind = word(scanner)?.unwrap_or_default(),
            "text" | "thinking" => fields.text = word(scanner)?.unwrap_or_default(),
            "id" | "tool_use_id" => fields.id = word(scanner)?.unwrap_or_default(),
            "name" => fields.name = word(scanner)?.unwrap_or_default(),
            "input" => fields.json = Some(scanner.canonical()?),
            "content" => fields.json = Some(content(scanner)?),
            "is_error" => fields.is_error = is_true(scanner)?,
            _ => scanner.skip_value()?,
        }
        Ok(())
    })?;
    Ok(match &*fields.kind {
        "text" => Some(Block::Text(fields.text)),
        "thinking" => Some(Block::Thinking(fields.text)),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => Some(Block::Call(Call::new(
            fields.id,
            fields.name,
            fields.json.unwrap_or_else(Json::empty_object),
        ))),
        kind if kind.ends_with("tool_result") => Some(Block::Result {
            id: fields.id,
            output: fields.json,
            is_error: fields.is_error,
        }),
        _ => None,
    })
}

/// What a result holds: a string mostly, else blocks, of which a single text is as good as a string.
fn content(scanner: &mut Scanner<'_, '_>) -> Result<Json, JsonError> {
    if scanner.peek_kind()? == JsonKind::Array {
        let raw = scanner.raw()?;
        return Ok(outcome::content(Json::lossy(raw.as_bytes())?.view()));
    }
    scanner.canonical()
}

fn usage(scanner: &mut Scanner<'_, '_>) -> Result<Option<Tokens>, JsonError> {
    let mut tokens = Tokens::default();
    for_members(scanner, |key, scanner| {
        let count = match key {
            "input_tokens" => &mut tokens.input,
            "output_tokens" => &mut tokens.output,
            "cache_read_input_tokens" => &mut tokens.cache_read,
            "cache_creation_input_tokens" => &mut tokens.cache_write,
            _ => return scanner.skip_value(),
        };
        *count = scanner.raw()?.parse().unwrap_or(0);
        Ok(())
    })?;
    Ok((tokens.total() > 0).then_some(tokens))
}

/// How a call ended, by its result.
fn result(id: &str, output: Option<Json>, is_error: bool) -> Outcome {
    if !is_error {
        return outcome::outcome(id, Status::Ok, output);
    }
    let text = output.as_ref().map_or("", Json::as_str);
    let text = text.strip_prefix('"').unwrap_or(text);
    let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    let status = if begins(&DENIED) {
        Status::Denied
    } else if begins(&CANCELLED) {
        Status::Cancelled
    } else {
        Status::Error
    };
    let exit_code = text.strip_prefix("Exit code ").and_then(outcome::integer);
    let mut outcome = outcome::outcome(id, status, output);
    outcome.exit_code = exit_code;
    outcome
}

/// Does one of the first lines look like one of Claude Code's?
fn recognises(head: &Head<'_>) -> bool {
    /// Kinds of lines that only it writes.
    const OWN: [&str; 6] = [
        "queue-operation",
        "file-history-snapshot",
        "last-prompt",
        "tools-used",
        "attachment",
        "progress",
    ];
    let in_session = |line: &Glance| line.has("sessionId") || line.has("session_id");
    head.any_line(|line| match line.text("type") {
        Some("user" | "assistant") => {
            (in_session(line) || line.has("isSidechain"))
                && line.has("message.content")
                && line.has("message.role")
        }
        Some("system") => in_session(line) && line.has("subtype") && !line.has("systemPayload"),
        Some("summary") => line.has("leafUuid"),
        Some(kind) => OWN.contains(&kind) && (in_session(line) || line.has("messageId")),
        None => false,
    })
}

#[cfg(test)]
#[path = "claude_code_tests.rs"]
mod tests;
