//! How the last calls failed: private state of `stuck-outcome`.

use serde::{Deserialize, Serialize};

use crate::{event::Line, facts::ResultFacts, fingerprint::Mark, memory::Last, state::MadeCall};

/// Calls that are looked back at. Healthy agents hit the same error a few times; five of the last ten calls are stuck.
const WINDOW: usize = 10;

/// Density that adds one to the weight: this many failures among this many last calls.
const DENSE: (u32, usize) = (4, 5);

/// Number of different calls that must have failed alike before a new call of the same kind is expected to fail.
const DIFFERENT: usize = 3;

/// Complaints whose duration is remembered.
const ROWS: usize = 4;

/// The complaints of the last calls, successful calls included as calls without one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Complaints {
    last: [Option<Complaint>; WINDOW],
    /// Index of the next entry.
    next: u8,
    /// How long each complaint among them has lasted.
    rows: Last<ComplaintRow, ROWS>,
    /// Kind of the last call that was new and returned what was known.
    pub(super) stuck: Mark,
}

/// Failures with one complaint, for as long as it is among the last calls.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct ComplaintRow {
    about: Mark,
    count: u32,
    from: Line,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Complaint {
    about: Mark,
    call: Mark,
    /// Kind of the call.
    shape: Mark,
    line: Line,
    /// The complaint with its names and paths.
    particular: Mark,
    /// Changes so far.
    changes: u32,
}

/// Calls that failed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RepeatedComplaint {
    pub(crate) about: Mark,
    pub(crate) count: u32,
    /// Number of them among the last few calls.
    lately: u32,
    /// Failures with the complaint since it was not among the last calls.
    pub(crate) lasted: u32,
    pub(crate) from: Line,
}

impl Complaints {
    /// Records how a call ended. `changes` counts the changes that were made so far.
    pub(super) fn record(&mut self, call: &MadeCall, result: &ResultFacts, changes: u32) {
        let complaint = result.complaint.map(|about| Complaint {
            about,
            call: call.facts.exact,
            shape: call.facts.shape,
            line: call.line,
            particular: result.particular,
            changes,
        });
        if let Some(complaint) = &complaint {
            self.leave_out_what_changed(complaint);
            let known = self.rows.take(|row| row.about == complaint.about);
            let mut row = known.unwrap_or(ComplaintRow {
                about: complaint.about,
                count: 0,
                from: complaint.line,
            });
            row.count = row.count.saturating_add(1);
            self.rows.push(row);
        }
        let next = usize::from(self.next) % WINDOW;
        self.last[next] = complaint;
        self.next = ((next + 1) % WINDOW) as u8;
        let last = &self.last;
        self.rows
            .retain(|row| last.iter().flatten().any(|one| one.about == row.about));
    }

    /// The calls among the last ones that failed with this complaint.
    pub(crate) fn with(&self, complaint: Mark) -> Option<RepeatedComplaint> {
        let alike = alike(self.newest_first(WINDOW), complaint, |_| true)?;
        Some(self.lasting(alike))
    }

    /// The most frequent complaint about calls of this kind.
    pub(crate) fn of_kind(&self, shape: Mark) -> Option<RepeatedComplaint> {
        let of_shape = self.last.iter().flatten().filter(|one| one.shape == shape);
        let counted = of_shape.filter_map(|one| self.with(one.about));
        counted.max_by_key(|alike| alike.count)
    }

    /// Adds how long a complaint has lasted.
    fn lasting(&self, alike: RepeatedComplaint) -> RepeatedComplaint {
        match self.rows.iter().find(|row| row.about == alike.about) {
            Some(row) => RepeatedComplaint {
                lasted: row.count,
                from: row.from,
                ..alike
            },
            None => alike,
        }
    }

    /// Returns the most frequent complaint about calls of this kind, and its weight with the coming call. The oldest entry
    /// is left out, because the coming call replaces it. A call that has itself failed like that counts twice.
    pub(crate) fn ahead_of(&self, call: Mark, shape: Mark) -> Option<(RepeatedComplaint, u32)> {
        let of_shape = |one: &Complaint| one.shape == shape;
        if !self.last.iter().flatten().any(of_shape) {
            return None;
        }
        let recent = || self.newest_first(WINDOW - 1);
        let candidates = recent().flatten().filter(|one| of_shape(one));
        let counted = candidates.filter_map(|one| alike(recent(), one.about, of_shape));
        let most = self.lasting(counted.max_by_key(|alike| alike.count)?);
        let mut failed = [Mark::default(); WINDOW];
        let mut different = 0;
        for one in recent().flatten().filter(|one| one.about == most.about) {
            if !failed[..different].contains(&one.call) {
                failed[different] = one.call;
                different += 1;
            }
        }
        if failed[..different].contains(&call) {
            return Some((most, most.weight() + 2));
        }
        // Failures of one call alone, or failures before a success, are not evidence about another call.
        let last_failed = self.newest_first(1).flatten().next().is_some();
        (different >= DIFFERENT && last_failed).then_some((most, most.count + 1))
    }

    /// Leaves out earlier failures with a complaint if an equal call failed with other names or paths in it, and something was
    /// changed in between: the change had an effect.
    fn leave_out_what_changed(&mut self, new: &Complaint) {
        let moved = self
            .newest_first(WINDOW)
            .flatten()
            .find(|one| one.about == new.about && one.call == new.call)
            .is_some_and(|one| one.changes != new.changes && one.particular != new.particular);
        if moved {
            for one in &mut self.last {
                one.take_if(|one| one.about == new.about);
            }
            self.rows.retain(|row| row.about != new.about);
        }
    }

    fn newest_first(&self, count: usize) -> impl Iterator<Item = Option<&Complaint>> {
        let next = usize::from(self.next) % WINDOW;
        let (before, after) = self.last.split_at(next);
        let newest_first = before.iter().rev().chain(after.iter().rev());
        newest_first.map(Option::as_ref).take(count)
    }
}

impl RepeatedComplaint {
    /// Weight of all of them.
    pub(crate) fn weight(&self) -> u32 {
        let (enough, _) = DENSE;
        self.count + u32::from(self.lately >= enough)
    }
}

fn alike<'a>(
    newest_first: impl Iterator<Item = Option<&'a Complaint>>,
    about: Mark,
    wanted: impl Fn(&Complaint) -> bool,
) -> Option<RepeatedComplaint> {
    let (_, last_few) = DENSE;
    let mut alike: Option<RepeatedComplaint> = None;
    for (at, one) in newest_first.enumerate() {
        let Some(one) = one.filter(|one| one.about == about && wanted(one)) else {
            continue;
        };
        let found = alike.get_or_insert(RepeatedComplaint {
            about,
            count: 0,
            lately: 0,
            lasted: 0,
            from: one.line,
        });
        found.count += 1;
        found.lately += u32::from(at < last_few);
        found.from = found.from.min(one.line);
    }
    alike
}
