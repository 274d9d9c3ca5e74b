//! Options of a proxy.

use std::{net::SocketAddr, num::NonZeroUsize, str::FromStr, time::Duration};

use unstuck::{Decision, Settings};
use unstuck_text::Notify;

use crate::{spending::SpendingOptions, upstreams::Targets};

/// What an agent gets in place of the model's answer when it is halted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnHalt {
    /// A final answer that says why.
    #[default]
    Answer,
    /// An error of the API.
    Error,
    /// The answer of this model, once until a person speaks; then a final answer.
    Escalate(String),
}

/// A word that is not one of the ways to halt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOnHalt;

impl std::fmt::Display for UnknownOnHalt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("give `answer`, `error` or `escalate=MODEL`")
    }
}

impl std::error::Error for UnknownOnHalt {}

impl FromStr for OnHalt {
    type Err = UnknownOnHalt;

    fn from_str(text: &str) -> Result<Self, UnknownOnHalt> {
        match text.split_once('=') {
            None if text == "answer" => Ok(Self::Answer),
            None if text == "error" => Ok(Self::Error),
            Some(("escalate", model)) if !model.is_empty() => Ok(Self::Escalate(model.to_owned())),
            _ => Err(UnknownOnHalt),
        }
    }
}

/// Is given a session, what is said of its spending, and whether that is enforced.
pub type SpendingNotice = dyn Fn(&str, &str, bool) + Send + Sync;

/// How conversations are judged.
#[non_exhaustive]
pub struct GuardOptions {
    /// The settings of the engine.
    pub settings: Settings,
    /// What a halted agent gets.
    pub on_halt: OnHalt,
    /// How often the model is asked again, within one request, after all calls of its answer were denied.
    pub asks_again: u32,
    /// Number of laps in a row, with the same calls and results, from which on the repeats are left out of requests.
    pub collapse: Option<NonZeroUsize>,
    /// Conversations that are kept at once; the one that was used longest ago makes room.
    pub conversations: usize,
    /// Limits of what agents may use.
    pub spending: SpendingOptions,
    /// Is given a session, what is said of its spending, and whether that is enforced.
    pub spent: Box<SpendingNotice>,
    /// Is given each model without a price, once.
    pub unpriced: Box<dyn Fn(&str) + Send + Sync>,
    /// Is given every decision that says more than `allow`.
    pub decided: Box<dyn Fn(&Decision) + Send + Sync>,
}

impl GuardOptions {
    /// Settings, with everything else as usual.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            on_halt: OnHalt::default(),
            asks_again: 2,
            collapse: None,
            conversations: 256,
            spending: SpendingOptions::default(),
            spent: Box::new(|_, _, _| {}),
            unpriced: Box::new(|_| {}),
            decided: Box::new(|_| {}),
        }
    }
}

/// How much, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes of a body, compressed or not.
    pub message: usize,
    /// The most bytes of all bodies together.
    pub memory: usize,
    /// The most connections at once.
    pub connections: usize,
    /// How long a request may take to arrive.
    pub read: Duration,
    /// How long an API may take until it begins to answer.
    pub answer: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 128 << 20,
            memory: 640 << 20,
            connections: 256,
            read: Duration::from_mins(1),
            answer: Duration::from_mins(20),
        }
    }
}

/// A proxy.
pub struct ProxyOptions {
    /// Where to listen: an address of this machine.
    pub address: SocketAddr,
    /// The APIs.
    pub targets: Targets,
    /// Bounds.
    pub limits: Limits,
    /// Gets lines for the person who runs the proxy.
    pub notify: Notify,
}
