//! Further replays: what a change of the settings would have done.

use anyhow::Result;
use unstuck::{Settings, ToolSettings};

use super::{
    alarm::Alarm,
    collect::{ToolsOf, is_healthy},
    healthy::Healthy,
    outcome::Endings,
    recordings::Recordings,
    story::Story,
    watch::Watch,
};

/// What changes when settings change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Alarms that are gone.
    pub(crate) removed: Endings,
    /// Alarms that were not there before.
    pub(crate) added: Endings,
    /// Alarms that come later than before.
    pub(crate) later: Endings,
}

impl Effect {
    /// What is won, and what it costs: alarms removed that were not needed and loops caught that were missed, against
    /// loops missed and new alarms that are not needed. What is lost weighs double.
    pub(crate) fn score(&self) -> i64 {
        let won = self.removed.unneeded() + self.added.needed();
        let lost = self.removed.needed() + self.added.unneeded();
        won.cast_signed() - 2 * lost.cast_signed()
    }

    pub(super) fn compare(&mut self, before: &[Alarm], after: &[Alarm]) {
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
                }
                None => self.removed.add(alarm.ending()),
            }
        }
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
) -> Result<Vec<Effect>> {
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
        recording.replay(|event| {
            let Ok(mut event) = event else {
                return;
            };
            if let Some(happening) = story.see(&mut event) {
                before.see(&event, &happening);
                for (_, watch) in &mut watches {
                    watch.see(&event, &happening);
                }
            }
        })?;
        let is_healthy = |agent| is_healthy(healthy, recording, &story, agent);
        let before = before.finish(is_healthy);
        for (at, watch) in watches {
            effects[at].compare(&before, &watch.finish(is_healthy));
        }
    }
    Ok(effects)
}

/// The settings with these entries before all others, because the first that matches counts.
pub(super) fn changed(settings: &Settings, entries: &[ToolSettings]) -> Settings {
    let mut changed = settings.clone();
    changed.tools.splice(0..0, entries.iter().cloned());
    changed
}
