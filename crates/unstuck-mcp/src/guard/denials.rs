//! Floods of equal denials.

use unstuck::{RuleName, fingerprint::Fingerprint};

use unstuck_audit::Journal;

use super::{
    Micros,
    pending::Calling,
    record::{push_number, push_start},
};

/// A flood is written down at least this often.
const LONGEST: i64 = 1_000_000;

/// What becomes of many equal denials in the audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denials {
    /// Each has its line.
    #[default]
    Each,
    /// The first has its line, and the others are counted, a line for each second.
    Counted,
}

/// Denials that are counted and not yet written.
#[derive(Clone, Debug)]
pub(super) struct Floods {
    way: Denials,
    current: Option<Flood>,
}

#[derive(Clone, Debug)]
struct Flood {
    key: (Fingerprint, Option<RuleName>, Box<str>, Box<str>),
    about: Box<str>,
    count: u64,
    since: Micros,
    last: Micros,
}

impl Floods {
    pub(super) fn new(way: Denials) -> Self {
        Self { way, current: None }
    }

    /// Counts a denial; `false` means that it needs a line of its own.
    pub(super) fn count(&mut self, calling: &Calling, at: Micros, journal: &mut Journal) -> bool {
        if self.way == Denials::Each {
            return false;
        }
        let key = (
            calling.fingerprint,
            calling.judged.rule,
            calling.session.clone(),
            calling.agent.clone(),
        );
        if let Some(flood) = &mut self.current
            && flood.key == key
        {
            flood.count += 1;
            flood.last = at;
            return true;
        }
        self.end(journal);
        self.current = Some(Flood {
            key,
            about: calling.about.clone(),
            count: 0,
            since: at,
            last: at,
        });
        false
    }

    /// Writes down what has been counted long enough.
    pub(super) fn pass(&mut self, at: Micros, journal: &mut Journal) {
        if let Some(flood) = &mut self.current
            && at.0.saturating_sub(flood.since.0) >= LONGEST
        {
            flood.write(journal);
            flood.since = at;
        }
    }

    /// Writes down what is left.
    pub(super) fn end(&mut self, journal: &mut Journal) {
        if let Some(mut flood) = self.current.take() {
            flood.write(journal);
        }
    }
}

impl Flood {
    fn write(&mut self, journal: &mut Journal) {
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        journal.push(|out| {
            push_start(self.last, "denials", out);
            out.push_str("\"count\":");
            push_number(count, out);
            out.push_str(",\"since\":");
            push_number(self.since.milliseconds(), out);
            out.push(',');
            out.push_str(&self.about);
        });
    }
}
