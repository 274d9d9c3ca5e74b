//! The formats, and which one some bytes are in.

mod events;

mod anthropic_messages;
mod atif;
mod gemini_api;
mod inspect;
mod langchain;
mod mini_swe_agent;
mod openai_chat;
mod openai_responses;
mod openhands;
mod openinference;
mod otel_genai;
mod swe_agent;

use std::{fmt, str::FromStr};

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
    /// Trajectories of SWE-agent.
    SweAgent,
    /// Trajectories of mini-swe-agent.
    MiniSweAgent,
    /// Events of OpenHands, of its SDK and before it.
    OpenHands,
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
        Self::SweAgent,
        Self::MiniSweAgent,
        Self::OpenHands,
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
            .find(|format| format.recognises(&head))
    }

    /// The name people type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::SweAgent => "swe-agent",
            Self::MiniSweAgent => "mini-swe-agent",
            Self::OpenHands => "openhands",
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
            Self::SweAgent => "SWE-agent",
            Self::MiniSweAgent => "mini-swe-agent",
            Self::OpenHands => "OpenHands",
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
    pub fn layout(self) -> Layout {
        match self {
            Self::Events => Layout::Lines,
            Self::SweAgent | Self::MiniSweAgent | Self::Atif | Self::Inspect => Layout::Document,
            // These are kept both ways, and a document is gathered from its lines.
            Self::OpenHands
            | Self::LangChain
            | Self::OpenInference
            | Self::OtelGenAi
            | Self::AnthropicMessages
            | Self::OpenAiResponses
            | Self::GeminiApi
            | Self::OpenAiChat => Layout::Lines,
        }
    }

    fn recognises(self, head: &Head<'_>) -> bool {
        match self {
            Self::Events => events::recognises(head),
            Self::SweAgent => swe_agent::recognises(head),
            Self::MiniSweAgent => mini_swe_agent::recognises(head),
            Self::OpenHands => openhands::recognises(head),
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
            Self::SweAgent => Reader::Document(swe_agent::read),
            Self::MiniSweAgent => Reader::Document(mini_swe_agent::read),
            Self::OpenHands => Reader::Lines(Box::new(openhands::reader(origin))),
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
