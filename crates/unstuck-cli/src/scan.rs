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
mod places;
mod prices;
mod progress;
mod read;
mod replay;
mod shorten;
mod since;
mod spotted;
mod track;
mod work;

pub(crate) use assemble::assemble;
pub(crate) use directory::of_source as directory_of;
pub(crate) use filter::{Filter, PathPattern};
pub(crate) use find::{Asked, Candidate, Found, Links, Skipped, Source, find};
pub(crate) use follow::{Follow, Memory};
pub(crate) use input::Meter;
pub(crate) use places::{Place, Surroundings, Unreadable, places};
pub(crate) use prices::LISTED_ON;
pub(crate) use progress::Progress;
pub(crate) use read::{Ending, read};
pub(crate) use replay::Told;
pub(crate) use shorten::{readable, shorten};
pub(crate) use since::Since;
pub(crate) use work::{Excerpts, Job};
