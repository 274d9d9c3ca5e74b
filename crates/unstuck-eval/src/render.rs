//! Tables for the terminal.

use std::collections::BTreeMap;

use unstuck::RuleName;

use crate::{
    contribution::{Contribution, Fires, SetContribution},
    score::{Figure, Headline, Prf, SetScore, Unit},
};

/// The headlines of parts of the corpus side by side.
pub fn headlines(parts: &[(&str, Headline)]) -> String {
    let mut rows = vec![header(&[""], parts.iter().map(|(name, _)| *name))];
    let Some((_, first)) = parts.first() else {
        return String::new();
    };
    for (at, (name, _)) in first.0.iter().enumerate() {
        let figures = parts.iter().map(|(_, part)| figure(part.0[at].1));
        rows.push([(*name).to_owned()].into_iter().chain(figures).collect());
    }
    table(&rows, 1)
}

/// A row for each set, as the reference scorer prints it, and a line for each kind of step.
pub fn sets(sets: &BTreeMap<String, SetScore>) -> String {
    let names = [
        "set",
        "n",
        "nudge+",
        "deny+",
        "halt",
        "label n/pos",
        "nudge+ P/R/F1",
        "deny+ P/R/F1",
        "solved/unsolved",
        "solved alarms n/d/h",
        "unsolved alarms n/d/h",
        "after n/d",
        "",
    ];
    let mut rows = vec![header(&names, [])];
    for (name, set) in sets {
        let mut row = vec![name.clone(), set.n.to_string()];
        row.extend(set.alarms.as_array().map(ToString::to_string));
        match &set.label {
            Some(label) => row.extend([
                format!("{}/{}", label.n, label.positive),
                prf(&label.levels.nudge),
                prf(&label.levels.deny),
            ]),
            None => row.extend(std::iter::repeat_n(String::new(), 3)),
        }
        if let Some(outcome) = &set.outcome {
            let levels = outcome.levels.as_array();
            row.extend([
                format!("{}/{}", outcome.solved, outcome.unsolved),
                levels.map(|level| share(level.solved_alarm)).join("/"),
                levels.map(|level| share(level.unsolved_alarm)).join("/"),
                format!(
                    "{}/{}",
                    share(outcome.levels.nudge.after),
                    share(outcome.levels.deny.after)
                ),
                unit(outcome.unit).to_owned(),
            ]);
        }
        rows.push(row);
    }
    let mut text = table(&rows, 1);
    for (name, set) in sets {
        let Some(steps) = &set.steps else {
            continue;
        };
        for (kind, score) in [("nudge", Some(steps.nudge)), ("finding", steps.finding)] {
            let Some(score) = score else {
                continue;
            };
            text += &format!(
                "{name}: steps, {kind}: P {} R {} F1 {} (tp {} fp {} fn {})\n",
                ratio(score.precision),
                ratio(score.recall),
                ratio(score.f1),
                score.tp,
                score.fp,
                score.missed,
            );
        }
    }
    text
}

/// A row for each detector.
pub fn detectors(scored: &[(String, BTreeMap<String, SetScore>)]) -> String {
    let mut rows = vec![header(&DETECTOR_COLUMNS, [])];
    for (name, sets) in scored {
        let mut row = vec![name.clone()];
        row.extend(detector(sets));
        rows.push(row);
    }
    table(&rows, 1)
}

pub(crate) const DETECTOR_COLUMNS: [&str; 10] = [
    "detector",
    "overthinking solved n/d",
    "unsolved n/d",
    "tokens after n/d",
    "mini-swe solved n/d",
    "steps P/R/F1",
    "runs P/R/F1",
    "who&when P/R",
    "codetracer n/d",
    "service n/d",
];

/// The cells of a detector, behind its name.
pub(crate) fn detector(sets: &BTreeMap<String, SetScore>) -> Vec<String> {
    let none = || "-".to_owned();
    let outcome = |set: &str, of: fn(&crate::score::OutcomeShares) -> Option<f64>| {
        let outcome = sets.get(set).and_then(|set| set.outcome.as_ref());
        outcome.map_or_else(none, |outcome| {
            let levels = &outcome.levels;
            format!("{}/{}", share(of(&levels.nudge)), share(of(&levels.deny)))
        })
    };
    let label = |set: &str| sets.get(set).and_then(|set| set.label.as_ref());
    let steps = sets
        .get("llm_agents_study")
        .and_then(|set| set.steps.as_ref());
    let alarms = |names: &[&str]| {
        let sets: Vec<_> = names.iter().filter_map(|name| sets.get(*name)).collect();
        if sets.is_empty() {
            return none();
        }
        let count =
            |level: fn(&SetScore) -> usize| sets.iter().map(|set| level(set)).sum::<usize>();
        format!(
            "{}/{}",
            count(|set| set.alarms.nudge),
            count(|set| set.alarms.deny)
        )
    };
    vec![
        outcome("overthinking", |shares| shares.solved_alarm),
        outcome("overthinking", |shares| shares.unsolved_alarm),
        outcome("overthinking", |shares| shares.after),
        outcome("miniswe_gemini3", |shares| shares.solved_alarm),
        steps.map_or_else(none, |steps| prf(&steps.nudge)),
        label("llm_agents_study").map_or_else(none, |label| prf(&label.levels.nudge)),
        label("whowhen").map_or_else(none, |label| {
            let nudge = &label.levels.nudge;
            format!("{}/{}", ratio(nudge.precision), ratio(nudge.recall))
        }),
        alarms(&["codetracer_kimi"]),
        alarms(&["taubench", "agentrx_tau"]),
    ]
}

/// What every rule contributes: where it gave the first alarm, and the steps it flagged or saw something in.
pub fn rules(contributions: &[(RuleName, Contribution)]) -> String {
    let mut rows = vec![header(&RULE_COLUMNS, [])];
    for (rule, contribution) in contributions {
        let mut row = vec![rule.to_string()];
        row.extend(rule_cells(contribution));
        rows.push(row);
    }
    let mut text = table(&rows, 1);
    text.push('\n');
    let mut rows = vec![header(&RULE_SET_COLUMNS, [])];
    for (rule, contribution) in contributions {
        for (set, fires) in &contribution.sets {
            let mut row = vec![rule.to_string(), set.clone()];
            row.extend(rule_set_cells(fires));
            rows.push(row);
        }
    }
    text + &table(&rows, 2)
}

pub(crate) const RULE_COLUMNS: [&str; 8] = [
    "rule",
    "first nudge+",
    "solved/unsolved",
    "loop/no loop",
    "first deny+",
    "solved/unsolved",
    "steps flagged: repetition/other",
    "steps found: repetition/other",
];

pub(crate) const RULE_SET_COLUMNS: [&str; 10] = [
    "rule",
    "set",
    "first nudge+",
    "solved/unsolved",
    "loop/no loop",
    "after",
    "first deny+",
    "solved/unsolved",
    "loop/no loop",
    "after",
];

pub(crate) fn rule_cells(contribution: &Contribution) -> Vec<String> {
    let nudge = contribution.total(|set| &set.nudge);
    let deny = contribution.total(|set| &set.deny);
    let pair = |one: usize, other: usize| format!("{one}/{other}");
    vec![
        nudge.runs.to_string(),
        pair(nudge.solved, nudge.unsolved),
        pair(nudge.in_loop, nudge.no_loop),
        deny.runs.to_string(),
        pair(deny.solved, deny.unsolved),
        pair(contribution.flagged.repetition, contribution.flagged.other),
        pair(contribution.found.repetition, contribution.found.other),
    ]
}

pub(crate) fn rule_set_cells(fires: &SetContribution) -> Vec<String> {
    let cells = |fires: &Fires| {
        [
            fires.runs.to_string(),
            format!("{}/{}", fires.solved, fires.unsolved),
            format!("{}/{}", fires.in_loop, fires.no_loop),
            share(Some(fires.after)),
        ]
    };
    [cells(&fires.nudge), cells(&fires.deny)].concat()
}

/// The headline with just one rule off, a row for each rule; the first row is with all of them.
pub fn leave_one_out(rows: &[(String, Headline)]) -> String {
    let Some((_, first)) = rows.first() else {
        return String::new();
    };
    let mut text = String::from("columns:\n");
    for (at, (name, _)) in first.0.iter().enumerate() {
        text += &format!("  {} {name}\n", letter(at));
    }
    let letters: Vec<_> = (0..first.0.len()).map(letter).collect();
    let mut cells = vec![header(&["without"], letters.iter().map(String::as_str))];
    for (name, headline) in rows {
        let figures = headline.0.iter().map(|(_, value)| figure(*value));
        cells.push([name.clone()].into_iter().chain(figures).collect());
    }
    text + &table(&cells, 1)
}

fn letter(at: usize) -> String {
    char::from(b'a' + at as u8).to_string()
}

pub(crate) fn figure(figure: Option<Figure>) -> String {
    match figure {
        None => "-".to_owned(),
        Some(Figure::Share(value)) => share(Some(value)),
        Some(Figure::Ratio(value)) => ratio(Some(value)),
        Some(Figure::Count(count)) => count.to_string(),
    }
}

pub(crate) fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.1}%", 100.0 * value))
}

pub(crate) fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

pub(crate) fn prf(score: &Prf) -> String {
    [score.precision, score.recall, score.f1]
        .map(ratio)
        .join("/")
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Tokens => "tokens",
        Unit::Steps => "steps",
    }
}

fn header<'a>(names: &[&str], more: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let names = names.iter().copied().map(str::to_owned);
    names.chain(more.into_iter().map(str::to_owned)).collect()
}

/// Columns as wide as their widest cell; the first `left` of them flush left, the others flush right.
fn table(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, width))| {
            if column < left {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
