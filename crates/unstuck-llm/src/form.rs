//! The wire forms, one file and one row each.
//!
//! [`contract`] defines what is known of a form. A new form is a file with its [`FormSpec`], a `mod` line, and a row in the
//! list below.

pub(crate) mod account;
mod anthropic;
mod chat;
pub(crate) mod contract;
mod gemini;
mod responses;
pub(crate) mod shared;

use contract::FormSpec;
use unstuck_transcript::ModelApi;

/// Declares the forms.
macro_rules! forms {
    ($($(#[$doc:meta])* $form:ident => $spec:path,)*) => {
        /// A wire form: how requests to a model and its answers are written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Form {
            $($(#[$doc])* $form,)*
        }

        impl Form {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$form,)*];

            pub(crate) fn spec(self) -> &'static FormSpec {
                match self {
                    $(Self::$form => &$spec,)*
                }
            }
        }
    };
}

forms! {
    /// Anthropic's Messages API.
    Anthropic => anthropic::ANTHROPIC,
    /// The Chat Completions API of OpenAI, which many providers speak.
    Chat => chat::CHAT,
    /// The Responses API of OpenAI.
    Responses => responses::RESPONSES,
    /// Gemini's `generateContent`.
    Gemini => gemini::GEMINI,
}

/// How an answer comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As one JSON value.
    Whole,
    /// As a stream of server-sent events.
    Events,
    /// As one JSON array whose elements come one by one.
    Array,
}

impl Form {
    /// The form of requests that are posted to a path. `None` for every other path: such requests are passed on as they are.
    ///
    /// ```
    /// use unstuck_llm::Form;
    ///
    /// assert_eq!(Form::of_path("/v1/messages"), Some(Form::Anthropic));
    /// assert_eq!(Form::of_path("/v1/messages/count_tokens"), None);
    /// ```
    pub fn of_path(path: &str) -> Option<Self> {
        let path = path.trim_end_matches('/');
        Self::ALL
            .iter()
            .copied()
            .find(|form| (form.spec().serves)(path))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    pub(crate) fn api(self) -> ModelApi {
        self.spec().api
    }

    /// The path with another model in it, for a form whose paths name the model.
    pub fn path_for_model(self, path: &str, model: &str) -> Option<String> {
        (self.spec().path_for_model)(path, model)
    }

    /// How the answer to a request comes, by its path with the query, and the member `stream` of its body.
    pub fn shape(self, path_and_query: &str, stream: bool) -> Shape {
        (self.spec().shape)(path_and_query, stream)
    }
}
