//! `unstuck scan`: what agents recorded of themselves, judged.
//!
//! ```text
//!  places ─> find ─> read (bytes, unpacked) ─> Transcript ─> Replay (engine) ─> loops ─> Report
//!                    └── several files at once ──────────────────────────────┘
//! ```
//!
//! Files are streamed; what is kept of them is bounded. Only a report that shows calls reads files with loops twice.

mod assemble;
mod calls;
mod content;
mod copies;
mod cut;
mod database;
mod database_file;
mod directory;
mod excerpt;
mod filter;
mod find;
mod follow;
mod input;
mod loops;
mod mark;
mod members;
mod once;
mod output_file;
mod places;
mod prices;
mod progress;
mod read;
mod replay;
mod since;
mod skips;
mod spotted;
mod track;
mod unwrapped;
mod work;

pub(crate) use assemble::{Gathered, assemble};
pub(crate) use directory::of_source as directory_of;
pub(crate) use filter::{Filter, PathPattern};
pub(crate) use find::{Asked, Candidate, Found, Links, Source, find};
pub(crate) use follow::{Follow, Memory};
pub(crate) use input::{Meter, stream};
pub(crate) use once::{KeepMarks, Once, Plan};
pub(crate) use output_file::{
    check_named, format as output_format, input as same_input, refuse, write_whole,
};
pub(crate) use places::{Place, Surroundings, Unreadable, places};
pub(crate) use prices::LISTED_ON;
pub(crate) use progress::Progress;
pub(crate) use read::{Ending, read};
pub(crate) use replay::Told;
pub(crate) use since::Since;
pub(crate) use skips::{Listed, Skips, short_advice};
pub(crate) use work::{Excerpts, FileReport, Job, Share};
