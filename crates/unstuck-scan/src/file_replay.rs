//! A transcript, judged: the sink between its reader and the engine.

use std::collections::{BTreeSet, HashMap};

use unstuck::{Event, Settings, Verdict, settings::Bounded};
use unstuck_report::Run;
#[cfg(not(target_family = "wasm"))]
use unstuck_session::Activities;
#[cfg(not(target_family = "wasm"))]
use unstuck_store::About;
use unstuck_transcript::{Problem, Sink, Usage};

use super::{
    kept::{Kept, KeptEvent},
    once::{MAX_RUNS, MOST, Once, RunMarks},
    prices::Prices,
    replay::{OnHalt, Replay},
    seen::Seen,
    spotted::Spotted,
    track::Track,
    work::Excerpts,
};

/// Agents of one file that the engine remembers at the same time.
const MAX_AGENTS: Bounded<1, 1_048_576> = Bounded::of::<1_024>();

/// Judges the events of one file.
pub(crate) struct FileReplay<'a> {
    replay: Replay,
    once: Once,
    prices: Prices<'a>,
    tracks: Vec<Track>,
    index: HashMap<(Box<str>, Box<str>), usize>,
    /// The run of the last event; the next one is mostly of the same.
    last: usize,
    problems: Problems,
    incomplete: Problems,
    /// Events of runs that were too many.
    left_out: u64,
    live: Live,
    /// Activity of the agents, where it is displayed.
    #[cfg(not(target_family = "wasm"))]
    activities: Option<Activities>,
    /// Events that excerpts may need, where they are wanted.
    kept: Option<Kept>,
}

/// Whether decisions are kept as they are made.
enum Live {
    No,
    Yes(Vec<Told>),
}

/// Something an agent would have been told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Told {
    /// The session.
    pub session: Box<str>,
    /// The agent within the session.
    pub agent: Box<str>,
    /// The line of the file, where it has one.
    pub line: Option<u64>,
    /// When, in milliseconds since 1970.
    pub at: Option<i64>,
    /// The answer.
    pub verdict: Verdict,
    /// The rule that decided.
    pub rule: unstuck::RuleName,
    /// Occurrences, the first one included.
    pub repeats: u32,
    /// Readable lines of the calls of one lap.
    pub pattern: Vec<Box<str>>,
    /// The message for the model.
    pub message: Box<str>,
}

/// What could not be read of a file.
#[derive(Default)]
pub(crate) struct Problems {
    pub(crate) first: Option<Problem>,
    pub(crate) more: u64,
}

/// What a file told.
#[derive(Default)]
pub(crate) struct Replayed {
    /// Each with where its loops were.
    pub(crate) runs: Vec<(Run, Vec<Spotted>)>,
    /// Single lines that could not be read.
    pub(crate) problems: Problems,
    /// Parts that are missing.
    pub(crate) incomplete: Problems,
    pub(crate) unpriced: BTreeSet<String>,
    /// Calls and texts that were left out because they are recorded elsewhere, too.
    pub(crate) repeated: u64,
    pub(crate) marks: Vec<RunMarks>,
    /// Events that excerpts may need, where they are wanted.
    pub(crate) kept: Option<Kept>,
}

impl Problems {
    fn add(&mut self, problem: Problem) {
        match self.first {
            Some(_) => self.more += 1,
            None => self.first = Some(problem),
        }
    }
}

impl<'a> FileReplay<'a> {
    pub(crate) fn new(settings: &Settings, prices: &'a unstuck_config::Prices) -> Self {
        let mut settings = settings.clone();
        settings.memory.sessions = settings.memory.sessions.min(MAX_AGENTS);
        Self {
            replay: Replay::new(&settings, OnHalt::Reset),
            once: Once::default(),
            prices: Prices::new(prices),
            tracks: Vec::new(),
            index: HashMap::new(),
            last: 0,
            problems: Problems::default(),
            incomplete: Problems::default(),
            left_out: 0,
            live: Live::No,
            #[cfg(not(target_family = "wasm"))]
            activities: None,
            kept: None,
        }
    }

    /// Keeps the events that excerpts may need.
    pub(crate) fn keep_for(mut self, excerpts: Excerpts) -> Self {
        self.kept = (excerpts != Excerpts::Unwanted).then(|| Kept::new(excerpts));
        self
    }

    /// Leaves out what this one does not let through.
    pub(crate) fn with(mut self, once: Once) -> Self {
        self.once = once;
        self
    }

    /// From here on it is remembered what agents do.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn remember(&mut self) {
        self.activities.get_or_insert_default();
    }

    /// What agents did, if that is remembered. What they wasted is what the loops of their runs say.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn agents(&self) -> impl Iterator<Item = About> {
        let all = self.activities.iter().flat_map(Activities::all);
        all.map(|about| {
            let mut about = about.clone();
            let key = (about.session.clone(), about.agent.clone());
            if let Some(at) = self.index.get(&key) {
                about.activity.wasted = self.tracks[*at].wasted();
            }
            about
        })
    }

    /// From here on decisions are kept until they are taken.
    pub(crate) fn listen(&mut self) {
        if let Live::No = self.live {
            self.live = Live::Yes(Vec::new());
        }
    }

    /// What was said since the last time.
    pub(crate) fn take_told(&mut self) -> Vec<Told> {
        match &mut self.live {
            Live::No => Vec::new(),
            Live::Yes(told) => std::mem::take(told),
        }
    }

    pub(crate) fn finish(mut self, path: &str, format: &str) -> Replayed {
        if self.left_out > 0 {
            let message = format!(
                "more than {MAX_RUNS} agents in one file: {} events of the others were left out",
                self.left_out
            );
            self.incomplete(Problem {
                line: None,
                message: message.into(),
            });
        }
        let loops: u64 = self.tracks.iter().map(Track::left_out).sum();
        if loops > 0 {
            let message =
                format!("more loops than are kept of one run: {loops} reports were left out");
            self.problem(Problem {
                line: None,
                message: message.into(),
            });
        }
        let uncompared = self.once.uncompared();
        if uncompared > 0 {
            let message = format!(
                "more than {MOST} calls and messages: {uncompared} of them were not compared, and count again where they are recorded twice"
            );
            self.problem(Problem {
                line: None,
                message: message.into(),
            });
        }
        let runs = self.tracks.into_iter();
        Replayed {
            runs: runs.map(|track| track.finish(path, format)).collect(),
            problems: self.problems,
            incomplete: self.incomplete,
            unpriced: self.prices.into_unpriced(),
            repeated: self.once.repeated(),
            marks: self.once.into_marks(),
            kept: self.kept,
        }
    }

    fn track(&mut self, session: &str, agent: &str) -> Option<usize> {
        if let Some(last) = self.tracks.get(self.last)
            && *last.session == *session
            && *last.agent == *agent
        {
            return Some(self.last);
        }
        let key = (session.into(), agent.into());
        let at = match self.index.get(&key) {
            Some(at) => *at,
            None if self.tracks.len() >= MAX_RUNS => return None,
            None => {
                let at = self.tracks.len();
                // With many runs there is less room for each.
                let marks = match at {
                    0..64 => 4_096,
                    64..4_096 => 512,
                    _ => 64,
                };
                self.tracks.push(Track::new(session, agent, marks));
                self.index.insert(key, at);
                at
            }
        };
        self.last = at;
        Some(at)
    }
}

impl Sink for FileReplay<'_> {
    fn event(&mut self, mut event: Event) {
        if !self.once.admits(&event) {
            return;
        }
        let Some(at) = self.track(&event.session, &event.agent) else {
            self.left_out += 1;
            return;
        };
        let excerpts = self.kept.as_ref().map(|kept| kept.excerpts);
        // Taking note of the event replaces its line.
        let seen = excerpts.and_then(|excerpts| Seen::of(&event, excerpts));
        let mark = self.tracks[at].note(&mut event);
        if let (Some(kept), Some(seen)) = (&mut self.kept, seen) {
            kept.keep(KeptEvent {
                run: at,
                number: mark.event,
                seen,
            });
        }
        #[cfg(not(target_family = "wasm"))]
        let noted = self.activities.as_mut().map(|all| all.note(&event));
        let decision = self.replay.observe(event);
        #[cfg(not(target_family = "wasm"))]
        if let (Some(all), Some(noted)) = (&mut self.activities, noted) {
            all.judged(&decision, noted);
        }
        let track = &mut self.tracks[at];
        track.judged(&decision, mark, self.replay.settings());
        if let Live::Yes(told) = &mut self.live
            && decision.verdict > Verdict::Allow
            && let Some(reason) = &decision.reason
        {
            told.push(Told {
                session: track.session.clone(),
                agent: track.agent.clone(),
                line: Some(mark.line).filter(|line| *line > 0),
                at: mark.at,
                verdict: decision.verdict,
                rule: reason.rule,
                repeats: reason.repeats,
                pattern: reason.pattern.clone(),
                message: reason.message.clone(),
            });
        }
        if decision.verdict == Verdict::Halt {
            // The engine was reset as well.
            track.reset();
        }
    }

    fn usage(&mut self, usage: Usage) {
        if !self.once.admits_usage(&usage) {
            return;
        }
        if let Some(at) = self.track(&usage.session, &usage.agent) {
            self.tracks[at].usage(&usage, &mut self.prices);
        }
    }

    fn asked(&mut self, session: &str, agent: &str, text: &str) {
        if let Some(at) = self.track(session, agent) {
            self.tracks[at].asked(text);
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.add(problem);
    }

    fn incomplete(&mut self, problem: Problem) {
        self.incomplete.add(problem);
    }
}
