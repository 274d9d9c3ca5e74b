//! The calls of one loop.

use std::collections::HashSet;

use super::{
    calls::{Kind, RecentCalls},
    mark::Spent,
};

/// Calls of one loop that are kept.
const MAX_MEMBERS: usize = 1 << 20;

/// Calls before the last one of a loop whose results may still arrive.
const PENDING: u32 = 64;

/// A call of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Number of the call in its run, counted from one.
    pub(super) call: u32,
    /// Line of the call; 0 where it is unknown.
    line: u32,
    /// Line of its result, or of the call where there is none.
    end: u32,
    at: Option<i64>,
    /// Its share of what its turn cost.
    cost: Spent,
    /// Equal for equal results; `None` where there is none.
    outcome: Option<u64>,
}

/// The calls of one loop, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    list: Vec<Member>,
    /// What its calls and their outcomes are.
    kinds: HashSet<Kind>,
    search: Search,
    /// Calls over the limit.
    left_out: u64,
}

/// Where to search for calls that are equal to one of a loop.
#[derive(Clone, Copy, Debug, Default)]
enum Search {
    /// From the first call of the loop on.
    #[default]
    All,
    /// From this call on.
    From(u32),
}

impl Members {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<u32> {
        self.list.get(at).map(|one| one.call)
    }

    pub(super) fn first(&self) -> Option<u32> {
        self.get(0)
    }

    pub(super) fn last(&self) -> Option<u32> {
        self.list.last().map(|one| one.call)
    }

    pub(super) fn calls(&self) -> impl Iterator<Item = u32> {
        self.list.iter().map(|one| one.call)
    }

    pub(super) fn has(&self, call: u32) -> bool {
        self.list
            .binary_search_by_key(&call, |one| one.call)
            .is_ok()
    }

    /// Number of its calls from this one on.
    pub(super) fn since(&self, call: u32) -> usize {
        self.list.len() - self.list.partition_point(|one| one.call < call)
    }

    /// Calls over the limit.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Line of its first call and of its last result; 0 where it is unknown.
    pub(super) fn lines(&self) -> Option<(u64, u64)> {
        let (first, last) = (self.list.first()?, self.list.last()?);
        Some((first.line.into(), last.end.into()))
    }

    /// Time of its first call, in milliseconds since 1970.
    pub(super) fn began(&self) -> Option<i64> {
        self.list.first().and_then(|one| one.at)
    }

    pub(super) fn add(&mut self, call: u32, calls: &RecentCalls) {
        let Err(at) = self.list.binary_search_by_key(&call, |one| one.call) else {
            return;
        };
        if self.list.len() >= MAX_MEMBERS {
            self.left_out += 1;
            return;
        }
        let made = calls.get(call).copied().unwrap_or_default();
        let member = Member {
            call,
            line: made.line,
            end: made.end,
            at: made.at,
            cost: made.cost,
            outcome: made.outcome(),
        };
        self.list.insert(at, member);
        if made.kind().is_some_and(|kind| self.kinds.insert(kind)) {
            self.search = Search::All;
        }
    }

    /// Adds the calls between its first and its last one that are equal to one of them in arguments and outcome: what is
    /// repeated within a loop belongs to it, whether the engine counted it or not.
    pub(super) fn add_equal(&mut self, calls: &RecentCalls) {
        let (Some(first), Some(last)) = (self.first(), self.last()) else {
            return;
        };
        if (last - first) as usize >= self.list.len() {
            let from = match self.search {
                Search::All => first,
                Search::From(call) => call.max(first),
            };
            let is_equal = |kind: Kind| self.kinds.contains(&kind);
            let equal: Vec<u32> = calls
                .between(from, last)
                .filter(|made| made.kind().is_some_and(is_equal) && !self.has(made.number))
                .map(|made| made.number)
                .collect();
            for call in equal {
                self.add(call, calls);
            }
        }
        let mut late = calls.between(last.saturating_sub(PENDING), last);
        let pending = late.find(|made| made.kind().is_none());
        self.search = Search::From(pending.map_or(last, |made| made.number));
    }

    /// Takes over the cost and the results of its calls from this one on, which are known when their turn has ended.
    pub(super) fn end_turn(&mut self, from: u32, calls: &RecentCalls) {
        let latest = self.list.iter_mut().rev();
        for member in latest.take_while(|member| member.call >= from) {
            if let Some(made) = calls.get(member.call) {
                (member.cost, member.end) = (made.cost, made.end);
                member.outcome = made.outcome();
            }
        }
    }

    /// Whether all of its calls are known to have returned the same.
    pub(super) fn share_result(&self) -> bool {
        let mut outcomes = self.list.iter().map(|one| one.outcome);
        let first = outcomes.next().flatten();
        first.is_some() && outcomes.all(|outcome| outcome == first)
    }

    /// What its calls after the first `free` cost.
    pub(super) fn cost(&self, free: usize) -> Spent {
        let paid = self.list.iter().skip(free);
        paid.fold(Spent::default(), |sum, one| Spent {
            tokens: sum.tokens.saturating_add(one.cost.tokens),
            usd: sum.usd + one.cost.usd,
        })
    }

    /// Keeps the first calls only.
    pub(super) fn cut(&mut self, whole: usize) {
        self.list.truncate(whole);
    }

    /// The laps without any of these calls.
    pub(super) fn laps_without(&self, period: usize, taken: &HashSet<u32>) -> Vec<Member> {
        let laps = self.list.chunks(period);
        let free = laps.filter(|lap| lap.iter().all(|one| !taken.contains(&one.call)));
        free.flatten().copied().collect()
    }

    pub(super) fn replace(&mut self, list: Vec<Member>) {
        self.list = list;
    }
}
