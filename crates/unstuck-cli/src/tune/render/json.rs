//! The report as one JSON document.

use anyhow::Result;
use serde_json::{Value, json};

use super::snippet::snippet;
use crate::tune::{
    Report,
    collect::{Example, Group, Verdicts},
    measure::Effect,
    outcome::Ending,
    propose::{Kind, Proposal},
};

pub(crate) fn json(report: &Report) -> Result<Value> {
    let collected = &report.collected;
    let totals = &collected.totals;
    let proposals = &report.proposals;
    let all = proposals.ranked.iter().map(proposal);
    Ok(json!({
        "files": totals.files,
        "sessions": totals.sessions,
        "healthy_sessions": totals.healthy_sessions,
        "events": totals.events,
        "calls": totals.calls,
        "broken": { "lines": totals.broken, "first": totals.broken_lines },
        "left_out": totals.left_out,
        "alarms": {
            "all": totals.endings.all(),
            "verdicts": verdicts(&totals.verdicts),
            "endings": totals.endings.json(),
        },
        "groups": collected.groups.iter().map(group).collect::<Vec<_>>(),
        "proposals": all.collect::<Result<Vec<_>>>()?,
        "untried": proposals.untried,
        "together": effect(&proposals.together),
        "toml": snippet(&proposals.entries)?,
    }))
}

fn verdicts(verdicts: &Verdicts) -> Value {
    json!({ "nudge": verdicts.nudge, "deny": verdicts.deny, "halt": verdicts.halt })
}

fn group(group: &Group) -> Value {
    let examples = group.examples.iter().map(example);
    json!({
        "rule": group.rule.as_str(),
        "tool": group.tool.as_deref(),
        "runs": group.runs,
        "verdicts": verdicts(&group.verdicts),
        "endings": group.endings.json(),
        "examples": examples.collect::<Vec<_>>(),
    })
}

fn example((ending, example): (&Ending, &Example)) -> Value {
    let alarm = &example.alarm;
    let answers = alarm.answers.iter();
    let answers =
        answers.map(|(verdict, line)| json!({ "verdict": verdict.as_str(), "line": known(*line) }));
    json!({
        "ending": ending.as_str(),
        "file": example.file,
        "session": example.session,
        "agent": example.agent,
        "from": known(alarm.from),
        "told": known(alarm.told),
        "to": known(alarm.last),
        "answers": answers.collect::<Vec<_>>(),
        "repeats": alarm.repeats,
        "repeats_in_all": alarm.peak,
        "period": alarm.period,
        "pattern": alarm.pattern,
        "facts": alarm.facts,
    })
}

/// A line, where it is known.
fn known(line: u64) -> Option<u64> {
    (line > 0).then_some(line)
}

fn proposal(proposal: &Proposal) -> Result<Value> {
    let (kind, seen) = match &proposal.change.kind {
        Kind::Ladder(_) => ("ladder", None),
        Kind::Exempt => ("exempt", None),
        Kind::Volatile { seen, .. } => ("volatile_fields", Some(seen)),
        Kind::Key { seen, .. } => ("key_fields", Some(seen)),
    };
    let tried = proposal.tried.iter().map(|(ladder, measured)| {
        Ok(json!({ "ladder": serde_json::to_value(ladder)?, "effect": effect(measured) }))
    });
    Ok(json!({
        "tool": &*proposal.change.tool,
        "kind": kind,
        "seen": seen,
        "toml": unstuck_config::tools_to_toml(std::slice::from_ref(&proposal.entry))?,
        "effect": effect(&proposal.effect),
        "tried": tried.collect::<Result<Vec<_>>>()?,
    }))
}

fn effect(effect: &Effect) -> Value {
    json!({
        "removed": effect.removed.json(),
        "added": effect.added.json(),
        "later": effect.later.json(),
    })
}
