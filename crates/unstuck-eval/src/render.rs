//! Scores as tables.

use std::collections::BTreeMap;

use unstuck::{RuleName, Verdict};

use crate::{
    contribution::{Contribution, Fires, SetContribution},
    headline::{Figure, FigureUnit, Headline},
    injected::{CONTROL, Injected},
    messages::Messages,
    score::{OutcomeScore, OutcomeShares, Prf, SetScore, Unit},
    table::Table,
};

/// The headlines of parts of the corpus side by side.
pub fn headlines(parts: &[(&str, Headline)]) -> Table {
    let names = parts.iter().map(|(name, _)| (*name).to_owned());
    let mut table = Table::with_header(1, ["number".to_owned()].into_iter().chain(names).collect());
    let rows = parts.first().map_or(0, |(_, first)| first.0.len());
    for at in 0..rows {
        let name = parts.iter().find_map(|(_, part)| part.0.get(at));
        let name = name.map_or("", |(name, _)| *name).to_owned();
        let figures = parts
            .iter()
            .map(|(_, part)| figure(part.0.get(at).and_then(|(_, value)| *value)));
        table.push([name].into_iter().chain(figures).collect());
    }
    table
}

/// A row for each set.
pub fn sets(sets: &BTreeMap<String, SetScore>) -> Table {
    let mut table = Table::new(
        1,
        [
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
            "of",
        ],
    );
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
        row.extend(set.outcome.iter().flat_map(outcome_cells));
        table.push(row);
    }
    table
}

fn outcome_cells(outcome: &OutcomeScore) -> [String; 5] {
    let levels = outcome.levels.as_array();
    [
        format!("{}/{}", outcome.solved, outcome.unsolved),
        levels.map(|level| share(level.solved_alarm)).join("/"),
        levels.map(|level| share(level.unsolved_alarm)).join("/"),
        pair(outcome.levels.nudge.after, outcome.levels.deny.after, share),
        unit(outcome.unit),
    ]
}

fn unit(unit: Unit) -> String {
    match unit {
        Unit::Tokens => "tokens",
        Unit::Steps => "steps",
    }
    .to_owned()
}

/// The numbers over all kinds of injected cases, parts of the corpus side by side.
pub fn injected_headlines(parts: &[(&str, Injected)]) -> Table {
    let names = parts.iter().map(|(name, _)| (*name).to_owned());
    let header = ["injected cases".to_owned()].into_iter().chain(names);
    let mut table = Table::with_header(1, header.collect());
    let mut row = |name: &str, cell: &dyn Fn(&Injected) -> String| {
        let cells = parts.iter().map(|(_, injected)| cell(injected));
        table.push([name.to_owned()].into_iter().chain(cells).collect());
    };
    row("loops told of, mean over kinds", &|all| {
        share(all.headline.told)
    });
    row("median call of the loop at the first nudge", &|all| {
        all.headline.delay.to_string()
    });
    row("kinds that end in a halt", &|all| share(all.headline.ended));
    let counted = |(part, whole)| figure(Figure::part(part, whole));
    row("look-alikes nudged", &|all| {
        counted(all.look_alikes(Verdict::Nudge))
    });
    row("look-alikes denied", &|all| {
        counted(all.look_alikes(Verdict::Deny))
    });
    row("controls nudged", &|all| {
        counted(all.controls(Verdict::Nudge))
    });
    row("controls denied", &|all| {
        counted(all.controls(Verdict::Deny))
    });
    row("cases halted before the splice", &|all| {
        all.headline.halted_before.to_string()
    });
    table
}

/// A row for each kind of injected case: the share with an alarm, and the median call of the first.
pub fn injected_kinds(injected: &Injected) -> Table {
    let mut table = Table::new(2, ["kind", "", "n", "nudge+", "deny+", "halt"]);
    for (name, kind) in &injected.kinds {
        let class = match (kind.is_loop, name.as_str()) {
            (true, _) => "loop",
            (false, CONTROL) => "control",
            (false, _) => "look-alike",
        };
        let mut row = vec![name.clone(), class.to_owned(), kind.n.to_string()];
        row.extend(kind.levels.as_array().map(|alarms| match alarms.median {
            Some(median) => format!("{:.0}% @{median}", 100.0 * alarms.share),
            None => share(Some(0.0)),
        }));
        table.push(row);
    }
    table
}

/// A row for each set: what its alarms were worth.
pub fn worths(sets: &BTreeMap<String, SetScore>) -> Table {
    let header = [
        "set",
        "runs lost",
        "wrong denials",
        "waste",
        "of",
        "caught n/d",
        "first nudge on a redundant step",
        "5 redundant steps: told of",
        "messages right",
        "naming",
        "verified",
    ];
    let mut table = Table::new(1, header);
    for (name, set) in sets {
        let worth = &set.worth;
        let counted = |part: Option<usize>, whole: Option<usize>| {
            let counts = part.zip(whole).filter(|(_, whole)| *whole > 0);
            counts.map_or_else(none, |(part, whole)| format!("{part}/{whole}"))
        };
        let said = |part: fn(&Messages) -> u64, whole: fn(&Messages) -> u64| {
            let messages = set.messages.filter(|messages| whole(messages) > 0);
            messages.map_or_else(none, |all| format!("{}/{}", part(&all), whole(&all)))
        };
        table.push(vec![
            name.clone(),
            counted(Some(worth.lost), Some(worth.solved)),
            counted(worth.denied_wrong, worth.denied_known),
            share(worth.waste),
            unit(worth.unit),
            pair(worth.caught.nudge, worth.caught.deny, share),
            counted(Some(worth.first_nudges_redundant), Some(worth.first_nudges)),
            counted(
                Some(worth.runs_5_redundant_told),
                Some(worth.runs_5_redundant),
            ),
            said(|all| all.right, |all| all.all),
            said(|all| all.naming, |all| all.about),
            said(|all| all.verified, |all| all.all),
        ]);
    }
    table
}

/// A row for each set and kind of step that a person's judgement is compared with.
pub fn steps(sets: &BTreeMap<String, SetScore>) -> Table {
    let header = ["set", "steps with", "P", "R", "F1", "tp", "fp", "fn"];
    let mut table = Table::new(2, header);
    for (name, set) in sets {
        let Some(steps) = &set.steps else {
            continue;
        };
        for (kind, score) in [("nudge+", Some(steps.nudge)), ("a finding", steps.finding)] {
            let Some(score) = score else {
                continue;
            };
            let mut row = vec![name.clone(), kind.to_owned()];
            row.extend([score.precision, score.recall, score.f1].map(ratio));
            row.extend([score.tp, score.fp, score.missed].map(|count| count.to_string()));
            table.push(row);
        }
    }
    table
}

/// A row for each detector, with what can be said of all of them. Two numbers are nudge+ and deny+.
pub fn detectors(title: &'static str, scored: &[(String, BTreeMap<String, SetScore>)]) -> Table {
    let columns = [
        title,
        "overthinking solved",
        "unsolved",
        "tokens after",
        "mini-swe solved",
        "steps P/R/F1",
        "steps found P/R/F1",
        "runs P/R/F1",
        "who&when P/R",
        "codetracer",
        "service",
    ];
    let mut table = Table::new(1, columns);
    for (name, sets) in scored {
        let mut row = vec![name.clone()];
        row.extend(detector(sets));
        table.push(row);
    }
    table
}

fn detector(sets: &BTreeMap<String, SetScore>) -> [String; 10] {
    let outcome = |set: &str, of: fn(&OutcomeShares) -> Option<f64>| {
        let levels = sets.get(set).and_then(|set| set.outcome.as_ref());
        levels.map_or_else(none, |outcome| {
            pair(of(&outcome.levels.nudge), of(&outcome.levels.deny), share)
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
            |level: fn(&SetScore) -> usize| -> usize { sets.iter().map(|set| level(set)).sum() };
        let (nudge, deny) = (count(|set| set.alarms.nudge), count(|set| set.alarms.deny));
        format!("{nudge}/{deny}")
    };
    [
        outcome("overthinking", |shares| shares.solved_alarm),
        outcome("overthinking", |shares| shares.unsolved_alarm),
        outcome("overthinking", |shares| shares.after),
        outcome("miniswe_gemini3", |shares| shares.solved_alarm),
        steps.map_or_else(none, |steps| prf(&steps.nudge)),
        steps
            .and_then(|steps| steps.finding)
            .map_or_else(none, |found| prf(&found)),
        label("llm_agents_study").map_or_else(none, |label| prf(&label.levels.nudge)),
        label("whowhen").map_or_else(none, |label| {
            let nudge = &label.levels.nudge;
            pair(nudge.precision, nudge.recall, ratio)
        }),
        alarms(&["codetracer_kimi"]),
        alarms(&["taubench", "agentrx_tau"]),
    ]
}

/// A row for each rule: where it gave the first alarm, and the steps it flagged or saw something in.
pub fn rules(contributions: &[(RuleName, Contribution)]) -> Table {
    let header = [
        "rule",
        "first nudge+",
        "solved/unsolved",
        "loop/no loop",
        "tokens after",
        "first deny+",
        "solved/unsolved",
        "loop/no loop",
        "tokens after",
        "flagged steps: repetition/other",
        "found steps: repetition/other",
    ];
    let mut table = Table::new(1, header);
    for (rule, contribution) in contributions {
        let mut row = vec![rule.to_string()];
        for fires in [
            contribution.total(|set| &set.nudge),
            contribution.total(|set| &set.deny),
        ] {
            row.extend(fire_cells(&fires, millions(fires.tokens)));
        }
        for judged in [contribution.flagged, contribution.found] {
            row.push(format!("{}/{}", judged.repetition, judged.other));
        }
        table.push(row);
    }
    table
}

/// A row for each rule and set in which it gave a first alarm.
pub fn rules_by_set(contributions: &[(RuleName, Contribution)]) -> Table {
    let header = [
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
    let mut table = Table::new(2, header);
    for (rule, contribution) in contributions {
        for (set, SetContribution { nudge, deny }) in &contribution.sets {
            let mut row = vec![rule.to_string(), set.clone()];
            for fires in [nudge, deny] {
                row.extend(fire_cells(fires, share(fires.after)));
            }
            table.push(row);
        }
    }
    table
}

fn fire_cells(fires: &Fires, after: String) -> [String; 4] {
    [
        fires.runs.to_string(),
        format!("{}/{}", fires.solved, fires.unsolved),
        format!("{}/{}", fires.in_loop, fires.no_loop),
        after,
    ]
}

pub(crate) fn figure(figure: Option<Figure>) -> String {
    let Some(figure) = figure else {
        return none();
    };
    let (number, scale): (String, fn(f64) -> String) = match figure.unit {
        FigureUnit::Share => (share(Some(figure.value)), |value| {
            format!("{:.1}", 100.0 * value)
        }),
        FigureUnit::Ratio => (ratio(Some(figure.value)), |value| format!("{value:.2}")),
        FigureUnit::Count => (format!("{:.0}", figure.value), |value| {
            format!("{value:.0}")
        }),
    };
    let counts = figure.of.map(|(part, whole)| format!("{part}/{whole}"));
    let bounds = figure
        .interval
        .map(|interval| format!("{}–{}", scale(interval.low), scale(interval.high)));
    let details: Vec<_> = counts.into_iter().chain(bounds).collect();
    if details.is_empty() {
        return number;
    }
    format!("{number} ({})", details.join("; "))
}

fn pair(one: Option<f64>, other: Option<f64>, write: fn(Option<f64>) -> String) -> String {
    format!("{}/{}", write(one), write(other))
}

fn prf(score: &Prf) -> String {
    [score.precision, score.recall, score.f1]
        .map(ratio)
        .join("/")
}

fn share(value: Option<f64>) -> String {
    value.map_or_else(none, |value| format!("{:.1}%", 100.0 * value))
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(none, |value| format!("{value:.2}"))
}

fn millions(tokens: f64) -> String {
    format!("{:.1}M", tokens / 1e6)
}

fn none() -> String {
    "-".to_owned()
}
