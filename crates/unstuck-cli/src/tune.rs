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
pub(crate) mod render;
mod story;
mod watch;

use unstuck::Settings;

pub(crate) use collect::Collected;
pub(crate) use healthy::Healthy;
pub(crate) use propose::Proposals;
pub(crate) use recordings::Recordings;

/// Everything that is reported about some recordings.
pub(crate) struct Report {
    pub(crate) collected: Collected,
    pub(crate) proposals: Proposals,
    /// Whether `--healthy` names runs.
    pub(crate) told_healthy: bool,
}

pub(crate) fn tune(recordings: &Recordings, settings: &Settings, healthy: &Healthy) -> Report {
    let collected = collect::collect(recordings, settings, healthy);
    let proposals = propose::propose(&collected, recordings, settings, healthy);
    Report {
        collected,
        proposals,
        told_healthy: !healthy.is_empty(),
    }
}
