//! How the last calls failed.

use serde::{Deserialize, Serialize};

use super::{Line, PendingCall};
use crate::{fingerprint::Mark, identity::Sight};

/// Calls that are looked back at. An agent that works through one problem after another fails in one way a few times
/// and moves on; half of so many calls with one complaint is no such thing.
const WINDOW: usize = 10;

/// The complaints of the last calls, successful calls included as calls without one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Complaints {
    last: [Option<Complaint>; WINDOW],
    /// Where the next one goes.
    next: u8,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Complaint {
    complaint: Mark,
    /// What kind of call it was.
    shape: Mark,
    line: Line,
}

/// Calls that failed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alike {
    pub(crate) complaint: Mark,
    pub(crate) count: u32,
    pub(crate) from: Line,
}

impl Complaints {
    pub(super) fn record(&mut self, call: &PendingCall, sight: &Sight) {
        let complaint = sight.complaint.map(|complaint| Complaint {
            complaint,
            shape: call.shape,
            line: call.line,
        });
        let next = usize::from(self.next) % WINDOW;
        self.last[next] = complaint;
        self.next = ((next + 1) % WINDOW) as u8;
    }

    /// The calls among the last ones that failed with this complaint.
    pub(crate) fn with(&self, complaint: Mark) -> Option<Alike> {
        alike(self.last.iter().flatten(), complaint)
    }

    /// What calls of this kind complained of most, among all but the oldest: the call that is about to be made pushes
    /// that one out.
    pub(crate) fn ahead_of(&self, shape: Mark) -> Option<Alike> {
        let oldest = usize::from(self.next) % WINDOW;
        let (after, before) = (&self.last[oldest + 1..], &self.last[..oldest]);
        let of_shape = || {
            let all = after.iter().chain(before).flatten();
            all.filter(|one| one.shape == shape)
        };
        let counted = of_shape().filter_map(|one| alike(of_shape(), one.complaint));
        // Between two that are equally frequent the later one is what goes on.
        counted.max_by_key(|alike| alike.count)
    }
}

fn alike<'a>(among: impl Iterator<Item = &'a Complaint>, complaint: Mark) -> Option<Alike> {
    let mut found = among.filter(|one| one.complaint == complaint);
    let first = found.next()?;
    let alike = Alike {
        complaint,
        count: 1,
        from: first.line,
    };
    Some(found.fold(alike, |alike, one| Alike {
        count: alike.count + 1,
        from: alike.from.min(one.line),
        ..alike
    }))
}
