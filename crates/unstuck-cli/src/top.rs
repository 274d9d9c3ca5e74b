//! `unstuck top`: the agents of this machine, live.
//!
//! ```text
//!  hook state ──┐                       keys ─> input ─┐
//!               ├─> collect ─> Snapshot ─────────────> App ─> view ─> terminal
//!  transcripts ─┘                                       └─> Effect: reset, exempt
//! ```
//!
//! Files are read by a thread of its own, so that keys are answered at once. The app, its keys and its pictures are
//! pure: what they get is all they know.

mod app;
mod collect;
mod effect;
mod input;
mod model;
mod screen;
mod view;

pub(crate) use app::App;
pub(crate) use collect::{Collector, Sources};
pub(crate) use model::Source;
pub(crate) use screen::{Audience, End, INTERRUPTED, interact};
pub(crate) use view::text;
