//! The formats, and which one some bytes are in.

mod claude_code;
mod codex;
mod codex_exec;
mod copilot_cli;
mod events;
mod gemini_cli;
mod logged;
mod opencode;
mod pi;
mod qwen_code;

mod anthropic_messages;
mod atif;
mod cline;
mod gemini_api;
mod inspect;
mod langchain;
mod mini_swe_agent;
mod openai_chat;
mod openai_responses;
mod openhands;
mod openhands_llm;
mod openinference;
mod otel_genai;
mod swe_agent;

use std::{fmt, str::FromStr};

pub(crate) use logged::Wrapped;
pub use opencode::OpenCodeRows;

use crate::{
    head::Head,
    transcript::{Document, Lines, Origin},
};

/// How the bytes of a format are to be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Line by line, in any amount.
    Lines,
    /// As a whole.
    Document,
}

/// What wrote a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Events as `unstuck check` reads them.
    Events,

    /// Sessions and sub-agents of Claude Code, and its `stream-json` output.
    ClaudeCode,
    /// Rollouts of Codex.
    Codex,
    /// What `codex exec --json` prints.
    CodexExec,
    /// Chats of Gemini CLI.
    GeminiCli,
    /// Chats of older versions of Gemini CLI, one document each.
    GeminiCliDocument,
    /// Chats of Qwen Code.
    QwenCode,
    /// What `opencode export` writes. The rows of OpenCode's database are read by [`OpenCodeRows`].
    OpenCode,
    /// What `opencode run --format json` prints.
    OpenCodeRun,
    /// Sessions of Copilot CLI.
    CopilotCli,
    /// Sessions of pi.
    Pi,
    /// Tasks of Cline and of Roo Code.
    Cline,
    /// A log with the `stream-json` output of Claude Code in it.
    ClaudeCodeLog,
    /// A log with the output of `codex exec --json` in it.
    CodexExecLog,
    /// A log with the output of `opencode run --format json` in it.
    OpenCodeRunLog,

    /// Trajectories of SWE-agent.
    SweAgent,
    /// Trajectories of mini-swe-agent.
    MiniSweAgent,
    /// Events of OpenHands, of its SDK and before it.
    OpenHands,
    /// Completions that OpenHands logs: requests and responses, with calls as text.
    OpenHandsLlm,
    /// Trajectories in the interchange format of Harbor.
    Atif,
    /// Logs of Inspect, as `.json` and as `.eval`.
    Inspect,
    /// Messages of LangChain.
    LangChain,
    /// Spans with OpenInference's attributes.
    OpenInference,
    /// Spans and logs with OpenTelemetry's attributes for generative AI.
    OtelGenAi,
    /// Requests to Anthropic's Messages API, and answers.
    AnthropicMessages,
    /// Requests to OpenAI's Responses API, and answers.
    OpenAiResponses,
    /// Requests to the Gemini API, and answers.
    GeminiApi,
    /// Requests to OpenAI's Chat Completions API, answers, and lists of messages.
    OpenAiChat,
}

/// What turns a format's bytes into events.
pub(crate) enum Reader {
    Lines(Box<dyn Lines>),
    Document(Document),
}

impl Format {
    /// All of them, in the order they are tried.
    pub const ALL: &'static [Self] = &[
        Self::Events,
        // Logs come first: some of their lines may have no prefix, and be taken for all of them.
        Self::ClaudeCodeLog,
        Self::CodexExecLog,
        Self::OpenCodeRunLog,
        // Agents that code.
        Self::ClaudeCode,
        Self::Codex,
        Self::CodexExec,
        Self::GeminiCli,
        Self::GeminiCliDocument,
        Self::QwenCode,
        Self::OpenCode,
        Self::OpenCodeRun,
        Self::CopilotCli,
        Self::Pi,
        Self::Cline,
        Self::SweAgent,
        Self::MiniSweAgent,
        Self::OpenHands,
        Self::OpenHandsLlm,
        Self::Atif,
        Self::Inspect,
        Self::LangChain,
        Self::OpenInference,
        Self::OtelGenAi,
        Self::AnthropicMessages,
        Self::OpenAiResponses,
        Self::GeminiApi,
        Self::OpenAiChat,
    ];

    /// The format of a transcript, by its first bytes: the beginning of the file, at least the first line where that
    /// is not too long.
    pub fn detect(head: &[u8]) -> Option<Self> {
        let head = Head::new(head);
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.is_that_of(&head))
    }

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Events => "events",

            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::CodexExec => "codex-exec",
            Self::GeminiCli => "gemini-cli",
            Self::GeminiCliDocument => "gemini-cli-document",
            Self::QwenCode => "qwen-code",
            Self::OpenCode => "opencode",
            Self::OpenCodeRun => "opencode-run",
            Self::CopilotCli => "copilot-cli",
            Self::Pi => "pi",
            Self::Cline => "cline",
            Self::ClaudeCodeLog => "claude-code-log",
            Self::CodexExecLog => "codex-exec-log",
            Self::OpenCodeRunLog => "opencode-run-log",

            Self::SweAgent => "swe-agent",
            Self::MiniSweAgent => "mini-swe-agent",
            Self::OpenHands => "openhands",
            Self::OpenHandsLlm => "openhands-llm",
            Self::Atif => "atif",
            Self::Inspect => "inspect",
            Self::LangChain => "langchain",
            Self::OpenInference => "openinference",
            Self::OtelGenAi => "otel-genai",
            Self::AnthropicMessages => "anthropic-messages",
            Self::OpenAiResponses => "openai-responses",
            Self::GeminiApi => "gemini-api",
            Self::OpenAiChat => "openai-chat",
        }
    }

    /// The agent or tool, as its makers write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Events => "unstuck events",

            Self::ClaudeCode | Self::ClaudeCodeLog => "Claude Code",
            Self::Codex | Self::CodexExec | Self::CodexExecLog => "Codex",
            Self::GeminiCli | Self::GeminiCliDocument => "Gemini CLI",
            Self::QwenCode => "Qwen Code",
            Self::OpenCode | Self::OpenCodeRun | Self::OpenCodeRunLog => "OpenCode",
            Self::CopilotCli => "Copilot CLI",
            Self::Pi => "pi",
            Self::Cline => "Cline",

            Self::SweAgent => "SWE-agent",
            Self::MiniSweAgent => "mini-swe-agent",
            Self::OpenHands | Self::OpenHandsLlm => "OpenHands",
            Self::Atif => "ATIF",
            Self::Inspect => "Inspect",
            Self::LangChain => "LangChain",
            Self::OpenInference => "OpenInference",
            Self::OtelGenAi => "OpenTelemetry GenAI",
            Self::AnthropicMessages => "Anthropic Messages",
            Self::OpenAiResponses => "OpenAI Responses",
            Self::GeminiApi => "Gemini API",
            Self::OpenAiChat => "OpenAI Chat",
        }
    }

    /// Lines or a document.
    #[expect(
        clippy::match_same_arms,
        reason = "coding agents, harnesses and interfaces stay apart, as everywhere here"
    )]
    pub fn layout(self) -> Layout {
        match self {
            Self::Events => Layout::Lines,

            Self::ClaudeCode
            | Self::Codex
            | Self::CodexExec
            | Self::GeminiCli
            | Self::QwenCode
            | Self::OpenCodeRun
            | Self::CopilotCli
            | Self::Pi
            | Self::ClaudeCodeLog
            | Self::CodexExecLog
            | Self::OpenCodeRunLog => Layout::Lines,
            Self::GeminiCliDocument | Self::OpenCode => Layout::Document,

            Self::SweAgent | Self::MiniSweAgent | Self::Atif | Self::Inspect => Layout::Document,
            // These are kept both ways, and a document is gathered from its lines.
            Self::Cline
            | Self::OpenHands
            | Self::OpenHandsLlm
            | Self::LangChain
            | Self::OpenInference
            | Self::OtelGenAi
            | Self::AnthropicMessages
            | Self::OpenAiResponses
            | Self::GeminiApi
            | Self::OpenAiChat => Layout::Lines,
        }
    }

    /// Can a transcript that begins like this be in this format?
    pub fn recognises(self, head: &[u8]) -> bool {
        self.is_that_of(&Head::new(head))
    }

    fn is_that_of(self, head: &Head<'_>) -> bool {
        match self {
            Self::Events => events::recognises(head),

            Self::ClaudeCode => plain(head, claude_code::recognises),
            Self::Codex => codex::recognises(head),
            Self::CodexExec => plain(head, codex_exec::recognises),
            Self::GeminiCli => gemini_cli::recognises(head),
            Self::GeminiCliDocument => gemini_cli::recognises_document(head),
            Self::QwenCode => qwen_code::recognises(head),
            Self::OpenCode => opencode::recognises(head),
            Self::OpenCodeRun => plain(head, opencode::recognises_run),
            Self::CopilotCli => copilot_cli::recognises(head),
            Self::Pi => pi::recognises(head),
            Self::Cline => cline::recognises(head),
            Self::ClaudeCodeLog => logged::recognises(head, claude_code::recognises),
            Self::CodexExecLog => logged::recognises(head, codex_exec::recognises),
            Self::OpenCodeRunLog => logged::recognises(head, opencode::recognises_run),

            Self::SweAgent => swe_agent::recognises(head),
            Self::MiniSweAgent => mini_swe_agent::recognises(head),
            Self::OpenHands => openhands::recognises(head),
            Self::OpenHandsLlm => openhands_llm::recognises(head),
            Self::Atif => atif::recognises(head),
            Self::Inspect => inspect::recognises(head),
            Self::LangChain => langchain::recognises(head),
            Self::OpenInference => openinference::recognises(head),
            Self::OtelGenAi => otel_genai::recognises(head),
            Self::AnthropicMessages => anthropic_messages::recognises(head),
            Self::OpenAiResponses => openai_responses::recognises(head),
            Self::GeminiApi => gemini_api::recognises(head),
            Self::OpenAiChat => openai_chat::recognises(head),
        }
    }

    pub(crate) fn reader(self, origin: &Origin) -> Reader {
        match self {
            Self::Events => Reader::Lines(Box::new(events::Reader::new(origin))),

            Self::ClaudeCode => Reader::Lines(Box::new(claude_code::Reader::new(origin))),
            Self::Codex => Reader::Lines(Box::new(codex::Reader::new(origin))),
            Self::CodexExec => Reader::Lines(Box::new(codex_exec::Reader::new(origin))),
            Self::GeminiCli => Reader::Lines(Box::new(gemini_cli::Reader::new(origin))),
            Self::GeminiCliDocument => Reader::Document(gemini_cli::document),
            Self::QwenCode => Reader::Lines(Box::new(qwen_code::Reader::new(origin))),
            Self::OpenCode => Reader::Document(opencode::document),
            Self::OpenCodeRun => Reader::Lines(Box::new(opencode::RunReader::new(origin))),
            Self::CopilotCli => Reader::Lines(Box::new(copilot_cli::Reader::new(origin))),
            Self::Pi => Reader::Lines(Box::new(pi::Reader::new(origin))),
            Self::Cline => Reader::Lines(Box::new(cline::reader(origin))),
            Self::ClaudeCodeLog => logged(claude_code::Reader::new(origin)),
            Self::CodexExecLog => logged(codex_exec::Reader::new(origin)),
            Self::OpenCodeRunLog => logged(opencode::RunReader::new(origin)),

            Self::SweAgent => Reader::Document(swe_agent::read),
            Self::MiniSweAgent => Reader::Document(mini_swe_agent::read),
            Self::OpenHands => Reader::Lines(Box::new(openhands::reader(origin))),
            Self::OpenHandsLlm => Reader::Lines(Box::new(openhands_llm::reader(origin))),
            Self::Atif => Reader::Document(atif::read),
            Self::Inspect => Reader::Document(inspect::read),
            Self::LangChain => Reader::Lines(Box::new(langchain::reader(origin))),
            Self::OpenInference => Reader::Lines(Box::new(openinference::reader(origin))),
            Self::OtelGenAi => Reader::Lines(Box::new(otel_genai::reader(origin))),
            Self::AnthropicMessages => Reader::Lines(Box::new(anthropic_messages::reader(origin))),
            Self::OpenAiResponses => Reader::Lines(Box::new(openai_responses::reader(origin))),
            Self::GeminiApi => Reader::Lines(Box::new(gemini_api::reader(origin))),
            Self::OpenAiChat => Reader::Lines(Box::new(openai_chat::reader(origin))),
        }
    }
}

/// Are these the lines of a format, and not those of a log?
fn plain(head: &Head<'_>, recognises: fn(&Head<'_>) -> bool) -> bool {
    recognises(head) && !logged::recognises(head, recognises)
}

/// Reads a log with the lines of another format in it.
fn logged(inner: impl Lines + 'static) -> Reader {
    Reader::Lines(Box::new(logged::Reader::new(inner)))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No format of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(Box<str>);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no transcript format is called `{}`", self.0)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.into()))
    }
}
