//! How the last calls failed: private state of `stuck-outcome`.

use serde::{Deserialize, Serialize};

use crate::{event::Line, facts::ResultFacts, fingerprint::Mark, state::MadeCall};

/// Calls that are looked back at. Healthy agents hit the same error a few times; five of the last ten calls are stuck.
const WINDOW: usize = 10;

/// Density that adds one to the weight: this many failures among this many last calls.
const DENSE: (u32, usize) = (4, 5);

/// Number of different calls that must have failed alike before a new call of the same kind is expected to fail.
const DIFFERENT: usize = 3;

/// The complaints of the last calls, successful calls included as calls without one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Complaints {
    last: [Option<Complaint>; WINDOW],
    /// Index of the next entry.
    next: u8,
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
        }
        let next = usize::from(self.next) % WINDOW;
        self.last[next] = complaint;
        self.next = ((next + 1) % WINDOW) as u8;
    }

    /// The calls among the last ones that failed with this complaint.
    pub(crate) fn with(&self, complaint: Mark) -> Option<RepeatedComplaint> {
        alike(self.newest_first(WINDOW), complaint, |_| true)
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
        let most = counted.max_by_key(|alike| alike.count)?;
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
            from: one.line,
        });
        found.count += 1;
        found.lately += u32::from(at < last_few);
        found.from = found.from.min(one.line);
    }
    alike
}
