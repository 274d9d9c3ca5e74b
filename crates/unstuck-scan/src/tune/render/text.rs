//! The report for people.

use std::fmt::{self, Write as _};

use unstuck::{RuleName, Settings, settings::ToolLadder};

use unstuck_report::{counted as count, grouped};
use unstuck_text::Shown;

use crate::{
    Error, short_advice,
    tune::{
        Report,
        collect::{Example, Group, Totals, Verdicts},
        measure::{Effect, MIN_ALARMS, MIN_RUNS, Missed},
        outcome::{Ending, Endings},
        propose::{Kind, Proposal, Why, Withheld},
        style::{CODE, DIM, HEADING, WARNING, paint},
    },
};

/// Formats to the end of a text, without a text in between.
trait Put {
    fn put(&mut self, words: fmt::Arguments<'_>);
}

impl Put for String {
    fn put(&mut self, words: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.write_fmt(words);
    }
}

/// Kinds of alarms that are shown in full.
const SHOWN: usize = 20;

pub(crate) fn text(report: &Report, settings: &Settings) -> Result<String, Error> {
    let totals = &report.collected.totals;
    if totals.is_nothing() {
        return Ok(format!("Nothing was read.\n{}", unread(report)));
    }
    let mut text = summary(totals) + &unread(report);
    let alarms = totals.endings.all();
    if alarms == 0 {
        text.put(format_args!(
            "\nThe {} settings would have reported nothing.\n",
            settings.preset
        ));
    } else {
        text += &heading("Verdicts the agents would have got");
        text.put(format_args!(
            "{}: {}. A pattern counts once, by the strictest answer it got.\n{}.\n",
            count(alarms, "alarm"),
            verdicts(&totals.verdicts),
            totals.endings.words()
        ));
        if !report.told_healthy {
            text += &paint(DIM, GUESS);
            text.push('\n');
        }
        for group in report.collected.groups.iter().take(SHOWN) {
            text += &about(group);
        }
        let more = report.collected.groups.len().saturating_sub(SHOWN) as u64;
        if more > 0 {
            text.put(format_args!(
                "\n{} of alarms: `--format json` lists all.\n",
                count(more, "more kind")
            ));
        }
    }
    text += &proposals(report)?;
    Ok(text)
}

const GUESS: &str = "How a run went on is a guess from what it did next. Name runs that were fine with --healthy to be sure.";

/// What could not be read; empty if everything could.
pub(crate) fn unread(report: &Report) -> String {
    let totals = &report.collected.totals;
    let mut text = String::new();
    if totals.broken > 0 {
        let lines = format!("{} could not be read:", count(totals.broken, "line"));
        text.put(format_args!("{}\n", paint(WARNING, &lines)));
        list(&mut text, &totals.broken_lines, totals.broken);
    }
    let groups = [
        (&totals.failed, "could not be read:", true),
        (
            &totals.empty,
            "without a call or a message of an agent:",
            false,
        ),
    ];
    for (files, what, is_wrong) in groups {
        if files.count > 0 {
            let line = format!("{} {what}", count(files.count, "file"));
            let line = if is_wrong {
                paint(WARNING, &line)
            } else {
                line
            };
            text.put(format_args!("{line}\n"));
            list(&mut text, &files.first, files.count);
        }
    }
    for group in &totals.skipped {
        let files = count(group.count, "file");
        let title = group.reason.title();
        text.put(format_args!("{files} skipped, {title}:\n"));
        list(&mut text, &group.names().collect::<Vec<_>>(), group.count);
        let advice = short_advice(group);
        if !advice.is_empty() {
            text.put(format_args!("  {}\n", paint(DIM, advice)));
        }
    }
    if totals.repeated > 0 {
        let messages = count(totals.repeated, "repeated message");
        text.put(format_args!(
            "{messages} left out: recorded more than once, counted once.\n"
        ));
    }
    if totals.left_out > 0 {
        let left = count(totals.left_out, "event");
        text.put(format_args!(
            "{left} left out of the report: one file has too many agents or alarms.\n"
        ));
    }
    text
}

fn list(text: &mut String, first: &[String], all: u64) {
    for line in first {
        text.put(format_args!("  {}\n", Shown::line(line)));
    }
    let more = all.saturating_sub(first.len() as u64);
    if more > 0 {
        text.put(format_args!("  and {} more\n", grouped(more)));
    }
}

fn summary(totals: &Totals) -> String {
    let healthy = match totals.healthy_sessions {
        0 => String::new(),
        healthy => format!(" ({healthy} healthy)"),
    };
    format!(
        "{}, {}{healthy}, {}, {}\n",
        count(totals.files, "recording"),
        count(totals.sessions, "session"),
        count(totals.calls, "call"),
        count(totals.events, "event"),
    )
}

fn about(group: &Group) -> String {
    let tool = group.tool.as_deref();
    let tool = tool.map_or(String::new(), |tool| {
        format!(" on {}", paint(CODE, &one_line(tool)))
    });
    let mut text = format!(
        "\n{}{tool}: {} in {} ({})\n",
        paint(HEADING, group.rule.as_str()),
        count(group.endings.all(), "alarm"),
        count(group.runs, "run"),
        verdicts(&group.verdicts),
    );
    text.put(format_args!("  {}\n", group.endings.words()));
    for (ending, example) in &group.examples {
        text += &evidence(*ending, example);
    }
    text
}

fn evidence(ending: Ending, example: &Example) -> String {
    let alarm = &example.alarm;
    let agent = match &*example.agent {
        "main" => String::new(),
        agent => format!(", agent {}", one_line(agent)),
    };
    let lines = lines(alarm.from, alarm.last);
    let mut text = format!(
        "  - {}, session {}{agent}{lines}: {}\n",
        one_line(&example.file),
        one_line(&example.session),
        ending.words()
    );
    let answers = alarm.answers.iter();
    let answers: Vec<_> = answers
        .map(|(verdict, line)| match line {
            0 => verdict.to_string(),
            line => format!("{verdict} at line {line}"),
        })
        .collect();
    text.put(format_args!("    {}\n", answers.join(", ")));
    let lines = alarm.message.lines();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        text.put(format_args!("    {}\n", one_line(line)));
    }
    if alarm.peak > alarm.repeats {
        let unit = if alarm.period > 1 { "lap" } else { "repeat" };
        let more = count((alarm.peak - alarm.repeats).into(), &format!("more {unit}"));
        text.put(format_args!("    {more} followed, {} in all\n", alarm.peak));
    }
    text
}

fn proposals(report: &Report) -> Result<String, Error> {
    let proposals = &report.proposals;
    let mut text = heading("Proposals");
    if proposals.ranked.is_empty() {
        text += if report.collected.totals.endings.unneeded() == 0 {
            "None: no alarm was unneeded, as far as these recordings show.\n"
        } else {
            "None: no change to a single tool is supported by these recordings.\n"
        };
    }
    for (at, proposal) in proposals.ranked.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        text += &proposed(at + 1, proposal)?;
    }
    if proposals.untried > 0 {
        text.put(format_args!(
            "\n{} not tried: there are too many tools.\n",
            count(proposals.untried, "more change")
        ));
    }
    if proposals.ranked.len() > 1 {
        text += "\nAll together:\n";
        text += &effect(&proposals.together);
    }
    if !proposals.withheld.is_empty() {
        text += &withheld(&proposals.withheld);
    }
    if !proposals.ranked.is_empty() {
        text += "\n`--format toml` prints all of them for unstuck.toml, `unstuck config check` checks it.\n";
    }
    Ok(text)
}

fn withheld(tools: &[Withheld]) -> String {
    let mut text = heading("Not proposed");
    text.put(format_args!(
        "A tool is made less strict only if that removes at least {MIN_ALARMS} unneeded alarms in at least {MIN_RUNS} runs.\n"
    ));
    for Withheld { tool, why } in tools.iter().take(SHOWN) {
        let why = match why {
            Why::TooFew { alarms, runs } => format!(
                "the best change removes {} in {}: too few to go by",
                count(*alarms, "unneeded alarm"),
                count(*runs, "run")
            ),
            Why::CostsMore { removed, costs } => format!(
                "a change that removes {} would cost {}",
                count(*removed, "unneeded alarm"),
                count(*costs, "missed loop")
            ),
            Why::NoEffect(instead) => {
                let text = "no threshold that was tried removes an alarm";
                match instead.as_slice() {
                    [] => text.to_owned(),
                    [rule] => format!("{text}: `{rule}` then reports the same calls"),
                    rules => format!("{text}: {} then report the same calls", listed(rules)),
                }
            }
            Why::OtherRules(rules) => format!(
                "its alarms come from {}, whose thresholds are not set for single tools",
                listed(rules)
            ),
        };
        text.put(format_args!("  {}: {why}\n", paint(CODE, &one_line(tool))));
    }
    let more = tools.len().saturating_sub(SHOWN) as u64;
    if more > 0 {
        text.put(format_args!("  and {}\n", count(more, "more tool")));
    }
    text
}

fn listed(rules: &[RuleName]) -> String {
    let names: Vec<_> = rules.iter().map(|rule| format!("`{rule}`")).collect();
    names.join(", ")
}

fn proposed(number: usize, proposal: &Proposal) -> Result<String, Error> {
    let why = match &proposal.change.kind {
        Kind::Ladder(_) => "higher thresholds, by the patterns that ended by themselves".to_owned(),
        Kind::Exempt => "exempt, because all its alarms are in healthy runs".to_owned(),
        Kind::Volatile { fields, seen } => format!(
            "only {} changed between answers to equal calls, {}",
            names(fields),
            times(*seen)
        ),
        Kind::Key { seen, .. } => format!(
            "other arguments changed without changing the answer, {}",
            times(*seen)
        ),
    };
    let tool = paint(CODE, &one_line(&proposal.change.tool));
    let mut text = format!("{number}. {tool}: {why}\n\n");
    let toml = unstuck_config::tools_to_toml(std::slice::from_ref(&proposal.entry))?;
    for line in toml.lines() {
        text.put(format_args!("   {line}\n"));
    }
    text.push('\n');
    text += &effect(&proposal.effect);
    let mut told = vec![gain(&proposal.effect)];
    for (ladder, measured) in &proposal.tried {
        // Of ladders that do the same one is enough.
        let gain @ (removed, costs) = gain(measured);
        if !told.contains(&gain) {
            told.push(gain);
            let rungs = rungs(ladder);
            text.put(format_args!(
                "   tried too: {rungs}: removes {removed}, costs {costs}\n"
            ));
        }
    }
    Ok(text)
}

/// Needless alarms that are gone, and what that costs.
fn gain(effect: &Effect) -> (u64, u64) {
    (effect.removed.unneeded(), effect.costs())
}

fn effect(effect: &Effect) -> String {
    let mut text = String::new();
    let mut line = |words: &str, endings: &Endings| {
        if endings.all() > 0 {
            let alarms = count(endings.all(), "alarm");
            text.put(format_args!("   {words} {alarms}: {}\n", endings.words()));
        }
    };
    line("removes", &effect.removed);
    line("adds", &effect.added);
    line("delays", &effect.later);
    let missed = count(effect.removed.needed(), "alarm");
    text.put(format_args!(
        "   costs {missed} in runs that did not recover unaided"
    ));
    if effect.added.unneeded() > 0 {
        let added = count(effect.added.unneeded(), "new alarm");
        text.put(format_args!(", and {added} in runs that did"));
    }
    text.push('\n');
    if !effect.missed.is_empty() {
        text += "   would no longer be reported:\n";
        for missed in &effect.missed {
            text += &missed_line(missed);
        }
        let more = effect.removed.all() - effect.missed.len() as u64;
        if more > 0 {
            text.put(format_args!("     and {} more\n", grouped(more)));
        }
    }
    text
}

/// Lines behind the name of a file, where they are known.
fn lines(from: u64, to: u64) -> String {
    match (from, to) {
        (0, _) | (_, 0) => String::new(),
        (from, to) if from == to => format!(", line {from}"),
        (from, to) => format!(", lines {from} to {to}"),
    }
}

fn missed_line(missed: &Missed) -> String {
    let pattern: Vec<_> = missed
        .pattern
        .iter()
        .map(|member| one_line(member))
        .collect();
    format!(
        "     {}{}: {} × {}, {} ({})\n",
        one_line(&missed.file),
        lines(missed.from, missed.to),
        missed.rule,
        missed.repeats,
        pattern.join(" → "),
        missed.ending.words()
    )
}

/// `nudge 31, deny 33`.
fn rungs(ladder: &ToolLadder) -> String {
    let count = |count: Option<u32>| count.map_or("never".to_owned(), |count| count.to_string());
    let rungs = [
        ladder.nudge.map(|rung| ("nudge", count(rung.count()))),
        ladder.deny.map(|rung| ("deny", count(rung.count()))),
        ladder.halt.map(|rung| ("halt", count(rung.count()))),
    ];
    let rungs = rungs.into_iter().flatten();
    let rungs: Vec<_> = rungs.map(|(name, at)| format!("{name} {at}")).collect();
    rungs.join(", ")
}

fn names(fields: &[String]) -> String {
    let names: Vec<_> = fields
        .iter()
        .map(|name| format!("`{}`", one_line(name)))
        .collect();
    names.join(", ")
}

fn verdicts(verdicts: &Verdicts) -> String {
    let parts = [
        (verdicts.nudge, "nudged"),
        (verdicts.deny, "denied"),
        (verdicts.halt, "halted"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<_> = parts
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    parts.join(", ")
}

fn heading(words: &str) -> String {
    format!("\n{}\n\n", paint(HEADING, words))
}

fn times(number: u64) -> String {
    count(number, "time")
}

/// Names come from recordings: nothing in them acts on the terminal.
fn one_line(text: &str) -> String {
    Shown::line(text).to_string()
}
