//! Recordings, replayed to find the settings that fit them.
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
mod render;
mod story;
mod style;
mod watch;

use serde_json::Value;
use unstuck::Settings;

use crate::Error;
use collect::Collected;
use propose::Proposals;

pub use healthy::Healthy;
pub use recordings::Recordings;

/// Everything that is reported about some recordings.
pub struct Report {
    collected: Collected,
    proposals: Proposals,
    /// Whether a person named healthy runs.
    told_healthy: bool,
}

/// Replays recordings and proposes settings that fit them.
pub fn tune(recordings: &Recordings, settings: &Settings, healthy: &Healthy) -> Report {
    let collected = collect::collect(recordings, settings, healthy);
    let proposals = propose::propose(&collected, recordings, settings, healthy);
    Report {
        collected,
        proposals,
        told_healthy: !healthy.is_empty(),
    }
}

impl Report {
    /// Whether something that should have been read was not.
    pub fn is_incomplete(&self) -> bool {
        self.collected.totals.is_incomplete()
    }

    /// The report for a person, with colours. The settings are those that the recordings were judged by.
    pub fn text(&self, settings: &Settings) -> Result<String, Error> {
        render::text::text(self, settings)
    }

    /// The report as a JSON document.
    pub fn json(&self) -> Result<Value, Error> {
        render::json::json(self)
    }

    /// The proposed settings, for `unstuck.toml`.
    pub fn toml(&self) -> Result<String, Error> {
        render::snippet::snippet(self)
    }

    /// What could not be read, for a person; empty if everything could.
    pub fn unread(&self) -> String {
        render::text::unread(self)
    }
}
