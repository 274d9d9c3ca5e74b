//! The formats, one file and one row each, and which one some bytes are in.
//!
//! [`contract`] defines what is known of a format. A new format is a file with its [`FormatSpec`], a `mod` line, and a row in
//! the list below, from which everything that has to know all formats is made.

pub(crate) mod anthropic_messages;
mod atif;
mod claude_code;
mod cline;
mod codex;
mod codex_exec;
mod contract;
mod copilot_cli;
mod events;
pub(crate) mod gemini_api;
mod gemini_cli;
mod inspect;
mod langchain;
mod logged;
mod mini_swe_agent;
pub(crate) mod openai_chat;
pub(crate) mod openai_responses;
mod opencode;
mod openhands;
mod openhands_llm;
mod openinference;
mod otel_genai;
mod pi;
mod qwen_code;
mod swe_agent;

use std::{fmt, str::FromStr};

pub use contract::{Location, Root};
pub(crate) use logged::Wrapped;
pub use opencode::OpenCodeRows;

use crate::{
    head::Head,
    transcript::{Document, Lines, Origin},
};
use contract::{FormatSpec, Reading};

/// How the bytes of a format are to be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Line by line, in any amount.
    Lines,
    /// As a whole.
    Document,
}

/// Declares the formats, in the order in which they are tried.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident => $module:ident::$spec:ident,)*) => {
        /// What wrote a transcript.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// All of them, in the order in which they are tried.
            pub const ALL: &'static [Self] = &[$(Self::$format),*];

            fn spec(self) -> &'static FormatSpec {
                match self { $(Self::$format => &$module::$spec,)* }
            }
        }
    };
}

formats! {
    /// Events as `unstuck check` reads them.
    Events => events::EVENTS,
    // Logs come first: some of their lines may have no prefix, and be taken for all of them.
    /// A log with the `stream-json` output of Claude Code in it.
    ClaudeCodeLog => claude_code::CLAUDE_CODE_LOG,
    /// A log with the output of `codex exec --json` in it.
    CodexExecLog => codex_exec::CODEX_EXEC_LOG,
    /// A log with the output of `opencode run --format json` in it.
    OpenCodeRunLog => opencode::OPENCODE_RUN_LOG,
    // Agents that code.
    /// Sessions and sub-agents of Claude Code, and its `stream-json` output.
    ClaudeCode => claude_code::CLAUDE_CODE,
    /// Rollouts of Codex.
    Codex => codex::CODEX,
    /// What `codex exec --json` prints.
    CodexExec => codex_exec::CODEX_EXEC,
    /// Chats of Gemini CLI.
    GeminiCli => gemini_cli::GEMINI_CLI,
    /// Chats of older versions of Gemini CLI, one document each.
    GeminiCliDocument => gemini_cli::GEMINI_CLI_DOCUMENT,
    /// Chats of Qwen Code.
    QwenCode => qwen_code::QWEN_CODE,
    /// What `opencode export` writes. The rows of OpenCode's database are read by [`OpenCodeRows`].
    OpenCode => opencode::OPENCODE,
    /// What `opencode run --format json` prints.
    OpenCodeRun => opencode::OPENCODE_RUN,
    /// Sessions of Copilot CLI.
    CopilotCli => copilot_cli::COPILOT_CLI,
    /// Sessions of pi.
    Pi => pi::PI,
    /// Tasks of Cline and of Roo Code.
    Cline => cline::CLINE,
    /// Trajectories of SWE-agent.
    SweAgent => swe_agent::SWE_AGENT,
    /// Trajectories of mini-swe-agent.
    MiniSweAgent => mini_swe_agent::MINI_SWE_AGENT,
    /// Events of OpenHands, of its SDK and before it.
    OpenHands => openhands::OPENHANDS,
    /// Completions that OpenHands logs: requests and responses, with calls as text.
    OpenHandsLlm => openhands_llm::OPENHANDS_LLM,
    /// Trajectories in the interchange format of Harbor.
    Atif => atif::ATIF,
    /// Logs of Inspect, as `.json` and as `.eval`.
    Inspect => inspect::INSPECT,
    /// Messages of LangChain.
    LangChain => langchain::LANGCHAIN,
    /// Spans with OpenInference's attributes.
    OpenInference => openinference::OPENINFERENCE,
    /// Spans and logs with OpenTelemetry's attributes for generative AI.
    OtelGenAi => otel_genai::OTEL_GENAI,
    /// Requests to Anthropic's Messages API, and answers.
    AnthropicMessages => anthropic_messages::ANTHROPIC_MESSAGES,
    /// Requests to OpenAI's Responses API, and answers.
    OpenAiResponses => openai_responses::OPENAI_RESPONSES,
    /// Requests to the Gemini API, and answers.
    GeminiApi => gemini_api::GEMINI_API,
    /// Requests to OpenAI's Chat Completions API, answers, and lists of messages.
    OpenAiChat => openai_chat::OPENAI_CHAT,
}

/// What turns a format's bytes into events.
pub(crate) enum Reader {
    Lines(Box<dyn Lines>),
    Document(Document),
}

impl Format {
    /// The format of a transcript, by its first bytes: the beginning of the file, at least the first line where that
    /// is not too long.
    pub fn detect(head: &[u8]) -> Option<Self> {
        let head = Head::new(head);
        let mut formats = Self::ALL.iter().copied();
        formats.find(|format| (format.spec().recognises)(&head))
    }

    /// The name people type.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The agent or tool, as its makers write it.
    pub fn title(self) -> &'static str {
        self.spec().title
    }

    /// The name of the agent that writes it: that of its hooks, or of the format where it has none.
    pub fn agent(self) -> &'static str {
        self.spec().agent
    }

    /// Lines or a document.
    pub fn layout(self) -> Layout {
        match self.spec().reading {
            Reading::Lines(_) => Layout::Lines,
            Reading::Document(_) => Layout::Document,
        }
    }

    /// Endings of its files, each with its dot.
    pub fn endings(self) -> &'static [&'static str] {
        self.spec().endings
    }

    /// Names without endings that all its files have. The session of such a file is named after its directory.
    pub fn files_named_alike(self) -> &'static [&'static str] {
        self.spec().files_named_alike
    }

    /// JSON pointers to the directory of the run, in one of the first lines.
    pub fn directory(self) -> &'static [&'static str] {
        self.spec().directory
    }

    /// Where agents write it.
    pub fn locations(self) -> &'static [Location] {
        self.spec().locations
    }

    /// Can a transcript that begins like this be in this format?
    pub fn recognises(self, head: &[u8]) -> bool {
        (self.spec().recognises)(&Head::new(head))
    }

    pub(crate) fn reader(self, origin: &Origin) -> Reader {
        match self.spec().reading {
            Reading::Lines(begin) => Reader::Lines(begin(origin)),
            Reading::Document(read) => Reader::Document(read),
        }
    }
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
