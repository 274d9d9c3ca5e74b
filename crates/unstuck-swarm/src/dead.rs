//! Calls that are known to fail, shared by the workers of a swarm.
//!
//! A call that failed the same way for several workers is dead: the next worker learns that before it tries, with the workers
//! that tried and when. Now and then one worker is let through, and a call that works for it is alive again.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};
use unstuck::swarm::Worker;

use crate::{
    error::TallyError,
    keys::{CallKey, SwarmKey},
};

/// What a worker asks or reports about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallNews<'a> {
    /// It is about to make the call.
    Planned,
    /// The call failed.
    Failed {
        /// How it failed: equal for failures that are alike.
        how: u64,
        /// The worker's name for messages; at most 32 bytes of it are kept.
        name: &'a str,
    },
    /// The call worked.
    Worked,
}

/// A call that is known to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadCall {
    /// Workers for which it failed, the first one first.
    pub failures: Vec<Failure>,
}

/// A failure of one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    /// The worker's name.
    pub name: Box<str>,
    /// When it failed last, in milliseconds since 1970 on the clock of the store.
    pub at: u64,
}

/// When a call is dead, and for how long. The same for all processes that share a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadLimits {
    /// Workers for which a call has to fail the same way, from 1 to [`DeadLimits::MOST_WORKERS`].
    pub workers: u8,
    /// Time after the last failure until the call is forgotten.
    pub keep: Duration,
    /// Time between two workers that are let through to try.
    pub probe: Duration,
}

/// A store of calls that are known to fail.
pub trait DeadCallStore: fmt::Debug + Send + Sync {
    /// Takes in news of a worker about a call, in one step. Returns the call if it is dead, unless this worker is the one
    /// that is let through to try it.
    fn news(
        &self,
        place: (SwarmKey, CallKey),
        worker: Worker,
        news: &CallNews<'_>,
        within: Duration,
    ) -> Result<Option<DeadCall>, TallyError>;
}

impl DeadLimits {
    /// Most workers that are kept for one call.
    pub const MOST_WORKERS: u8 = 16;

    /// Most bytes of a worker's name.
    pub const LONGEST_NAME: usize = 32;
}

/// Three workers; ten minutes; one try a minute.
impl Default for DeadLimits {
    fn default() -> Self {
        Self {
            workers: 3,
            keep: Duration::from_secs(600),
            probe: Duration::from_secs(60),
        }
    }
}

impl CallNews<'_> {
    /// The beginning of a worker's name that is kept, without what could break a message.
    pub fn name_of(name: &str) -> String {
        let plain = name.chars().map(|each| {
            // Nothing that acts on a reader or ends a quote.
            let is_plain = each.is_alphanumeric() || " -_.:/@+#".contains(each);
            if is_plain { each } else { '?' }
        });
        let mut kept = String::new();
        for each in plain {
            if kept.len() + each.len_utf8() > DeadLimits::LONGEST_NAME {
                break;
            }
            kept.push(each);
        }
        kept
    }
}

impl DeadCall {
    /// A call that failed for these workers.
    pub fn new(mut failures: Vec<Failure>) -> Self {
        failures.sort_by_key(|failure| failure.at);
        Self { failures }
    }

    /// A text for the model, at a time in milliseconds since 1970.
    pub fn message(&self, what: &str, now: u64) -> String {
        let names: Vec<_> = self
            .failures
            .iter()
            .map(|failure| format!("`{}`", CallNews::name_of(&failure.name)))
            .take(4)
            .collect();
        let more = self.failures.len() - names.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let last = self
            .failures
            .iter()
            .map(|failure| failure.at)
            .max()
            .unwrap_or(0);
        format!(
            "[unstuck] {} workers of this swarm ({}{more}) tried this call, and it failed the same way each time: {what}. \
             The last try was {} s ago. Do not try it; take another way, or report that this is blocked.",
            self.failures.len(),
            names.join(", "),
            now.saturating_sub(last) / 1_000,
        )
    }
}

impl Failure {
    /// A failure at a time.
    pub fn new(name: impl Into<Box<str>>, at: u64) -> Self {
        Self {
            name: name.into(),
            at,
        }
    }
}

/// Stores behind pointers are stores.
macro_rules! behind {
    ($($pointer:ty)*) => {$(
        impl<S: DeadCallStore + ?Sized> DeadCallStore for $pointer {
            fn news(
                &self,
                place: (SwarmKey, CallKey),
                worker: Worker,
                news: &CallNews<'_>,
                within: Duration,
            ) -> Result<Option<DeadCall>, TallyError> {
                (**self).news(place, worker, news, within)
            }
        }
    )*};
}

behind! { Box<S> std::sync::Arc<S> }
