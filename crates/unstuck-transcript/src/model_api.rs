//! Messages of the APIs of models, one at a time: for programs between an agent and its model, which have requests and
//! answers instead of recordings.

use unstuck_json::JsonRef;

use crate::{
    api::Api,
    format::{
        anthropic_messages::Messages, gemini_api::Contents, openai_chat::Chat,
        openai_responses::Responses,
    },
    message::Message,
};

/// An API of models.
///
/// ```
/// use unstuck_json::Json;
/// use unstuck_transcript::{ModelApi, Part};
///
/// let told = Json::parse(r#"{"role":"tool","tool_call_id":"c1","content":"no such file"}"#)?;
/// let mut messages = Vec::new();
/// ModelApi::OpenAiChat.element(told.view(), &mut messages);
/// assert!(matches!(messages[0].parts[0], Part::Returned { .. }));
/// # Ok::<(), unstuck_json::JsonError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelApi {
    /// Anthropic's Messages API.
    AnthropicMessages,
    /// The Chat Completions API.
    OpenAiChat,
    /// The Responses API.
    OpenAiResponses,
    /// The `generateContent` API.
    GeminiApi,
}

impl ModelApi {
    /// Reads one element of the history of a request. Several elements can be one message: what the model says goes on with
    /// the last of `messages` where the API has elements for parts of a message.
    pub fn element(self, element: JsonRef<'_>, messages: &mut Vec<Message>) {
        let read = match self {
            Self::AnthropicMessages => Messages::element,
            Self::OpenAiChat => Chat::element,
            Self::OpenAiResponses => Responses::element,
            Self::GeminiApi => Contents::element,
        };
        read(element, 0, messages);
    }

    /// Reads the model's answer, with what it used.
    pub fn answer(self, body: JsonRef<'_>) -> Option<Message> {
        match self {
            Self::AnthropicMessages => Messages::answer(body),
            Self::OpenAiChat => Chat::answer(body),
            Self::OpenAiResponses => Responses::answer(body),
            Self::GeminiApi => Contents::answer(body),
        }
    }
}
