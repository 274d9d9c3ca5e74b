//! Recordings of agents: found, read and judged.
//!
//! ```text
//!  places ─> find ─> read (bytes, unpacked) ─> Transcript ─> Replay (engine) ─> loops ─> Report
//!                    └── several files at once ──────────────────────────────┘
//! ```
//!
//! Files are streamed; what is kept of them is bounded. Only a report that shows calls reads files with loops twice.

#![forbid(unsafe_code)]

mod assemble;
mod calls;
mod content;
mod copies;
mod cut;
mod database;
mod database_file;
mod directory;
mod events;
mod excerpt;
mod filter;
mod find;
mod follow;
mod input;
mod lines;
mod loops;
mod mark;
mod members;
mod once;
mod places;
mod prices;
mod read;
mod replay;
mod since;
mod skips;
mod spotted;
mod track;
pub mod tune;
mod unwrapped;
mod work;

pub use assemble::{Gathered, assemble};
pub use directory::of_source as directory_of;
pub use events::Events;
pub use filter::{Filter, PathPattern};
pub use find::{Asked, Candidate, Found, Links, Skipped, Source, find};
pub use follow::{Follow, Memory, News};
pub use input::{Meter, stream};
pub use places::{Place, Surroundings, Unreadable, places};
pub use prices::LISTED_ON;
pub use replay::Told;
pub use since::Since;
pub use skips::{Listed, Skips, short_advice};
pub use work::{Excerpts, FileReport, Job};
