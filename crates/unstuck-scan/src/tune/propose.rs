//! Proposals: settings for single tools that the recordings speak for.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use unstuck::{
    RuleName, Settings,
    settings::{DenyRung, Ladder, Rung, ToolLadder, ToolSettings},
};

use super::{
    collect::{Collected, Group},
    healthy::Healthy,
    measure::{Effect, measure},
    outcome::Ending,
    recordings::Recordings,
};

/// Changes that are tried, all tools together.
const MAX_TRIED: usize = 64;
/// Heights of the first rung that are tried for one tool.
const HEIGHTS: usize = 4;
/// The rules that a tool's own ladder counts for.
const LADDER_RULES: [RuleName; 4] = [
    RuleName::ExactRepeat,
    RuleName::NearRepeat,
    RuleName::Cycle,
    RuleName::Poll,
];

/// A change to the settings of one tool.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) tool: Rc<str>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Rungs of its own.
    Ladder(ToolLadder),
    /// Not watched any more.
    Exempt,
    /// Members of the answers that mean nothing, and how often only they changed.
    Volatile { fields: Vec<String>, seen: u64 },
    /// Arguments that make up the identity, and how often the others changed for nothing.
    Key { fields: Vec<String>, seen: u64 },
}

/// A change that is worth it, with what it does to these recordings.
pub(crate) struct Proposal {
    pub(crate) change: Change,
    pub(crate) entry: ToolSettings,
    pub(crate) effect: Effect,
    /// Other heights of the ladder that were tried.
    pub(crate) tried: Vec<(ToolLadder, Effect)>,
}

/// A tool with alarms that were not needed, for which nothing is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Withheld {
    pub(crate) tool: Rc<str>,
    pub(crate) why: Why,
}

/// Why nothing is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The best change removes fewer alarms, or in fewer runs, than a proposal needs.
    TooFew { alarms: u64, runs: u64 },
    /// The best change misses loops, or adds alarms, that weigh more than what it removes.
    CostsMore { removed: u64, costs: u64 },
    /// No change that was tried removes an alarm. With them, these rules report the same calls.
    NoEffect(Vec<RuleName>),
    /// Its alarms come from rules that settings of a tool do not change.
    OtherRules(Vec<RuleName>),
}

/// All that is proposed, the most useful first.
#[derive(Default)]
pub(crate) struct Proposals {
    pub(crate) ranked: Vec<Proposal>,
    /// Tools for which nothing is proposed, in the order of their names.
    pub(crate) withheld: Vec<Withheld>,
    /// One entry for each tool.
    pub(crate) entries: Vec<ToolSettings>,
    /// What all of them together do.
    pub(crate) together: Effect,
    /// Changes that could not be tried because there were too many.
    pub(crate) untried: u64,
}

pub(crate) fn propose(
    collected: &Collected,
    recordings: &Recordings,
    settings: &Settings,
    healthy: &Healthy,
) -> Proposals {
    let mut changes = candidates(collected, settings);
    let untried = changes.len().saturating_sub(MAX_TRIED) as u64;
    changes.truncate(MAX_TRIED);
    if changes.is_empty() {
        return Proposals {
            withheld: unchangeable(collected, &[]),
            ..Proposals::default()
        };
    }
    let entries: Vec<_> = changes
        .iter()
        .map(|change| vec![change.on_top_of(base(settings, &change.tool))])
        .collect();
    let effects = measure(recordings, (settings, healthy), &entries, &collected.tools);
    let tried: Vec<_> = changes
        .iter()
        .map(|change| Rc::clone(&change.tool))
        .collect();
    let measured = changes.into_iter().zip(effects).collect();
    let (proposals, mut withheld) = choose(measured, settings);
    if untried == 0 {
        withheld.extend(unchangeable(collected, &tried));
    }
    withheld.sort_by(|one, other| one.tool.cmp(&other.tool));
    let mut merged: BTreeMap<Rc<str>, ToolSettings> = BTreeMap::new();
    for proposal in &proposals {
        let tool = &proposal.change.tool;
        let entry = match merged.remove(tool) {
            Some(entry) => proposal.change.on_top_of(entry),
            None => proposal.entry.clone(),
        };
        merged.insert(Rc::clone(tool), entry);
    }
    let entries: Vec<_> = merged.into_values().collect();
    let all = [entries];
    let together = if all[0].is_empty() {
        Effect::default()
    } else {
        let effects = measure(recordings, (settings, healthy), &all, &collected.tools);
        effects.into_iter().next().unwrap_or_default()
    };
    let [entries] = all;
    Proposals {
        ranked: proposals,
        withheld,
        entries,
        together,
        untried,
    }
}

/// Tools with alarms that were not needed, for which there was nothing to try.
fn unchangeable(collected: &Collected, tried: &[Rc<str>]) -> Vec<Withheld> {
    let mut rules: BTreeMap<&Rc<str>, Vec<RuleName>> = BTreeMap::new();
    for group in &collected.groups {
        if let Some(tool) = &group.tool
            && group.endings.unneeded() > 0
            && !tried.contains(tool)
        {
            rules.entry(tool).or_default().push(group.rule);
        }
    }
    let withheld = rules.into_iter().map(|(tool, rules)| Withheld {
        tool: Rc::clone(tool),
        why: Why::OtherRules(rules),
    });
    withheld.collect()
}

/// What is worth trying: the tools with the most needless alarms first.
fn candidates(collected: &Collected, settings: &Settings) -> Vec<Change> {
    let mut tools: BTreeMap<&Rc<str>, Vec<&Group>> = BTreeMap::new();
    for group in &collected.groups {
        if let Some(tool) = &group.tool {
            tools.entry(tool).or_default().push(group);
        }
    }
    let mut tools: Vec<_> = tools.into_iter().collect();
    let needless = |groups: &[&Group]| -> u64 {
        let endings = groups.iter().map(|group| group.endings.unneeded());
        endings.sum()
    };
    tools.sort_by_key(|(_, groups)| std::cmp::Reverse(needless(groups)));
    let change = |tool: &Rc<str>, kind| Change {
        tool: Rc::clone(tool),
        kind,
    };
    let mut changes = Vec::new();
    for (tool, fields, seen) in collected.fields.volatile() {
        let known = base(settings, tool);
        if !fields.iter().all(|one| known.volatile_fields.contains(one)) {
            changes.push(change(tool, Kind::Volatile { fields, seen }));
        }
    }
    for (tool, fields, seen) in collected.fields.keys() {
        if base(settings, tool).key_fields.is_empty() {
            changes.push(change(tool, Kind::Key { fields, seen }));
        }
    }
    // Alarms that bother come first where not everything can be tried; half of the room is theirs in any case.
    changes.truncate(MAX_TRIED / 2);
    let mut first = Vec::new();
    for (tool, groups) in tools {
        if needless(&groups) == 0 {
            continue;
        }
        for ladder in ladders(&groups, settings, tool) {
            first.push(change(tool, Kind::Ladder(ladder)));
        }
        let all_healthy = |group: &&Group| {
            let healthy = group.endings.of(Ending::Healthy);
            healthy == group.endings.all()
        };
        if groups.iter().all(all_healthy) {
            first.push(change(tool, Kind::Exempt));
        }
    }
    first.truncate(MAX_TRIED.saturating_sub(changes.len()).max(MAX_TRIED / 2));
    first.extend(changes);
    first
}

/// Ladders that start above what needed no alarm: above all of it, and above most of it.
fn ladders(groups: &[&Group], settings: &Settings, tool: &str) -> Vec<ToolLadder> {
    let counting = groups
        .iter()
        .filter(|group| LADDER_RULES.contains(&group.rule) && group.endings.unneeded() > 0);
    let mut peaks: BTreeMap<u32, u64> = BTreeMap::new();
    let mut most: Option<&Group> = None;
    for group in counting {
        for (peak, times) in &group.peaks {
            *peaks.entry(*peak).or_default() += times;
        }
        if most.is_none_or(|most| group.endings.unneeded() > most.endings.unneeded()) {
            most = Some(group);
        }
    }
    let Some(most) = most else {
        return Vec::new();
    };
    let own = base(settings, tool).ladder;
    let ladder = over(own, settings.rules.ladder(most.rule));
    let poll = over(own, settings.rules.ladder(RuleName::Poll));
    let mut ladders: Vec<ToolLadder> = Vec::new();
    for height in heights(&peaks) {
        let raised = raise(&ladder, height.saturating_add(1));
        // The tool's ladder counts for polls too, whose own rungs are higher: they must not become stricter.
        for ladder in [raised, at_least(raised, &poll)] {
            if !ladder.is_empty() && !ladders.contains(&ladder) {
                ladders.push(ladder);
            }
        }
    }
    ladders
}

/// A few of the observed lengths, from the shortest of interest to the longest.
fn heights(peaks: &BTreeMap<u32, u64>) -> Vec<u32> {
    let all: u64 = peaks.values().sum();
    let mut heights = Vec::new();
    for part in 1..=HEIGHTS as u64 {
        let wanted = (all * part).div_ceil(HEIGHTS as u64);
        let mut below = 0;
        let reached = peaks.iter().find(|(_, times)| {
            below += **times;
            below >= wanted
        });
        if let Some((peak, _)) = reached
            && heights.last() != Some(peak)
        {
            heights.push(*peak);
        }
    }
    heights
}

/// The same ladder with its first rung at `first`.
fn raise(ladder: &Ladder, first: u32) -> ToolLadder {
    let rungs = [
        ladder.nudge.count(),
        ladder.deny.count(),
        ladder.halt.count(),
    ];
    let Some(lowest) = rungs.into_iter().flatten().min() else {
        return ToolLadder::default();
    };
    let up = |count: u32| count.saturating_add(first.saturating_sub(lowest));
    let mut raised = ToolLadder::default();
    raised.nudge = ladder.nudge.count().map(|count| Rung::at(up(count)));
    raised.deny = ladder.deny.count().map(|count| DenyRung::at(up(count)));
    raised.halt = ladder.halt.count().map(|count| Rung::at(up(count)));
    raised
}

/// No rung lower than that of another ladder.
fn at_least(mut ladder: ToolLadder, floor: &Ladder) -> ToolLadder {
    let higher = |rung: Rung, floor: Rung| match (rung.count(), floor.count()) {
        (Some(count), Some(floor)) => Rung::at(count.max(floor)),
        _ => Rung::Never,
    };
    ladder.nudge = ladder.nudge.map(|rung| higher(rung, floor.nudge));
    ladder.halt = ladder.halt.map(|rung| higher(rung, floor.halt));
    ladder.deny = ladder
        .deny
        .map(|rung| match (rung.count(), floor.deny.count()) {
            (Some(count), Some(floor)) => DenyRung::at(count.max(floor)),
            _ => DenyRung::Never,
        });
    ladder
}

fn over(own: ToolLadder, ladder: Ladder) -> Ladder {
    let mut over = ladder;
    over.nudge = own.nudge.unwrap_or(ladder.nudge);
    over.deny = own.deny.unwrap_or(ladder.deny);
    over.halt = own.halt.unwrap_or(ladder.halt);
    over
}

/// What counts for a tool so far, in an entry of its own.
fn base(settings: &Settings, tool: &str) -> ToolSettings {
    let entry = settings.tools.iter().find(|entry| entry.tool.matches(tool));
    let mut own = ToolSettings::new(tool);
    if let Some(entry) = entry {
        own.exempt = entry.exempt;
        own.key_fields.clone_from(&entry.key_fields);
        own.volatile_fields.clone_from(&entry.volatile_fields);
        own.ladder = entry.ladder;
    }
    own
}

impl Change {
    fn on_top_of(&self, mut entry: ToolSettings) -> ToolSettings {
        match &self.kind {
            Kind::Ladder(ladder) => entry.ladder = *ladder,
            // Nothing else has an effect beside it.
            Kind::Exempt => {
                entry = ToolSettings::new(entry.tool.as_str());
                entry.exempt = true;
            }
            Kind::Volatile { fields, .. } => {
                for field in fields {
                    if !entry.volatile_fields.contains(field) {
                        entry.volatile_fields.push(field.clone());
                    }
                }
                entry.key_fields.retain(|field| !fields.contains(field));
            }
            Kind::Key { fields, .. } => {
                let volatile = &entry.volatile_fields;
                let key = fields.iter().filter(|field| !volatile.contains(field));
                entry.key_fields = key.cloned().collect();
            }
        }
        entry
    }
}

/// For each tool the best way to fewer needless alarms, and everything that catches more than it costs.
fn choose(measured: Vec<(Change, Effect)>, settings: &Settings) -> (Vec<Proposal>, Vec<Withheld>) {
    let mut quieter: BTreeMap<Rc<str>, Vec<(Change, Effect)>> = BTreeMap::new();
    let mut chosen: Vec<Proposal> = Vec::new();
    let mut withheld = Vec::new();
    let proposal = |change: Change, effect, tried| Proposal {
        entry: change.on_top_of(base(settings, &change.tool)),
        change,
        effect,
        tried,
    };
    for (change, effect) in measured {
        match change.kind {
            Kind::Ladder(_) | Kind::Exempt => {
                let tool = Rc::clone(&change.tool);
                quieter.entry(tool).or_default().push((change, effect));
            }
            // These make more calls equal. They are worth it for the loops they catch, not for what they hide.
            Kind::Volatile { .. } | Kind::Key { .. } => {
                if effect.added.needed() > 0 && effect.score() > 0 {
                    chosen.push(proposal(change, effect, Vec::new()));
                }
            }
        }
    }
    for (tool, tried) in quieter {
        let best = tried
            .iter()
            .enumerate()
            .filter(|(_, (_, effect))| effect.score() > 0 && effect.removed.unneeded() > 0)
            // Of equals the first: the lowest ladder, and any ladder before `exempt`.
            .max_by_key(|(at, (_, effect))| (effect.score(), std::cmp::Reverse(*at)));
        match best {
            Some((at, (change, effect))) if effect.is_enough() => {
                let others = tried.iter().enumerate().filter(|(other, _)| *other != at);
                let ladders = others.filter_map(|(_, (change, effect))| match change.kind {
                    Kind::Ladder(ladder) => Some((ladder, effect.clone())),
                    _ => None,
                });
                chosen.push(proposal(change.clone(), effect.clone(), ladders.collect()));
            }
            best => {
                let why = why_not(best.map(|(_, (_, effect))| effect), &tried);
                withheld.push(Withheld { tool, why });
            }
        }
    }
    chosen.sort_by_key(|proposal| {
        let score = std::cmp::Reverse(proposal.effect.score());
        (score, Rc::clone(&proposal.change.tool))
    });
    (chosen, withheld)
}

/// Why none of these changes is proposed, `best` being the best that is worth its cost.
fn why_not(best: Option<&Effect>, tried: &[(Change, Effect)]) -> Why {
    if let Some(effect) = best {
        return Why::TooFew {
            alarms: effect.removed.unneeded(),
            runs: effect.quieter_runs,
        };
    }
    let most = tried.iter().map(|(_, effect)| effect);
    let most = most.max_by_key(|effect| (effect.removed.unneeded(), effect.score()));
    match most {
        Some(effect) if effect.removed.unneeded() > 0 => Why::CostsMore {
            removed: effect.removed.unneeded(),
            costs: effect.costs(),
        },
        _ => {
            let instead = tried.iter().flat_map(|(_, effect)| &effect.instead);
            let instead: BTreeSet<_> = instead.copied().collect();
            Why::NoEffect(instead.into_iter().collect())
        }
    }
}

#[cfg(test)]
#[path = "propose_tests.rs"]
mod tests;
