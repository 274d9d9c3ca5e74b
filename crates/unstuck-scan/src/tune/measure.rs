//! Further replays: what a change of the settings would have done.

use std::{cmp::Reverse, collections::BTreeSet};

use unstuck::{RuleName, Settings, settings::ToolSettings};

use super::{
    alarm::Alarm,
    collect::{ToolsOf, is_healthy},
    healthy::Healthy,
    outcome::{Ending, Endings},
    recordings::Recordings,
    story::Story,
    watch::Watch,
};

/// Alarms that a proposal to loosen a tool must remove, all of them not needed.
pub(crate) const MIN_ALARMS: u64 = 5;
/// Runs that these alarms must come from.
pub(crate) const MIN_RUNS: u64 = 3;

/// Alarms that are listed of those that a change removes.
const LISTED: usize = 3;

/// What changes when settings change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Alarms that are gone.
    pub(crate) removed: Endings,
    /// Alarms that were not there before.
    pub(crate) added: Endings,
    /// Alarms that come later than before.
    pub(crate) later: Endings,
    /// Runs in which an alarm that was not needed is gone.
    pub(crate) quieter_runs: u64,
    /// Rules that report the same calls in place of the rule that reported them before.
    pub(crate) instead: BTreeSet<RuleName>,
    /// What would no longer be reported: the longest of the removed alarms.
    pub(crate) missed: Vec<Missed>,
}

/// A pattern that would no longer be reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missed {
    pub(crate) file: String,
    /// First line of the file; 0 where it is unknown.
    pub(crate) from: u64,
    /// Last line of the file; 0 where it is unknown.
    pub(crate) to: u64,
    pub(crate) rule: RuleName,
    pub(crate) repeats: u32,
    pub(crate) pattern: Vec<Box<str>>,
    pub(crate) ending: Ending,
}

impl Effect {
    /// What is won, and what it costs: alarms removed that were not needed and loops caught that were missed, against
    /// loops missed and new alarms that are not needed. What is lost weighs double.
    pub(crate) fn score(&self) -> i64 {
        let won = self.removed.unneeded() + self.added.needed();
        won.cast_signed() - 2 * self.costs().cast_signed()
    }

    /// Loops that are missed, and new alarms that are not needed.
    pub(crate) fn costs(&self) -> u64 {
        self.removed.needed() + self.added.unneeded()
    }

    /// Whether what it removes was seen often enough, and in enough runs, to loosen a tool for it.
    pub(crate) fn is_enough(&self) -> bool {
        self.removed.unneeded() >= MIN_ALARMS && self.quieter_runs >= MIN_RUNS
    }

    fn miss(&mut self, file: &str, story: &Story, alarm: &Alarm) {
        self.removed.add(alarm.ending());
        self.missed.push(Missed {
            file: file.to_owned(),
            from: story.line(alarm.from),
            to: story.line(alarm.last),
            rule: alarm.rule,
            repeats: alarm.peak,
            pattern: alarm.pattern.clone(),
            ending: alarm.ending(),
        });
        // Loops that did not end by themselves first, then the longest.
        let rank = |missed: &Missed| (Reverse(missed.ending.needed()), Reverse(missed.repeats));
        self.missed.sort_by_key(rank);
        self.missed.truncate(LISTED);
    }

    /// Compares the alarms of one recording under two settings. They are still placed by event, not by line.
    pub(super) fn compare(
        &mut self,
        (file, story): (&str, &Story),
        before: &[Alarm],
        after: &[Alarm],
    ) {
        let mut quieter = BTreeSet::new();
        let same = |one: &Alarm, other: &Alarm| {
            one.agent == other.agent && one.is_same_pattern(other.rule, other.from)
        };
        // Patterns that one of the two does not have may still be the same trouble under another name.
        let is_new = |alarm: &&Alarm| !before.iter().any(|other| same(alarm, other));
        let new: Vec<_> = after.iter().filter(is_new).collect();
        for alarm in before {
            match after.iter().find(|other| same(alarm, other)) {
                Some(kept) if kept.told > alarm.told => self.later.add(alarm.ending()),
                Some(_) => {}
                None if new.iter().any(|other| alarm.overlaps(other)) => {
                    self.later.add(alarm.ending());
                    let others = new.iter().filter(|other| alarm.overlaps(other));
                    let rules = others.map(|other| other.rule);
                    self.instead
                        .extend(rules.filter(|rule| *rule != alarm.rule));
                }
                None => {
                    if !alarm.ending().needed() {
                        quieter.insert(alarm.agent);
                    }
                    self.miss(file, story, alarm);
                }
            }
        }
        self.quieter_runs += quieter.len() as u64;
        for alarm in new {
            if !before.iter().any(|other| alarm.overlaps(other)) {
                self.added.add(alarm.ending());
            }
        }
    }
}

/// Replays everything once, under the settings and under each change to them.
pub(crate) fn measure(
    recordings: &Recordings,
    (settings, healthy): (&Settings, &Healthy),
    changes: &[Vec<ToolSettings>],
    tools: &[ToolsOf],
) -> Vec<Effect> {
    let mut effects = vec![Effect::default(); changes.len()];
    let settings_of: Vec<_> = changes
        .iter()
        .map(|change| changed(settings, change))
        .collect();
    for (recording, tools) in recordings.iter().zip(tools) {
        // Where a tool is not called its settings change nothing.
        let concerned = |entry: &ToolSettings| tools.has(entry.tool.as_str());
        let mut watches: Vec<_> = changes
            .iter()
            .zip(&settings_of)
            .enumerate()
            .filter(|(_, (change, _))| change.iter().any(concerned))
            .map(|(at, (_, settings))| (at, Watch::new(settings)))
            .collect();
        if watches.is_empty() {
            continue;
        }
        let mut story = Story::default();
        let mut before = Watch::new(settings);
        // How the replay ended was reported after the first one.
        let _ = recording.replay(|event| {
            let Ok(mut event) = event else {
                return;
            };
            if let Some(happening) = story.see(&mut event) {
                before.see(&event, &happening);
                for (_, watch) in &mut watches {
                    watch.see(&event, &happening);
                }
            }
        });
        let is_healthy = |agent| is_healthy(healthy, recording, &story, agent);
        let before = before.finish(is_healthy);
        for (at, watch) in watches {
            let after = watch.finish(is_healthy);
            effects[at].compare((&recording.name, &story), &before, &after);
        }
    }
    effects
}

/// The settings with these entries before all others, because the first that matches counts.
pub(super) fn changed(settings: &Settings, entries: &[ToolSettings]) -> Settings {
    let mut changed = settings.clone();
    changed.tools.splice(0..0, entries.iter().cloned());
    changed
}
