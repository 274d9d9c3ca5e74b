//! What a guard between an agent and its model needs, whatever carries the bytes.
//!
//! ```text
//! request ──> Request ──> Conversation: events ─> engine ─> notes, halt ──> the same bytes with insertions
//! answer  <── AnswerStream / judge_whole: calls checked <───────────────── model
//! ```
//!
//! Agents send the whole history with every request. A [`Conversation`] remembers what it has seen of it, gives the engine
//! each call, result and text once, and says what has to be inserted where, so that a text that was inserted once stands at
//! the same place in every later request. Everything follows from the history, so that two guards which see the same
//! request decide the same.
//!
//! Four wire forms are known ([`Form`]). Bodies are edited by span: what is not changed keeps its bytes.

#![forbid(unsafe_code)]

mod collapse;
mod conversation;
mod feed;
mod form;
mod known;
mod own;
mod request;
mod session;
mod span;
mod stream;
mod used;
mod whole;

pub use conversation::{Alike, Answered, Conversation, Judged, Replay};
pub use form::{Form, Shape};
pub use own::denied_again;
pub use request::{Request, Unreadable, ask_again};
pub use session::{HEADERS, Names};
pub use stream::{AnswerStream, Cut};
pub use unstuck_transcript::{Part, Tokens, Used};
pub use used::used;
pub use whole::{Answer, JudgedAnswer, id_of, join_answers, judge_whole, parts};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
