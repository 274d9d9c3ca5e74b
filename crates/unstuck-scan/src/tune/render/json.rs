//! The report as one JSON document.

use serde_json::{Value, json};

use super::snippet::snippet;
use crate::Error;
use crate::tune::{
    Report,
    collect::{Example, Group, Named, Verdicts},
    measure::{Effect, MIN_ALARMS, MIN_RUNS, Missed},
    outcome::Ending,
    propose::{Kind, Proposal, Why, Withheld},
};

pub(crate) fn json(report: &Report) -> Result<Value, Error> {
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
        "failed": named(&totals.failed),
        "skipped": serde_json::to_value(&totals.skipped)?,
        "empty": named(&totals.empty),
        "broken": { "lines": totals.broken, "first": totals.broken_lines },
        "repeated": totals.repeated,
        "left_out": totals.left_out,
        "alarms": {
            "all": totals.endings.all(),
            "verdicts": verdicts(&totals.verdicts),
            "endings": totals.endings.json(),
        },
        "groups": collected.groups.iter().map(group).collect::<Vec<_>>(),
        "proposals": all.collect::<Result<Vec<_>, Error>>()?,
        "needed_to_loosen": { "alarms": MIN_ALARMS, "runs": MIN_RUNS },
        "withheld": proposals.withheld.iter().map(withheld).collect::<Vec<_>>(),
        "untried": proposals.untried,
        "together": effect(&proposals.together),
        "toml": snippet(report)?,
    }))
}

fn named(files: &Named) -> Value {
    json!({ "files": files.count, "first": files.first })
}

fn withheld(withheld: &Withheld) -> Value {
    let tool = &*withheld.tool;
    match &withheld.why {
        Why::TooFew { alarms, runs } => {
            json!({ "tool": tool, "why": "too-few", "alarms": alarms, "runs": runs })
        }
        Why::CostsMore { removed, costs } => {
            json!({ "tool": tool, "why": "costs-more", "alarms": removed, "costs": costs })
        }
        Why::NoEffect(instead) => {
            let instead: Vec<_> = instead.iter().map(|rule| rule.as_str()).collect();
            json!({ "tool": tool, "why": "no-effect", "reported_instead_by": instead })
        }
        Why::OtherRules(rules) => {
            let rules: Vec<_> = rules.iter().map(|rule| rule.as_str()).collect();
            json!({ "tool": tool, "why": "other-rules", "rules": rules })
        }
    }
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
        "message": alarm.message,
    })
}

/// A line, where it is known.
fn known(line: u64) -> Option<u64> {
    (line > 0).then_some(line)
}

fn proposal(proposal: &Proposal) -> Result<Value, Error> {
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
        "tried": tried.collect::<Result<Vec<_>, Error>>()?,
    }))
}

fn effect(effect: &Effect) -> Value {
    json!({
        "removed": effect.removed.json(),
        "added": effect.added.json(),
        "later": effect.later.json(),
        "quieter_runs": effect.quieter_runs,
        "missed": effect.missed.iter().map(missed).collect::<Vec<_>>(),
    })
}

fn missed(missed: &Missed) -> Value {
    json!({
        "file": missed.file,
        "from": known(missed.from),
        "to": known(missed.to),
        "rule": missed.rule.as_str(),
        "repeats": missed.repeats,
        "pattern": missed.pattern,
        "ending": missed.ending.as_str(),
    })
}
