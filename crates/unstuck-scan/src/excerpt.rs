//! The calls of loops, to be read: what an excerpt shows of each loop.
//!
//! Which events are shown is known when a file was read to its end. They are taken from those that were kept meanwhile;
//! where a loop needs older ones, the file is read again.

use std::collections::HashMap;

use unstuck::{Event, Role};
use unstuck_report::{Beat, Excerpt, Loop, Move, Run};
use unstuck_transcript::{Problem, Sink, Usage};

use super::{
    find::Candidate,
    input::Meter,
    kept::{Dropped, Kept},
    laps::Laps,
    once::{KeepMarks, Once, Plan},
    read::{self, Wanted},
    seen::{Place, Seen},
    spotted::Spotted,
    work::Excerpts,
};

/// Calls of one lap that are shown, those before it included.
const MAX_MOVES: u64 = 16;
/// Laps that are shown where there are calls between the laps, such as edits between failing tests.
const MAX_LAPS: usize = 8;
/// Calls in the picture of a loop.
const MAX_BEATS: usize = 300;
/// Results that are waited for.
const MAX_WAITING: usize = 256;

/// Whether all events that are to be shown were there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    All,
    /// Some were not kept; nothing was added.
    TooOld,
}

/// Adds laps to read to the loops of a file's runs, from the events that were kept of it.
pub(crate) fn add(kept: Kept, runs: &mut [(Run, Vec<Spotted>)]) -> Shown {
    let mut followed = HashMap::new();
    for (at, (_, spotted)) in runs.iter().enumerate() {
        if spotted.is_empty() {
            continue;
        }
        let dropped = kept.dropped(at);
        let run = Followed::new(spotted, kept.excerpts, dropped);
        if !run.is_whole(dropped) {
            return Shown::TooOld;
        }
        followed.insert(at, run);
    }
    for event in kept.events {
        if let Some(run) = followed.get_mut(&event.run) {
            run.see(event.number, event.seen);
        }
    }
    for (at, (run, _)) in runs.iter_mut().enumerate() {
        if let Some(followed) = followed.remove(&at) {
            followed.show_in(run);
        }
    }
    Shown::All
}

/// Adds laps to read to the loops of a file's runs, by reading the file again.
pub(crate) fn read_again(
    candidate: &Candidate,
    wanted: Wanted<'_>,
    (plan, excerpts): (Plan, Excerpts),
    runs: &mut [(Run, Vec<Spotted>)],
) {
    let mut collector = Collector {
        once: Once::new(plan, KeepMarks::No),
        excerpts,
        index: HashMap::new(),
        followed: Vec::new(),
    };
    for (at, (run, spotted)) in runs.iter().enumerate() {
        if spotted.is_empty() {
            continue;
        }
        let key = (run.session.as_str().into(), run.agent.as_str().into());
        collector.index.insert(key, collector.followed.len());
        let followed = Followed::new(spotted, excerpts, Dropped::default());
        collector.followed.push((at, 0, followed));
    }
    // Whatever goes wrong the second time was reported the first time; the bytes were counted then, too.
    let _ = read::read(candidate, wanted, &Meter::default(), &mut collector);
    for (at, _, followed) in collector.followed {
        followed.show_in(&mut runs[at].0);
    }
}

struct Collector {
    /// Leaves out what was left out the first time.
    once: Once,
    excerpts: Excerpts,
    index: HashMap<(Box<str>, Box<str>), usize>,
    /// Runs with loops: the number in the file, events so far, and what is shown.
    followed: Vec<(usize, u64, Followed)>,
}

impl Sink for Collector {
    fn event(&mut self, event: Event) {
        if !self.once.admits(&event) {
            return;
        }
        let key = (event.session.clone(), event.agent.clone());
        if let Some(at) = self.index.get(&key) {
            let (_, number, followed) = &mut self.followed[*at];
            *number += 1;
            if let Some(seen) = Seen::of(&event, self.excerpts) {
                followed.see(*number, seen);
            }
        }
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, _: Problem) {}
}

/// One run with loops.
struct Followed {
    excerpts: Excerpts,
    calls: u64,
    views: Vec<View>,
    /// The loops of calls, and those of words.
    of_calls: Current,
    of_words: Current,
    /// Calls without a result yet: id, loop, lap, move.
    waiting: Vec<(Box<str>, Slot)>,
}

/// The loops that a call or event may be in: each is looked at from its first to its last, not for every event.
#[derive(Default)]
struct Current {
    /// Numbers of the loops that are still to begin, the next one last.
    later: Vec<usize>,
    open: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Slot {
    view: usize,
    /// The lap and the move in it.
    moved: Option<(usize, usize)>,
    beat: Option<usize>,
}

/// What is collected of one loop.
struct View {
    /// Calls, or events where the loop is one of words.
    from: u64,
    to: u64,
    of: Of,
    /// The laps to show: number, first and last.
    shown: Vec<(u64, u64, u64)>,
    excerpts: Vec<Excerpt>,
    beats: Vec<Beat>,
    laps: Laps,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Calls,
    Words,
}

impl Followed {
    fn new(spotted: &[Spotted], excerpts: Excerpts, dropped: Dropped) -> Self {
        let views: Vec<_> = spotted.iter().map(View::new).collect();
        Self {
            excerpts,
            calls: dropped.calls,
            of_calls: Current::new(&views, Of::Calls),
            of_words: Current::new(&views, Of::Words),
            views,
            waiting: Vec::new(),
        }
    }

    /// Whether all its loops began after what was dropped.
    fn is_whole(&self, dropped: Dropped) -> bool {
        self.views.iter().all(|view| match view.of {
            Of::Calls => view.from > dropped.calls,
            Of::Words => view.from > dropped.event,
        })
    }

    /// Takes in an event of the run, which has this number.
    fn see(&mut self, number: u64, seen: Seen) {
        self.calls += u64::from(seen.is_call());
        let excerpts = self.excerpts;
        match seen {
            Seen::Call {
                id,
                place,
                tool,
                args,
            } => {
                for &view in self.of_calls.at(self.calls, &self.views) {
                    let beat = beat(place, &tool, "");
                    let shown = || Move {
                        args: args.shown(excerpts),
                        ..moved(place, &tool)
                    };
                    let (moved, beat) = self.views[view].call(self.calls, beat, shown);
                    if (moved.is_some() || beat.is_some()) && self.waiting.len() < MAX_WAITING {
                        let slot = Slot { view, moved, beat };
                        self.waiting.push((id.clone(), slot));
                    }
                }
            }
            Seen::Result {
                id,
                status,
                exit_code,
                output,
            } => {
                let waiting = &mut self.waiting;
                for (_, slot) in waiting.extract_if(.., |(waiting, _)| *waiting == id) {
                    self.views[slot.view]
                        .result(slot, (status, exit_code), || output.shown(excerpts));
                }
            }
            Seen::Step {
                place,
                code,
                output,
            } => {
                for &view in self.of_calls.at(self.calls, &self.views) {
                    let shown = || Move {
                        args: code.clone(),
                        output: output.shown(excerpts),
                        status: "ok".to_owned(),
                        ..moved(place, "step")
                    };
                    let beat = beat(place, "step", "ok");
                    let _ = self.views[view].call(self.calls, beat, shown);
                }
            }
            Seen::Text { place, role, text } => {
                let tool = match role {
                    Role::Thinking => "thinking",
                    _ => "text",
                };
                for &view in self.of_words.at(number, &self.views) {
                    self.views[view].text(number, || Move {
                        args: text.clone(),
                        ..moved(place, tool)
                    });
                }
            }
        }
    }

    fn show_in(self, run: &mut Run) {
        for (found, view) in run.loops.iter_mut().zip(self.views) {
            view.show_in(found);
        }
    }
}

fn moved(place: Place, tool: &str) -> Move {
    Move {
        line: place.line,
        at: place.at,
        tool: tool.to_owned(),
        ..Move::default()
    }
}

fn beat(place: Place, tool: &str, status: &str) -> Beat {
    Beat {
        line: place.line,
        tool: tool.to_owned(),
        lap: 0,
        status: status.to_owned(),
    }
}

impl Current {
    fn new(views: &[View], of: Of) -> Self {
        let mut later: Vec<usize> = (0..views.len())
            .filter(|view| views[*view].of == of)
            .collect();
        later.sort_by_key(|view| std::cmp::Reverse((views[*view].from, *view)));
        Self {
            later,
            open: Vec::new(),
        }
    }

    /// The loops that have begun by this number and go on at least up to it. Numbers only grow.
    fn at(&mut self, number: u64, views: &[View]) -> &[usize] {
        while let Some(view) = self.later.pop_if(|view| views[*view].from <= number) {
            self.open.push(view);
        }
        self.open.retain(|view| views[*view].to >= number);
        &self.open
    }
}

impl View {
    fn new(spotted: &Spotted) -> Self {
        let laps = spotted.laps();
        let (of, (from, to)) = if laps.is_empty() {
            (Of::Words, (spotted.from.event, spotted.to.event))
        } else {
            (Of::Calls, spotted.span())
        };
        let shown = match of {
            Of::Words => vec![(1, from, to.min(from + MAX_MOVES - 1))],
            Of::Calls => shown_laps(spotted, &laps),
        };
        let excerpts = shown.iter().map(|(lap, ..)| Excerpt {
            lap: *lap,
            moves: Vec::new(),
        });
        Self {
            from,
            to,
            of,
            excerpts: excerpts.collect(),
            shown,
            beats: Vec::new(),
            laps,
        }
    }

    /// A call of the run. Where it is shown, if it is.
    fn call(
        &mut self,
        number: u64,
        mut beat: Beat,
        shown: impl FnOnce() -> Move,
    ) -> (Option<(usize, usize)>, Option<usize>) {
        if self.of == Of::Words || number < self.from || number > self.to {
            return (None, None);
        }
        let lap = self.laps.of(number);
        let at = self.position(number);
        let beat = (self.beats.len() < MAX_BEATS).then(|| {
            beat.lap = lap;
            self.beats.push(beat);
            self.beats.len() - 1
        });
        let moved = at.map(|at| {
            let moves = &mut self.excerpts[at].moves;
            moves.push(Move { lap, ..shown() });
            (at, moves.len() - 1)
        });
        (moved, beat)
    }

    fn result(
        &mut self,
        slot: Slot,
        (status, exit_code): (&str, Option<i64>),
        output: impl FnOnce() -> String,
    ) {
        if let Some(beat) = slot.beat.and_then(|at| self.beats.get_mut(at)) {
            status.clone_into(&mut beat.status);
        }
        let shown = slot
            .moved
            .and_then(|(lap, at)| self.excerpts.get_mut(lap)?.moves.get_mut(at));
        if let Some(shown) = shown {
            status.clone_into(&mut shown.status);
            shown.exit_code = exit_code;
            shown.output = output();
        }
    }

    fn text(&mut self, number: u64, shown: impl FnOnce() -> Move) {
        if self.of == Of::Words
            && let Some(at) = self.position(number)
        {
            self.excerpts[at].moves.push(shown());
        }
    }

    /// The shown lap that a call or event belongs to.
    fn position(&self, number: u64) -> Option<usize> {
        let holds = |(_, begin, end): &(u64, u64, u64)| (*begin..=*end).contains(&number);
        self.shown.iter().position(holds)
    }

    fn show_in(mut self, found: &mut Loop) {
        self.excerpts.retain(|excerpt| !excerpt.moves.is_empty());
        found.excerpt = self.excerpts;
        found.strip = self.beats;
    }
}

/// The laps to show, each with the calls since the lap before: the first, the one that was first reported, and the
/// last; more of them where there are calls between the laps.
fn shown_laps(spotted: &Spotted, laps: &Laps) -> Vec<(u64, u64, u64)> {
    let (first, last) = spotted.span();
    let has_gaps = (last + 1).saturating_sub(first) > laps.calls();
    let all = spotted.repeats();
    let mut numbers = vec![1, spotted.lap_told(), all];
    if has_gaps {
        numbers.push(2.min(all));
        numbers.extend((1..=all).rev().take(MAX_LAPS - 4));
    }
    numbers.sort_unstable();
    numbers.dedup();
    let shown = numbers.into_iter().filter_map(|lap| {
        let end = laps.end(lap)?;
        let begin = laps.end(lap - 1).map_or(first, |before| before + 1);
        Some((lap, begin.max((end + 1).saturating_sub(MAX_MOVES)), end))
    });
    shown.collect()
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
