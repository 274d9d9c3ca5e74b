//! What there is to see: agents, and how they are doing.

use std::{cmp::Reverse, sync::Arc};

use unstuck_store::About;

pub(crate) use unstuck_session::{AgentState, Force};

/// All agents at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// In milliseconds since 1970.
    pub(crate) now: i64,
    pub(crate) agents: Vec<Agent>,
    /// Transcripts that are still to be read.
    pub(crate) unread: usize,
    /// Transcripts that are not read because others are newer.
    pub(crate) left_out: usize,
    /// What could not be read.
    pub(crate) trouble: Option<String>,
}

/// One agent of one session.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    pub(crate) about: Arc<About>,
    pub(crate) source: Source,
}

/// Where it is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Its hooks ask before every call: it can be reset.
    Hooks,
    /// Its requests to its model: `unstuck reset` resets it.
    Proxy,
    /// What it records of itself: it can only be looked at.
    Transcript,
}

/// Which agent it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) host: Box<str>,
    pub(crate) session: Box<str>,
    pub(crate) agent: Box<str>,
}

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    Urgency,
    Activity,
    Calls,
    Wasted,
}

impl Snapshot {
    /// Agents that match the filter, in order.
    pub(crate) fn rows(&self, order: Order, filter: &str) -> Vec<&Agent> {
        let filter = filter.to_lowercase();
        let mut rows: Vec<_> = self
            .agents
            .iter()
            .filter(|agent| agent.matches(&filter, self.now))
            .collect();
        // Names last, so that equal ones do not dance.
        rows.sort_by_cached_key(|agent| {
            let about = &agent.about;
            let first = match order {
                Order::Urgency => agent.state(self.now) as u64,
                Order::Activity => 0,
                Order::Calls => about.calls,
                Order::Wasted => about.activity.wasted,
            };
            (
                Reverse(first),
                Reverse(about.last_seen / 1_000),
                agent.key(),
            )
        });
        rows
    }

    /// Number of agents in trouble.
    pub(crate) fn troubled(&self) -> usize {
        let troubled = |agent: &&Agent| agent.state(self.now) >= AgentState::Warned;
        self.agents.iter().filter(troubled).count()
    }

    pub(crate) fn agent(&self, key: &Key) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.is(key))
    }
}

impl Agent {
    pub(crate) fn key(&self) -> Key {
        Key {
            host: self.about.host.clone(),
            session: self.about.session.clone(),
            agent: self.about.agent.clone(),
        }
    }

    pub(crate) fn is(&self, key: &Key) -> bool {
        let about = &self.about;
        about.session == key.session && about.agent == key.agent && about.host == key.host
    }

    pub(crate) fn state(&self, now: i64) -> AgentState {
        let state = AgentState::of(&self.about, now);
        // A proxy counts verdicts and does not say what is repeated.
        match (self.source, state) {
            (Source::Proxy, AgentState::Fine) if self.about.denials > 0 => AgentState::Denied,
            (Source::Proxy, AgentState::Fine) if self.about.nudges > 0 => AgentState::Warned,
            _ => state,
        }
    }

    pub(crate) fn force(&self) -> Force {
        Force::of(&self.about)
    }

    /// The word for how it is doing.
    pub(crate) fn state_word(&self, now: i64) -> &'static str {
        self.state(now).word(self.force())
    }

    /// The host, and which of its agents where that is not the main one.
    pub(crate) fn name(&self) -> String {
        match &*self.about.agent {
            "main" => self.about.host.to_string(),
            agent => format!("{}/{agent}", self.about.host),
        }
    }

    /// The last part of where it works.
    pub(crate) fn project(&self) -> &str {
        let directory = self.about.directory.as_deref().unwrap_or_default();
        let end = directory.trim_end_matches(['/', '\\']);
        end.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// What it repeats at the moment: how often, and by which rule.
    pub(crate) fn streak(&self) -> Option<(u32, &str)> {
        let seen = self.about.activity.streak.as_ref()?.seen.first()?;
        Some((seen.repeats, &seen.rule))
    }

    fn matches(&self, filter: &str, now: i64) -> bool {
        let about = &self.about;
        let directory = about.directory.as_deref().unwrap_or_default();
        let rule = self.streak().map_or("", |(_, rule)| rule);
        [
            &*about.host,
            &*about.session,
            &*about.agent,
            directory,
            rule,
            self.state_word(now),
        ]
        .iter()
        .any(|text| text.to_lowercase().contains(filter))
    }
}

impl Order {
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Urgency => Self::Activity,
            Self::Activity => Self::Calls,
            Self::Calls => Self::Wasted,
            Self::Wasted => Self::Urgency,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Urgency => "urgency",
            Self::Activity => "activity",
            Self::Calls => "calls",
            Self::Wasted => "waste",
        }
    }
}

/// `42s`, `7m`, `3h`, `2d`
pub(crate) fn age(then: i64, now: i64) -> String {
    let seconds = now.saturating_sub(then).max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
pub(crate) mod tests;
