//! Small pictures out of blocks.

use anstyle::Style;

use super::{DIM, colour, paint};
use crate::report::{Beat, Loop, Run};

/// What the blocks of [`laps`] mean.
pub(super) const LEGEND: &str =
    "▒ the first lap   █ a repeat   ▓ the rest of its lap   · another call in between";

/// A bar of `room` columns at most.
pub(super) fn bar(value: u64, most: u64, room: usize) -> String {
    let room = room as u64;
    let long = value.saturating_mul(room).div_ceil(most.max(1)).min(room);
    "━".repeat(long as usize)
}

/// The whole run as a line; where it goes round, the line is thick.
pub(super) fn map(run: &Run, room: usize) -> String {
    let mut cells: Vec<Option<&Loop>> = vec![None; room];
    let place = |call: u64| {
        let call = call.saturating_sub(1).min(run.calls.saturating_sub(1));
        (call as usize * room) / (run.calls.max(1) as usize)
    };
    for each in &run.loops {
        if each.calls.to == 0 {
            continue;
        }
        let (first, last) = (place(each.calls.from), place(each.calls.to));
        for cell in cells.iter_mut().take(last + 1).skip(first) {
            // The stricter loop lies on top.
            if cell.is_none_or(|other| other.verdict < each.verdict) {
                *cell = Some(each);
            }
        }
    }
    let mut out = String::new();
    for stretch in cells.chunk_by(|a, b| a.map(|one| one.verdict) == b.map(|one| one.verdict)) {
        out += &match stretch.first().copied().flatten() {
            Some(each) => paint(colour(each.verdict), &"━".repeat(stretch.len())),
            None => paint(DIM, &"─".repeat(stretch.len())),
        };
    }
    out
}

/// The calls of a loop, one block each.
pub(super) fn laps(each: &Loop, style: Style, room: usize) -> String {
    let kinds = if each.strip.is_empty() {
        drawn(each, room)
    } else {
        recorded(&each.strip)
    };
    let shown: Vec<Kind> = if kinds.len() > room {
        let tail = room / 3;
        let head = room - tail - 3;
        let head = kinds.iter().take(head).copied();
        let tail = kinds.iter().skip(kinds.len() - tail).copied();
        head.chain([Kind::Left; 3]).chain(tail).collect()
    } else {
        kinds
    };
    let mut out = String::new();
    for stretch in shown.chunk_by(|a, b| a.is_repeat() == b.is_repeat()) {
        let blocks: String = stretch.iter().map(|kind| kind.block()).collect();
        let repeats = stretch.first().is_some_and(|kind| kind.is_repeat());
        out += &paint(if repeats { style } else { DIM }, &blocks);
    }
    out
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    First,
    Repeat,
    Rest,
    Between,
    Left,
}

impl Kind {
    fn block(self) -> char {
        match self {
            Self::First => '▒',
            Self::Repeat => '█',
            Self::Rest => '▓',
            Self::Between => '·',
            Self::Left => '…',
        }
    }

    fn is_repeat(self) -> bool {
        matches!(self, Self::Repeat | Self::Rest)
    }
}

fn recorded(strip: &[Beat]) -> Vec<Kind> {
    let mut lap = 0;
    strip
        .iter()
        .map(|beat| match beat.lap {
            0 => Kind::Between,
            1 => {
                lap = 1;
                Kind::First
            }
            same if same == lap => Kind::Rest,
            next => {
                lap = next;
                Kind::Repeat
            }
        })
        .collect()
}

/// What the loop must have looked like, by its numbers.
fn drawn(each: &Loop, room: usize) -> Vec<Kind> {
    let period = each.period.max(1);
    let calls = each.repeats.saturating_mul(period);
    // One more than there is room for, so that the cut is seen.
    (0..calls.min(room as u64 + 1))
        .map(|call| match (call / period, call % period) {
            (0, _) => Kind::First,
            (_, 0) => Kind::Repeat,
            _ => Kind::Rest,
        })
        .collect()
}
