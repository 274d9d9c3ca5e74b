//! How a run went on after an alarm.

use serde_json::{Value, json};

use super::story::{Happening, News, What};

/// New calls after the last repeat that show the agent went on by itself.
const NEW_CALLS: u32 = 2;

/// What became of a pattern. Only `Healthy` is known, the others are guessed from the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// The run was said to be healthy: the alarm was not needed.
    Healthy,
    /// The agent went on to something new by itself: the alarm was probably not needed.
    Recovered,
    /// It went on to something new only after a person spoke.
    Helped,
    /// Nothing new came any more.
    Looping,
}

impl Ending {
    pub(crate) const ALL: [Self; 4] = [Self::Healthy, Self::Recovered, Self::Helped, Self::Looping];

    pub(crate) fn needed(self) -> bool {
        matches!(self, Self::Helped | Self::Looping)
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Healthy => "in healthy runs",
            Self::Recovered => "recovered unaided",
            Self::Helped => "ended when a person spoke",
            Self::Looping => "never recovered",
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Recovered => "recovered",
            Self::Helped => "helped",
            Self::Looping => "looping",
        }
    }
}

/// What has been seen since the last event of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Sequel {
    /// The call that was reported.
    call: Option<u64>,
    new_calls: u32,
    /// The call itself brought an answer that it had not brought before.
    new_answer: bool,
    /// A person spoke before anything new came.
    person: bool,
    healthy: bool,
}

impl Sequel {
    pub(super) fn of(call: Option<u64>) -> Self {
        Self {
            call,
            new_calls: 0,
            new_answer: false,
            person: false,
            healthy: false,
        }
    }

    /// The pattern goes on: what came in between changed nothing.
    pub(super) fn again(&mut self) {
        *self = Self {
            healthy: self.healthy,
            ..Self::of(self.call)
        };
    }

    pub(super) fn see(&mut self, happening: &Happening) {
        let (call, news) = match &happening.what {
            What::Came(made, news) => (made.mark, *news),
            What::Stepped(code, news) => (*code, *news),
            What::Person => {
                self.person |= !self.went_on();
                return;
            }
            What::Called(_) | What::Other => return,
        };
        match news {
            News::None => {}
            News::Call => self.new_calls = self.new_calls.saturating_add(1),
            News::Answer => self.new_answer |= Some(call) == self.call,
        }
    }

    pub(super) fn mark_healthy(&mut self) {
        self.healthy = true;
    }

    fn went_on(&self) -> bool {
        self.new_answer || self.new_calls >= NEW_CALLS
    }

    pub(super) fn ending(&self) -> Ending {
        match (self.healthy, self.went_on(), self.person) {
            (true, ..) => Ending::Healthy,
            (false, true, false) => Ending::Recovered,
            (false, true, true) => Ending::Helped,
            (false, false, _) => Ending::Looping,
        }
    }
}

/// How many alarms ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Endings([u64; 4]);

impl Endings {
    pub(crate) fn add(&mut self, ending: Ending) {
        self.0[ending as usize] += 1;
    }

    pub(crate) fn of(&self, ending: Ending) -> u64 {
        self.0[ending as usize]
    }

    pub(crate) fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Alarms that were right, as far as the recordings tell.
    pub(crate) fn needed(&self) -> u64 {
        self.sum(true)
    }

    /// Alarms that were not needed, as far as the recordings tell.
    pub(crate) fn unneeded(&self) -> u64 {
        self.sum(false)
    }

    fn sum(&self, needed: bool) -> u64 {
        let endings = Ending::ALL.into_iter();
        endings
            .filter(|ending| ending.needed() == needed)
            .map(|ending| self.of(ending))
            .sum()
    }

    /// `2 recovered unaided, 1 never recovered`.
    pub(crate) fn words(&self) -> String {
        let parts = Ending::ALL.into_iter().filter(|one| self.of(*one) > 0);
        let parts: Vec<_> = parts
            .map(|ending| format!("{} {}", self.of(ending), ending.words()))
            .collect();
        parts.join(", ")
    }

    pub(crate) fn json(&self) -> Value {
        let members = Ending::ALL.map(|ending| (ending.key().to_owned(), json!(self.of(ending))));
        Value::Object(members.into_iter().collect())
    }
}

impl Ending {
    pub(crate) fn as_str(self) -> &'static str {
        self.key()
    }
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
