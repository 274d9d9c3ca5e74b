//! Recordings of agents: found, read and judged.
//!
//! ```text
//!  places ─> find ─> read (bytes, unpacked) ─> Transcript ─> Replay (engine) ─> loops ─> Report
//!                    └── several files at once ──────────────────────────────┘
//! ```
//!
//! [`Scan`] is the whole of it: which files, which settings, and one [`Report`](unstuck_report::Report). [`Follow`] reports
//! loops while files grow, [`tune`] proposes settings, and [`Replay`] judges recorded events, one after the other.
//!
//! Files are streamed; what is kept of them is bounded. A file is read a second time where it repeats another one, and
//! where the calls of a loop are shown that began before the last 8 MiB of the file's events.
//!
//! Nothing here prints. WebAssembly has neither files nor threads: there [`Scan::bytes`] is what works.

#![forbid(unsafe_code)]
#![cfg_attr(
    target_family = "wasm",
    allow(
        dead_code,
        unused_imports,
        reason = "what files and threads need is not used there"
    )
)]

mod assemble;
mod calls;
mod content;
mod copies;
mod cut;
#[cfg(feature = "sqlite")]
mod database;
#[cfg(not(feature = "sqlite"))]
#[path = "no_database.rs"]
mod database;
#[cfg(feature = "sqlite")]
mod database_file;
#[cfg(not(target_family = "wasm"))]
mod digest;
mod directory;
mod error;
mod events;
mod excerpt;
mod file_replay;
mod filter;
mod find;
#[cfg(not(target_family = "wasm"))]
mod follow;
#[cfg(not(target_family = "wasm"))]
mod here;
mod input;
mod kept;
mod laps;
mod lines;
mod loops;
mod mark;
mod members;
mod once;
#[cfg(not(target_family = "wasm"))]
mod places;
mod prices;
mod read;
#[cfg(target_family = "wasm")]
#[path = "no_files.rs"]
mod regular;
mod replay;
mod scan;
mod seen;
mod since;
mod skips;
mod spotted;
mod track;
#[cfg(not(target_family = "wasm"))]
pub mod tune;
mod unwrapped;
mod work;

#[cfg(not(target_family = "wasm"))]
pub use digest::{digest, digest_of_file, digests};
pub use directory::of_source as directory_of;
pub use error::Error;
pub use events::Events;
pub use file_replay::Told;
pub use filter::{Filter, PathPattern};
pub use find::{Asked, Candidate, Found, Links, Source};
#[cfg(not(target_family = "wasm"))]
pub use follow::{Follow, Memory, News};
#[cfg(not(target_family = "wasm"))]
pub use here::known_places;
pub use input::Meter;
#[cfg(not(target_family = "wasm"))]
pub use places::{Place, Surroundings, Unreadable, places};
pub use prices::{LISTED_ON, dollars, price_of};
pub use replay::{OnHalt, Replay};
pub use scan::{Calls, Scan, Scanned, Secrets};
pub use since::Since;
pub use skips::{Listed, short_advice};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
