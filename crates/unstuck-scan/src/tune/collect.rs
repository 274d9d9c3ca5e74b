//! The first replay: which verdicts there would have been, and what there is to learn.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use unstuck::{EventKind, RuleName, Settings, Verdict};
use unstuck_report::{SkipReason, SkippedFiles};

use super::{
    alarm::Alarm,
    fields::{FieldMemory, Fields},
    healthy::Healthy,
    outcome::{Ending, Endings},
    recordings::{Broken, Recording, Recordings, Replayed},
    story::{Story, What},
    watch::Watch,
};
use crate::skips::{Listed, Skips};

/// Broken lines that are shown.
const SHOWN: usize = 5;
/// Kinds of alarms that are distinguished.
const MAX_GROUPS: usize = 1_024;
/// Different lengths of patterns that are remembered for each kind.
const MAX_PEAKS: usize = 64;
/// Tools of one recording that are remembered.
const MAX_TOOLS: usize = 1_024;

/// Everything the first replay brought.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) totals: Totals,
    /// Alarms by rule and tool, the most frequent first.
    pub(crate) groups: Vec<Group>,
    pub(crate) fields: Fields,
    /// The tools of every recording, in their order.
    pub(crate) tools: Vec<ToolsOf>,
    index: BTreeMap<(usize, Option<Rc<str>>), usize>,
}

/// What was read.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) files: u64,
    pub(crate) sessions: u64,
    pub(crate) healthy_sessions: u64,
    pub(crate) events: u64,
    pub(crate) calls: u64,
    pub(crate) verdicts: Verdicts,
    pub(crate) endings: Endings,
    /// Places in recordings that could not be read.
    pub(crate) broken: u64,
    /// The first of them: `file:line: why`.
    pub(crate) broken_lines: Vec<String>,
    /// Files that could not be read, or not to their end: `file: why`.
    pub(crate) failed: Named,
    /// Files that are not transcripts or that repeat others, by reason.
    pub(crate) skipped: Vec<SkippedFiles>,
    /// Transcripts without an event.
    pub(crate) empty: Named,
    /// Calls and texts that were left out because they are recorded more than once.
    pub(crate) repeated: u64,
    /// Alarms and events over the limits of what is followed.
    pub(crate) left_out: u64,
}

/// A count of files, with the first of them by name.
#[derive(Default)]
pub(crate) struct Named {
    pub(crate) count: u64,
    pub(crate) first: Vec<String>,
}

impl Named {
    pub(super) fn add(&mut self, name: impl Into<String>) {
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push(name.into());
        }
    }
}

impl Totals {
    /// Whether there is anything to judge by.
    pub(crate) fn is_nothing(&self) -> bool {
        self.events == 0
    }

    /// Whether something that should have been read was not.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.broken > 0 || self.failed.count > 0 || self.is_nothing()
    }
}

/// Alarms by the strictest answer they led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdicts {
    pub(crate) nudge: u64,
    pub(crate) deny: u64,
    pub(crate) halt: u64,
}

/// The tools that a recording has calls of.
pub(crate) enum ToolsOf {
    These(BTreeSet<Rc<str>>),
    TooMany,
}

/// All alarms of one rule about one tool.
pub(crate) struct Group {
    pub(crate) rule: RuleName,
    pub(crate) tool: Option<Rc<str>>,
    pub(crate) verdicts: Verdicts,
    /// Runs: agents of sessions.
    pub(crate) runs: u64,
    pub(crate) endings: Endings,
    /// How far patterns went that needed no alarm.
    pub(crate) peaks: BTreeMap<u32, u64>,
    /// The first alarm of each ending.
    pub(crate) examples: BTreeMap<Ending, Example>,
}

/// An alarm, with the names of where it was.
pub(crate) struct Example {
    pub(crate) file: String,
    pub(crate) session: String,
    pub(crate) agent: String,
    pub(crate) alarm: Alarm,
}

impl Verdicts {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Halt => self.halt += 1,
            Verdict::Deny => self.deny += 1,
            Verdict::Allow | Verdict::Nudge => self.nudge += 1,
        }
    }
}

impl ToolsOf {
    pub(crate) fn has(&self, tool: &str) -> bool {
        match self {
            Self::These(tools) => tools.contains(tool),
            Self::TooMany => true,
        }
    }
}

pub(crate) fn collect(
    recordings: &Recordings,
    settings: &Settings,
    healthy: &Healthy,
) -> Collected {
    let mut collected = Collected::default();
    for error in &recordings.errors {
        collected.totals.failed.add(error);
    }
    let mut skips = Skips::new(Listed::Some);
    for (name, original) in &recordings.equal {
        skips.add(SkipReason::Copy, name.clone(), original.clone());
    }
    for recording in recordings.iter() {
        collected.read(recording, settings, healthy, &mut skips);
    }
    collected.totals.skipped = skips.finish();
    let rank = |group: &Group| {
        let alarms = std::cmp::Reverse(group.endings.all());
        (alarms, group.rule as usize, group.tool.clone())
    };
    collected.groups.sort_by_key(rank);
    collected
}

impl Collected {
    fn read(
        &mut self,
        recording: &Recording,
        settings: &Settings,
        healthy: &Healthy,
        skips: &mut Skips,
    ) {
        let mut story = Story::default();
        let mut watch = Watch::with_halts(settings);
        let mut memory = FieldMemory::default();
        let mut tools = BTreeSet::new();
        let (mut events, mut broken) = (0, 0);
        let (replayed, repeated) = recording.replay(|event| {
            let mut event = match event {
                Ok(event) => event,
                Err(Broken { line, error }) => {
                    broken += 1;
                    if self.totals.broken_lines.len() < SHOWN {
                        let place = line.map_or_else(String::new, |line| format!(":{line}"));
                        let line = format!("{}{place}: {error}", recording.name);
                        self.totals.broken_lines.push(line);
                    }
                    return;
                }
            };
            events += 1;
            if let EventKind::Call(_) = event.kind {
                self.totals.calls += 1;
            }
            let Some(happening) = story.see(&mut event) else {
                return;
            };
            if let What::Called(made) = &happening.what
                && tools.len() <= MAX_TOOLS
            {
                tools.insert(Rc::clone(&made.tool));
            }
            self.fields.see(&event, &happening, &mut memory);
            watch.see(&event, &happening);
        });
        let totals = &mut self.totals;
        let name = &recording.name;
        match replayed {
            Replayed::Whole if events == 0 && broken == 0 => match &recording.elsewhere {
                Some(elsewhere) => skips.add(SkipReason::Copy, name.clone(), elsewhere.clone()),
                None => totals.empty.add(name),
            },
            Replayed::Whole => {}
            Replayed::Skipped(reason, detail) => {
                skips.add(reason, name.clone(), detail.to_owned());
            }
            Replayed::Failed(error) => totals.failed.add(format!("{name}: {error}")),
        }
        totals.files += u64::from(events > 0);
        totals.events += events;
        totals.broken += broken;
        totals.repeated += repeated;
        totals.left_out += story.unfollowed + watch.dropped;
        for session in story.sessions() {
            totals.sessions += 1;
            totals.healthy_sessions += u64::from(healthy.covers(&recording.name, session));
        }
        self.tools.push(if tools.len() > MAX_TOOLS {
            ToolsOf::TooMany
        } else {
            ToolsOf::These(tools)
        });
        let alarms = watch.finish(|agent| is_healthy(healthy, recording, &story, agent));
        self.group(recording, &story, alarms);
    }

    fn group(&mut self, recording: &Recording, story: &Story, alarms: Vec<Alarm>) {
        let mut runs = BTreeSet::new();
        for mut alarm in alarms {
            alarm.place(|event| story.line(event));
            self.totals.verdicts.add(alarm.verdict());
            self.totals.endings.add(alarm.ending());
            let key = (alarm.rule as usize, alarm.tool.clone());
            let at = match self.index.get(&key) {
                Some(at) => *at,
                None if self.groups.len() >= MAX_GROUPS => {
                    self.totals.left_out += 1;
                    continue;
                }
                None => {
                    self.groups.push(Group::new(&alarm));
                    self.index.insert(key, self.groups.len() - 1);
                    self.groups.len() - 1
                }
            };
            let group = &mut self.groups[at];
            group.runs += u64::from(runs.insert((at, alarm.agent)));
            let names = story.name(alarm.agent).unwrap_or_default();
            group.add(alarm, &recording.name, names);
        }
    }
}

impl Group {
    fn new(alarm: &Alarm) -> Self {
        Self {
            rule: alarm.rule,
            tool: alarm.tool.clone(),
            verdicts: Verdicts::default(),
            runs: 0,
            endings: Endings::default(),
            peaks: BTreeMap::new(),
            examples: BTreeMap::new(),
        }
    }

    fn add(&mut self, alarm: Alarm, file: &str, (session, agent): (&str, &str)) {
        let ending = alarm.ending();
        self.verdicts.add(alarm.verdict());
        self.endings.add(ending);
        if !ending.needed()
            && (self.peaks.len() < MAX_PEAKS || self.peaks.contains_key(&alarm.peak))
        {
            *self.peaks.entry(alarm.peak).or_default() += 1;
        }
        self.examples.entry(ending).or_insert_with(|| Example {
            file: file.to_owned(),
            session: session.to_owned(),
            agent: agent.to_owned(),
            alarm,
        });
    }
}

pub(super) fn is_healthy(
    healthy: &Healthy,
    recording: &Recording,
    story: &Story,
    agent: usize,
) -> bool {
    let session = story.name(agent).map_or("", |(session, _)| session);
    healthy.covers(&recording.name, session)
}
