//! Scores settings of `unstuck` on recordings of agents that others labelled.
//!
//! ```text
//!  corpus ─> Trajectory ─> events ─> engine ─> Run ─> Facts ─> score
//!                                               └──> contributions, lists, show
//! ```
//!
//! The definitions are those of the corpus's own scorers, and `--compare-with` fails where the numbers differ. Facts of
//! other detectors are scored by the same code.

#![expect(
    clippy::format_push_string,
    reason = "tables and lists are short and written once; `write!` into a string has an error that cannot happen"
)]

mod claims;
mod clock;
mod compare;
mod contribution;
mod corpus;
mod events;
mod facts;
mod headline;
mod injected;
mod interval;
mod label;
mod messages;
mod numbers;
mod page;
mod pattern;
mod readme;
mod redaction;
mod redundant;
mod render;
mod replay;
mod review;
mod score;
mod show;
mod sources;
mod split;
mod spoken;
mod sweep;
mod table;
mod trajectory;
mod wire;
mod worth;

pub use compare::Agreement;
pub use contribution::{Contribution, Fires, Judged, SetContribution, contributions, without};
pub use corpus::{CorpusError, load};
pub use events::{StepEvent, events};
pub use facts::{Facts, FirstAlarms, LEVELS};
pub use headline::{Detailed, Figure, FigureUnit, Headline};
pub use injected::{Alarms, Injected, InjectedHeadline, KindScore, is_injected};
pub use interval::{Interval, bootstrap, wilson};
pub use label::Label;
pub use messages::Messages;
pub use page::Page;
pub use readme::{NoPlace, readme};
pub use redaction::redaction;
pub use render::{
    detectors, headlines, injected_headlines, injected_kinds, rules, rules_by_set, sets, steps,
    worths,
};
pub use replay::{Remark, Replay, Run, Seen, replay, replay_each};
pub use review::{Mistake, false_alarms, misses, mistakes};
pub use score::{
    ByLevel, F1Intervals, LabelScore, OutcomeScore, OutcomeShares, Prf, SetScore, StepScore, Unit,
    score,
};
pub use show::{Found, find, show};
pub use sources::how_to_get;
pub use split::Half;
pub use sweep::{Neighbour, SweepError, SweepRow, neighbours, sweep};
pub use table::Table;
pub use trajectory::{Moment, Step, Trajectory};
pub use wire::{WireError, write_events};
pub use worth::{Caught, Worth};
