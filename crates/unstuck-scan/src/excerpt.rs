//! The calls of loops, to be read: a second look at files that have loops.

use std::{borrow::Cow, collections::HashMap};

use unstuck::{Event, EventKind, Json, Role, Status};
use unstuck_json::JsonKind;
use unstuck_report::{Beat, Excerpt, Loop, Move, Run};
use unstuck_text::{cut, readable, redact_json};
use unstuck_transcript::{Problem, Sink, Usage};

use super::{
    find::Candidate,
    input::Meter,
    once::{KeepMarks, Once, Plan},
    read::{self, Wanted},
    spotted::Spotted,
    work::Excerpts,
};

/// Characters of arguments and of results that are shown.
const ARGS: usize = 4_000;
const OUTPUT: usize = 4_000;
/// Calls of one lap that are shown, those before it included.
const MAX_MOVES: u64 = 16;
/// Laps that are shown where there are calls between the laps, such as edits between failing tests.
const MAX_LAPS: usize = 8;
/// Calls in the picture of a loop.
const MAX_BEATS: usize = 300;
/// Bytes that are looked at to show something.
const LOOK: usize = 32 << 10;
/// Results that are waited for.
const MAX_WAITING: usize = 256;

/// Adds laps to read to the loops of a file's runs.
pub fn add(
    candidate: &Candidate,
    wanted: Wanted<'_>,
    (plan, excerpts): (Plan, Excerpts),
    runs: &mut [(Run, Vec<Spotted>)],
) {
    if runs.iter().all(|(run, _)| run.loops.is_empty()) {
        return;
    }
    let mut collector = Collector {
        once: Once::new(plan, KeepMarks::No),
        index: HashMap::new(),
        followed: Vec::new(),
    };
    for (at, (run, spotted)) in runs.iter().enumerate() {
        let key = (run.session.as_str().into(), run.agent.as_str().into());
        if !run.loops.is_empty() {
            collector.index.insert(key, collector.followed.len());
            collector
                .followed
                .push(Followed::new(at, spotted, excerpts));
        }
    }
    // Whatever goes wrong the second time was reported the first time; the bytes were counted then, too.
    let _ = read::read(candidate, wanted, &Meter::default(), &mut collector);
    for followed in collector.followed {
        let loops = &mut runs[followed.run].0.loops;
        for (found, view) in loops.iter_mut().zip(followed.views) {
            view.show_in(found);
        }
    }
}

struct Collector {
    /// Leaves out what was left out the first time.
    once: Once,
    index: HashMap<(Box<str>, Box<str>), usize>,
    followed: Vec<Followed>,
}

/// One run with loops.
struct Followed {
    /// Its number in the file.
    run: usize,
    excerpts: Excerpts,
    events: u64,
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
    laps: Vec<(u64, u64, u64)>,
    excerpts: Vec<Excerpt>,
    beats: Vec<Beat>,
    /// The lap of each of its calls.
    members: HashMap<u64, u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Calls,
    Words,
}

impl Followed {
    fn new(run: usize, spotted: &[Spotted], excerpts: Excerpts) -> Self {
        let views: Vec<_> = spotted.iter().map(View::new).collect();
        Self {
            run,
            excerpts,
            events: 0,
            calls: 0,
            of_calls: Current::new(&views, Of::Calls),
            of_words: Current::new(&views, Of::Words),
            views,
            waiting: Vec::new(),
        }
    }

    fn see(&mut self, event: &Event) {
        let excerpts = self.excerpts;
        self.events += 1;
        match &event.kind {
            EventKind::Call(call) => {
                self.calls += 1;
                let arguments = &call.args;
                for &view in self.of_calls.at(self.calls, &self.views) {
                    let shown = || Move {
                        line: event.line.unwrap_or(0),
                        at: event.at.map(|at| at.0),
                        tool: call.tool.to_string(),
                        args: shown_arguments(arguments, excerpts),
                        ..Move::default()
                    };
                    let (moved, beat) = self.views[view].call(self.calls, shown);
                    if (moved.is_some() || beat.is_some()) && self.waiting.len() < MAX_WAITING {
                        let slot = Slot { view, moved, beat };
                        self.waiting.push((call.id.clone(), slot));
                    }
                }
            }
            EventKind::Result(outcome) => {
                let mut slots = Vec::new();
                self.waiting.retain(|(id, slot)| {
                    let mine = *id == outcome.id;
                    if mine {
                        slots.push(*slot);
                    }
                    !mine
                });
                for slot in slots {
                    self.views[slot.view].result(slot, outcome, excerpts);
                }
            }
            EventKind::Step(step) => {
                self.calls += 1;
                for &view in self.of_calls.at(self.calls, &self.views) {
                    let shown = || Move {
                        line: event.line.unwrap_or(0),
                        at: event.at.map(|at| at.0),
                        tool: "step".to_owned(),
                        args: cut(&step.code, ARGS),
                        output: shown_output(step.output.as_ref(), excerpts),
                        status: "ok".to_owned(),
                        ..Move::default()
                    };
                    let _ = self.views[view].call(self.calls, shown);
                }
            }
            EventKind::Text(text) => {
                for &view in self.of_words.at(self.events, &self.views) {
                    self.views[view].text(self.events, || Move {
                        line: event.line.unwrap_or(0),
                        at: event.at.map(|at| at.0),
                        tool: match text.role {
                            Role::Thinking => "thinking".to_owned(),
                            _ => "text".to_owned(),
                        },
                        args: cut(&text.text, ARGS),
                        ..Move::default()
                    });
                }
            }
            _ => {}
        }
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
        let members: Vec<u64> = spotted.members().map(u64::from).collect();
        let (of, (from, to)) = if members.is_empty() {
            (Of::Words, (spotted.from.event, spotted.to.event))
        } else {
            (Of::Calls, spotted.span())
        };
        let laps = match of {
            Of::Words => vec![(1, from, to.min(from + MAX_MOVES - 1))],
            Of::Calls => shown_laps(spotted, &members),
        };
        let excerpts = laps.iter().map(|(lap, ..)| Excerpt {
            lap: *lap,
            moves: Vec::new(),
        });
        let lap_of = |at: usize| at as u64 / spotted.period() + 1;
        Self {
            from,
            to,
            of,
            excerpts: excerpts.collect(),
            laps,
            beats: Vec::new(),
            members: members
                .iter()
                .enumerate()
                .map(|(at, call)| (*call, lap_of(at)))
                .collect(),
        }
    }

    /// A call of the run. Where it is shown, if it is.
    fn call(
        &mut self,
        number: u64,
        shown: impl FnOnce() -> Move,
    ) -> (Option<(usize, usize)>, Option<usize>) {
        if self.of == Of::Words || number < self.from || number > self.to {
            return (None, None);
        }
        let lap = self.members.get(&number).copied().unwrap_or(0);
        let wanted = |(_, begin, end): &(u64, u64, u64)| (*begin..=*end).contains(&number);
        let at = self.laps.iter().position(wanted);
        let needs_beat = self.beats.len() < MAX_BEATS;
        if at.is_none() && !needs_beat {
            return (None, None);
        }
        let mut shown = shown();
        shown.lap = lap;
        let beat = needs_beat.then(|| {
            self.beats.push(Beat {
                line: shown.line,
                tool: shown.tool.clone(),
                lap,
                status: shown.status.clone(),
            });
            self.beats.len() - 1
        });
        let moved = at.map(|at| {
            let moves = &mut self.excerpts[at].moves;
            moves.push(shown);
            (at, moves.len() - 1)
        });
        (moved, beat)
    }

    fn result(&mut self, slot: Slot, outcome: &unstuck::Outcome, excerpts: Excerpts) {
        let status = match outcome.status {
            Status::Ok if outcome.failed() => "error",
            Status::Ok => "ok",
            Status::Error => "error",
            Status::Denied => "denied",
            Status::Cancelled => "cancelled",
            Status::Pending => "pending",
            _ => "",
        };
        if let Some(beat) = slot.beat.and_then(|at| self.beats.get_mut(at)) {
            status.clone_into(&mut beat.status);
        }
        let shown = slot
            .moved
            .and_then(|(lap, at)| self.excerpts.get_mut(lap)?.moves.get_mut(at));
        if let Some(shown) = shown {
            status.clone_into(&mut shown.status);
            shown.exit_code = outcome.exit_code;
            shown.output = shown_output(outcome.output.as_ref(), excerpts);
        }
    }

    fn text(&mut self, number: u64, shown: impl FnOnce() -> Move) {
        let wanted = |(_, begin, end): &(u64, u64, u64)| (*begin..=*end).contains(&number);
        if self.of == Of::Words
            && let Some(at) = self.laps.iter().position(wanted)
        {
            self.excerpts[at].moves.push(shown());
        }
    }

    fn show_in(mut self, found: &mut Loop) {
        self.excerpts.retain(|excerpt| !excerpt.moves.is_empty());
        found.excerpt = self.excerpts;
        found.strip = self.beats;
    }
}

impl Sink for Collector {
    fn event(&mut self, event: Event) {
        if !self.once.admits(&event) {
            return;
        }
        let key = (event.session.clone(), event.agent.clone());
        if let Some(at) = self.index.get(&key) {
            self.followed[*at].see(&event);
        }
    }

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, _: Problem) {}
}

/// A command as it was typed, with its other arguments below it; anything else as indented JSON. One tool's calls look
/// alike, whichever arguments each of them has, so that a comparison shows what differs and nothing else.
fn shown_arguments(arguments: &Json, excerpts: Excerpts) -> String {
    const MEMBERS: usize = 32;
    let arguments = without_secrets(arguments, excerpts);
    let (mut command, mut others) = (None, String::new());
    for (name, value) in arguments.view().members().take(MEMBERS) {
        let text = value.text();
        match (&*name, text) {
            ("command" | "cmd" | "code" | "input", Some(text)) if command.is_none() => {
                command = Some(cut(&text, ARGS));
            }
            (name, text) => {
                let value = text.as_deref().unwrap_or(value.as_str());
                others = others + "\n" + name + ": " + &cut(value, ARGS);
            }
        }
    }
    if let Some(command) = command {
        return cut(&(command + &others), ARGS);
    }
    let text = arguments.as_str();
    let value: Option<serde_json::Value> = (text.len() <= LOOK)
        .then(|| serde_json::from_str(text).ok())
        .flatten();
    let pretty = value.and_then(|value| serde_json::to_string_pretty(&value).ok());
    cut(pretty.as_deref().unwrap_or(text), ARGS)
}

fn shown_output(output: Option<&Json>, excerpts: Excerpts) -> String {
    let Some(output) = output else {
        return String::new();
    };
    let output = without_secrets(output, excerpts);
    let text = output.as_str();
    cut(&readable(&text[..text.floor_char_boundary(LOOK)]), OUTPUT)
}

/// A value without secrets, unless they are wanted. Lists and objects are redacted before they are printed: printed, the
/// words of a command are on lines of their own. Texts are redacted with the report.
fn without_secrets(value: &Json, excerpts: Excerpts) -> Cow<'_, Json> {
    if excerpts == Excerpts::Raw || value.view().kind() == JsonKind::String {
        return Cow::Borrowed(value);
    }
    Cow::Owned(redact_json(value))
}

/// The laps to show, each with the calls since the lap before: the first, the one that was first reported, and the
/// last; more of them where there are calls between the laps.
fn shown_laps(spotted: &Spotted, members: &[u64]) -> Vec<(u64, u64, u64)> {
    let (first, last) = spotted.span();
    let has_gaps = (last + 1).saturating_sub(first) > members.len() as u64;
    let laps = spotted.repeats();
    let mut numbers = vec![1, spotted.lap_told(), laps];
    if has_gaps {
        numbers.push(2.min(laps));
        numbers.extend((1..=laps).rev().take(MAX_LAPS - 4));
    }
    numbers.sort_unstable();
    numbers.dedup();
    let period = usize::try_from(spotted.period()).unwrap_or(1).max(1);
    let ends: Vec<u64> = members
        .chunks(period)
        .filter_map(|lap| lap.last().copied())
        .collect();
    let shown = numbers.into_iter().filter_map(|lap| {
        let at = usize::try_from(lap).ok()?.checked_sub(1)?;
        let end = *ends.get(at)?;
        let before = at.checked_sub(1).and_then(|before| ends.get(before));
        let begin = before.map_or(first, |before| before + 1);
        Some((lap, begin.max((end + 1).saturating_sub(MAX_MOVES)), end))
    });
    shown.collect()
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
