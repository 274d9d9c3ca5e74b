//! Scores settings of `unstuck` on recordings of agents that others labelled.
//!
//! ```text
//!  corpus ─> Trajectory ─> events ─> engine ─> Run ─> Facts ─> score
//!                                               └──> contributions, lists, show
//! ```
//!
//! The definitions are those of the corpus's own scorer, and the two agree to the last digit. Facts of other detectors
//! are scored by the same code.

#![expect(
    clippy::format_push_string,
    reason = "tables and lists are short and written once; `write!` into a string has an error that cannot happen"
)]

mod claims;
mod clock;
mod contribution;
mod corpus;
mod events;
mod facts;
mod headline;
mod label;
mod messages;
mod page;
mod redaction;
mod render;
mod replay;
mod review;
mod score;
mod show;
mod sources;
mod split;
mod spoken;
mod table;
mod trajectory;
mod wire;

pub use contribution::{Contribution, Fires, Judged, SetContribution, contributions, without};
pub use corpus::{CorpusError, load};
pub use events::{StepEvent, events};
pub use facts::{Facts, FirstAlarms, LEVELS};
pub use headline::{Figure, Headline};
pub use label::Label;
pub use messages::Messages;
pub use page::Page;
pub use redaction::redaction;
pub use render::{detectors, headlines, rules, rules_by_set, sets, steps};
pub use replay::{Remark, Replay, Run, Seen, replay, replay_each};
pub use review::{Mistake, false_alarms, misses, mistakes};
pub use score::{
    ByLevel, LabelScore, OutcomeScore, OutcomeShares, Prf, SetScore, StepScore, Unit, score,
};
pub use show::{Found, find, show};
pub use sources::how_to_get;
pub use split::Half;
pub use table::Table;
pub use trajectory::{Moment, Step, Trajectory};
pub use wire::{WireError, write_events};
