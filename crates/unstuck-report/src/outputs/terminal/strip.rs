//! Small pictures out of blocks.

use anstyle::Style;

use super::{DIM, colour, paint};
use crate::{
    plain::width,
    report::{Loop, Run},
};

/// What the blocks of [`laps`] mean.
const LEGEND: [&str; 4] = [
    "▒ first lap",
    "█ start of a later lap",
    "▓ its other calls",
    "· unrelated call",
];

/// Blocks of one kind in a row: more than any terminal is wide.
const LONGEST: u64 = 400;

/// The legend in lines of `room` columns at most.
pub(super) fn legend(room: usize) -> String {
    const GAP: &str = "   ";
    let mut lines = String::new();
    let mut used = 0;
    for item in LEGEND {
        let wide = width(item);
        if used > 0 && used + GAP.len() + wide > room {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines += GAP;
            used += GAP.len();
        }
        lines += item;
        used += wide;
    }
    lines
}

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

/// The calls from the first to the last of a loop, one block each. A loop of words has none: one block for each time.
pub(super) fn laps(each: &Loop, style: Style, room: usize) -> String {
    let kinds = kinds(each);
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

/// One kind for each call, by whether and where it belongs to the loop.
fn kinds(each: &Loop) -> Vec<Kind> {
    let period = each.period.max(1);
    if each.members.is_empty() {
        let times = usize::try_from(each.repeats.min(LONGEST)).unwrap_or(0);
        let first = std::iter::once(Kind::First);
        return first
            .chain(std::iter::repeat(Kind::Repeat))
            .take(times)
            .collect();
    }
    let mut kinds = Vec::new();
    let mut call = each.calls.from;
    for (place, member) in (0..).zip(&each.members) {
        // Long stretches of other work would hide the rest.
        let between = member.saturating_sub(call).min(LONGEST);
        kinds.extend((0..between).map(|_| Kind::Between));
        kinds.push(match (place / period, place % period) {
            (0, _) => Kind::First,
            (_, 0) => Kind::Repeat,
            _ => Kind::Rest,
        });
        call = member + 1;
    }
    // There are more than are listed.
    if call <= each.calls.to {
        kinds.push(Kind::Left);
    }
    kinds
}
