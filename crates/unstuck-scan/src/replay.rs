//! A transcript, judged: the sink between its reader and the engine.

use std::{
    collections::{BTreeSet, HashMap},
    num::NonZeroU32,
};

use unstuck::{Engine, Event, EventKind, Mode, Settings, Verdict};
use unstuck_report::Run;
use unstuck_session::Activities;
use unstuck_store::About;
use unstuck_transcript::{Problem, Sink, Usage};

use super::{
    once::{MAX_RUNS, MOST, Once, RunMarks},
    prices::Prices,
    spotted::Spotted,
    track::Track,
};

/// Agents of one file that the engine remembers at the same time.
const MAX_AGENTS: NonZeroU32 = NonZeroU32::new(1_024).unwrap();

/// Judges the events of one file.
///
/// A recorded run went on whatever the answers would have been. So that all of it is judged, an agent that would have
/// been halted is reset, and goes on as a new one.
pub struct Replay<'a> {
    engine: Engine,
    settings: Settings,
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
    /// What agents do, where somebody looks at them.
    activities: Option<Activities>,
}

/// Whether decisions are kept as they are made.
enum Live {
    No,
    Yes(Vec<Told>),
}

/// Something an agent would have been told.
pub struct Told {
    pub session: Box<str>,
    pub agent: Box<str>,
    /// The line of the file, where it has one.
    pub line: Option<u64>,
    pub at: Option<i64>,
    pub verdict: Verdict,
    pub rule: unstuck::RuleName,
    pub repeats: u32,
    pub pattern: Vec<Box<str>>,
    pub message: Box<str>,
}

/// What could not be read of a file.
#[derive(Default)]
pub struct Problems {
    pub first: Option<Problem>,
    pub more: u64,
}

/// What a file told.
#[derive(Default)]
pub struct Replayed {
    /// Each with where its loops were.
    pub runs: Vec<(Run, Vec<Spotted>)>,
    /// Single lines that could not be read.
    pub problems: Problems,
    /// Parts that are missing.
    pub incomplete: Problems,
    pub unpriced: BTreeSet<String>,
    /// Calls and texts that were left out because they are recorded elsewhere, too.
    pub repeated: u64,
    pub marks: Vec<RunMarks>,
}

impl Problems {
    fn add(&mut self, problem: Problem) {
        match self.first {
            Some(_) => self.more += 1,
            None => self.first = Some(problem),
        }
    }
}

impl<'a> Replay<'a> {
    pub fn new(settings: &Settings, prices: &'a unstuck_config::Prices) -> Self {
        let mut settings = settings.clone();
        // Recordings are there to be judged, whatever holds for live agents.
        settings.mode = Mode::Enforce;
        settings.memory.sessions = settings.memory.sessions.min(MAX_AGENTS);
        Self {
            engine: Engine::with_index_key(settings.clone(), unstuck_session::index_key::random()),
            settings,
            once: Once::default(),
            prices: Prices::new(prices),
            tracks: Vec::new(),
            index: HashMap::new(),
            last: 0,
            problems: Problems::default(),
            incomplete: Problems::default(),
            left_out: 0,
            live: Live::No,
            activities: None,
        }
    }

    /// Leaves out what this one does not let through.
    pub fn with(mut self, once: Once) -> Self {
        self.once = once;
        self
    }

    /// From here on it is remembered what agents do.
    pub fn remember(&mut self) {
        self.activities.get_or_insert_default();
    }

    /// What agents did, if that is remembered. What they wasted is what the loops of their runs say.
    pub fn agents(&self) -> impl Iterator<Item = About> {
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
    pub fn listen(&mut self) {
        if let Live::No = self.live {
            self.live = Live::Yes(Vec::new());
        }
    }

    /// What was said since the last time.
    pub fn take_told(&mut self) -> Vec<Told> {
        match &mut self.live {
            Live::No => Vec::new(),
            Live::Yes(told) => std::mem::take(told),
        }
    }

    pub fn finish(mut self, path: &str, format: &str) -> Replayed {
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

impl Sink for Replay<'_> {
    fn event(&mut self, mut event: Event) {
        if !self.once.admits(&event) {
            return;
        }
        let Some(at) = self.track(&event.session, &event.agent) else {
            self.left_out += 1;
            return;
        };
        let mark = self.tracks[at].note(&mut event);
        let noted = self.activities.as_mut().map(|all| all.note(&event));
        let decision = self.engine.observe(event);
        if let (Some(all), Some(noted)) = (&mut self.activities, noted) {
            all.judged(&decision, noted);
        }
        let track = &mut self.tracks[at];
        track.judged(&decision, mark, &self.settings);
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
            let mut reset = Event::new(EventKind::Reset)
                .in_session(track.session.clone())
                .by_agent(track.agent.clone());
            reset.line = Some(mark.event);
            track.reset();
            self.engine.observe(reset);
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
