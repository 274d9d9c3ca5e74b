//! Refused messages in the audit: the first of each kind have a line each, the others are counted.
//!
//! A peer can send messages that are refused as fast as it likes. What they cost in the audit is bounded: a line every
//! ten seconds for each kind.

use std::mem;

use unstuck::Json;

use super::{Micros, record::push_start};
use unstuck_audit::Journal;

use super::record::push_number;
use crate::codec::{Refusal, RefusalKind};

/// So many refusals of one kind have a line each, until there are none for a whole period.
const LINES: u32 = 20;

/// What was counted is recorded this often, in microseconds.
const PERIOD: i64 = 10_000_000;

/// Sender of a refused message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Client,
    Server,
}

impl Sender {
    fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// Refusals so far, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusals {
    kinds: Vec<Counter>,
    only_count: bool,
}

#[derive(Clone, Debug)]
struct Counter {
    from: Sender,
    reason_kind: mem::Discriminant<RefusalKind>,
    /// Refusals that still have a line each.
    lines_left: u32,
    /// Start of the current period.
    since: Micros,
    /// Refusals in the current period, whether counted or recorded.
    in_period: u64,
    /// Start of the period of the first refusal without a line.
    counted_since: Micros,
    /// Refusals without a line, and their bytes.
    counted: u64,
    bytes: u64,
    /// Refusals since the proxy was started.
    total: u64,
    /// Text of the last one, as JSON.
    reason: Json,
}

impl Refusals {
    /// Records or counts a refusal.
    pub(super) fn add(
        &mut self,
        from: Sender,
        refusal: &Refusal,
        bytes: usize,
        at: Micros,
        journal: &mut Journal,
    ) {
        let key = mem::discriminant(&refusal.kind);
        let is_it = |kind: &Counter| kind.from == from && kind.reason_kind == key;
        let place = self.kinds.iter().position(is_it).unwrap_or_else(|| {
            self.kinds.push(Counter {
                from,
                reason_kind: key,
                lines_left: LINES,
                since: at,
                in_period: 0,
                counted_since: at,
                counted: 0,
                bytes: 0,
                total: 0,
                reason: Json::string(""),
            });
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[place];
        kind.pass(at, self.only_count, journal);
        kind.in_period += 1;
        kind.total += 1;
        if kind.lines_left > 0 && !self.only_count {
            kind.lines_left -= 1;
            let reason = Json::string(&refusal.to_string());
            journal.push(|out| {
                push_start(at, "refused", out);
                push_from(from, out);
                out.push_str(",\"bytes\":");
                push_number(bytes, out);
                out.push_str(",\"reason\":");
                out.push_str(reason.as_str());
            });
            return;
        }
        if kind.counted == 0 {
            kind.counted_since = kind.since;
            kind.reason = Json::string(&refusal.to_string());
        }
        kind.counted += 1;
        kind.bytes = kind.bytes.saturating_add(bytes as u64);
    }

    /// Records what was counted in periods that have ended.
    pub(super) fn pass(&mut self, at: Micros, journal: &mut Journal) {
        for kind in &mut self.kinds {
            kind.pass(at, self.only_count, journal);
        }
    }

    /// Records all that was counted.
    pub(super) fn end(&mut self, at: Micros, journal: &mut Journal) {
        for kind in &mut self.kinds {
            kind.write(at, journal);
        }
    }

    pub(super) fn only_count(&mut self, only_count: bool) {
        self.only_count = only_count;
    }
}

impl Counter {
    fn pass(&mut self, at: Micros, only_count: bool, journal: &mut Journal) {
        if at.0.saturating_sub(self.since.0) < PERIOD {
            return;
        }
        if self.in_period == 0 {
            self.lines_left = LINES;
        }
        if !only_count {
            self.write(at, journal);
        }
        self.since = at;
        self.in_period = 0;
    }

    fn write(&mut self, at: Micros, journal: &mut Journal) {
        let (count, bytes) = (mem::take(&mut self.counted), mem::take(&mut self.bytes));
        if count == 0 {
            return;
        }
        journal.push(|out| {
            push_start(at, "refusals", out);
            push_from(self.from, out);
            for (name, number) in [("count", count), ("bytes", bytes), ("total", self.total)] {
                for part in [",\"", name, "\":"] {
                    out.push_str(part);
                }
                push_number(number, out);
            }
            out.push_str(",\"since\":");
            push_number(self.counted_since.milliseconds(), out);
            out.push_str(",\"reason\":");
            out.push_str(self.reason.as_str());
        });
    }
}

fn push_from(from: Sender, out: &mut String) {
    for part in ["\"from\":\"", from.as_str(), "\""] {
        out.push_str(part);
    }
}

#[cfg(test)]
#[path = "refusals_tests.rs"]
mod tests;
