//! What is known of a wire form.

use unstuck::Call;
use unstuck_transcript::ModelApi;

use super::Shape;
use crate::span::Edits;

/// Judges a call before it runs: the text in its place, if it is denied.
pub(crate) type Judge<'a> = dyn FnMut(&Call) -> Option<String> + 'a;

/// Everything that is known of a form.
pub(crate) struct FormSpec {
    /// Its name, in kebab-case.
    pub(crate) name: &'static str,
    /// Who reads its messages.
    pub(crate) api: ModelApi,
    /// The member of a request that has the history.
    pub(crate) history: &'static str,
    /// Whether requests to a path have this form.
    pub(crate) serves: fn(&str) -> bool,
    /// How the answer comes, by the path with its query and the member `stream`.
    pub(crate) shape: fn(&str, bool) -> Shape,
    /// The path with another model in it, where the path names the model.
    pub(crate) path_for_model: fn(&str, &str) -> Option<String>,
    /// Puts a text behind the results in an element of a history, or behind the element.
    pub(crate) note: fn(&str, &str) -> Option<Insertion>,
    /// Judges the calls of a whole answer, and replaces those that are denied.
    pub(crate) judge: fn(&str, &mut Judge<'_>) -> Edits,
    /// Puts what one whole answer says before what the next one says, as one answer.
    pub(crate) join: fn(&str, &str) -> Option<String>,
    /// Reads a streamed answer.
    pub(crate) reader: fn() -> Box<dyn Reader>,
    /// A whole answer that says a text and ends the turn.
    pub(crate) whole: fn(&Final<'_>) -> String,
    /// The same as a stream of events.
    pub(crate) events: fn(&Final<'_>) -> String,
    /// An error, in the form that clients read.
    pub(crate) error: fn(&str) -> String,
}

/// A text to be inserted into an element of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Insertion {
    /// Bytes from the start of the element; its length for a place behind it.
    pub(crate) at: usize,
    pub(crate) text: String,
}

/// An answer of this program in place of the model's.
pub(crate) struct Final<'a> {
    pub(crate) text: &'a str,
    pub(crate) model: &'a str,
    /// Makes the ids of the answer.
    pub(crate) id: &'a str,
}

/// One event of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    /// All of its bytes, its end included.
    pub(crate) raw: &'a [u8],
    /// Its data; empty where there is none.
    pub(crate) data: &'a str,
}

/// What the model wrote in an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Written {
    #[default]
    Nothing,
    Text(String),
    Thinking(String),
}

/// Reads a streamed answer event by event. What it does not write at once it holds until a call is complete and judged.
pub(crate) trait Reader: Send {
    /// Takes an event; whatever may go to the client now is appended to `out`.
    fn frame(&mut self, frame: &Frame<'_>, judge: &mut Judge<'_>, out: &mut Vec<u8>) -> Written;

    /// Ends the answer here, with a note, so that a client takes it as complete.
    fn cut(&mut self, note: &str, out: &mut Vec<u8>);

    /// Bytes that it holds.
    fn held(&self) -> usize;

    /// Whether the answer is complete and none of its calls is left: its end is held, so that another answer can follow.
    fn is_spent(&self) -> bool;

    /// Another answer follows. Its events continue this answer, as one answer for the client.
    fn continue_with_next(&mut self, out: &mut Vec<u8>);

    /// Gives up what it holds, unjudged.
    fn release(&mut self, out: &mut Vec<u8>);
}
