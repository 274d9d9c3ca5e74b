//! `unstuck tune`: recordings, replayed to find the settings that fit them.
//!
//! ```text
//!  recordings ─> collect ─> alarms, how each went on ─> propose ─> measure each by a replay ─> render
//! ```
//!
//! Files are read as often as needed and never held; what is kept of them is bounded.

mod alarm;
mod collect;
mod fields;
mod healthy;
mod measure;
mod outcome;
mod propose;
mod recordings;
pub mod render;
mod story;
mod style;
mod watch;

use unstuck::Settings;

pub use collect::Collected;
pub use healthy::Healthy;
pub use propose::Proposals;
pub use recordings::Recordings;

/// Everything that is reported about some recordings.
pub struct Report {
    pub collected: Collected,
    pub proposals: Proposals,
    /// Whether `--healthy` names runs.
    pub told_healthy: bool,
}

pub fn tune(recordings: &Recordings, settings: &Settings, healthy: &Healthy) -> Report {
    let collected = collect::collect(recordings, settings, healthy);
    let proposals = propose::propose(&collected, recordings, settings, healthy);
    Report {
        collected,
        proposals,
        told_healthy: !healthy.is_empty(),
    }
}
