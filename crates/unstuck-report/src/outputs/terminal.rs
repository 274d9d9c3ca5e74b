//! For people on a terminal: what happened, where, and what to do about it.
//!
//! Colours are written as terminal codes; a stream that is not a terminal has them taken out. Every picture can be read
//! without them.

mod hints;
mod strip;
mod unread;

pub(super) use unread::no_runs;

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

use anstyle::{AnsiColor, Style};

use super::{Output, OutputKind, RenderOptions};
use crate::{
    figures::{WOULD_HAVE, bytes, cost, counted, day, grouped, money, stuck, tokens, waste},
    plain::{Cut, left, one_line, right, width},
    report::{Loop, Report, ReportVerdict, Run},
};

const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Cyan.on_default();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();

/// Below this, tables would be torn.
const NARROWEST: usize = 60;
/// Beyond this, lines are hard to follow.
const WIDEST: usize = 120;

pub(super) const OUTPUT: Output = Output {
    name: "terminal",
    aliases: &["text"],
    help: "A report for people. The default, unless the ending of `--output` stands for another format",
    endings: &[],
    also: &[],
    kind: OutputKind::Terminal,
    render: |report, options| Ok(terminal(report, options)),
};

/// The report for a terminal.
fn terminal(report: &Report, options: &RenderOptions) -> String {
    let screen = Screen {
        width: options.width.clamp(NARROWEST, WIDEST),
        options: options.clone(),
    };
    let mut out = screen.headline(report);
    if report.totals.loops > 0 {
        out += &screen.worst(report);
        out += &screen.rules(report);
        out += &screen.loops(report);
    }
    out += &screen.errors(report);
    out += &screen.skipped(report);
    if report.totals.loops > 0 {
        out.put(format_args!("\n{}\n", paint(DIM, WOULD_HAVE)));
    }
    out += &hints::hints(report, &screen.options.paths, screen.width);
    if report.totals.redacted && report.totals.loops > 0 {
        out.put(format_args!("\n{}\n", paint(DIM, crate::redact::NOTE)));
    }
    out
}

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

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn heading(text: &str) -> String {
    format!("\n{}\n\n", paint(HEADING, text))
}

/// The page has the same colours: cyan, magenta, red.
fn colour(verdict: ReportVerdict) -> Style {
    match verdict {
        ReportVerdict::Allow => DIM,
        ReportVerdict::Nudge => AnsiColor::Cyan.on_default(),
        ReportVerdict::Deny => AnsiColor::Magenta.on_default(),
        ReportVerdict::Halt => AnsiColor::Red.on_default(),
    }
}

struct Screen {
    width: usize,
    options: RenderOptions,
}

impl Screen {
    fn headline(&self, report: &Report) -> String {
        let totals = &report.totals;
        let mut seen = vec![format!(
            "{} in {}",
            counted(totals.runs, "run"),
            counted(totals.files, "file")
        )];
        seen.push(counted(totals.calls, "call"));
        seen.push(format!("{} read", bytes(totals.bytes)));
        seen.extend(days(&report.runs));
        let mut out = format!("\n{}\n\n", paint(DIM, &seen.join(" · ")));
        if totals.interrupted {
            let style = colour(ReportVerdict::Deny);
            let words = "Stopped before all files were read. This is what was found so far.";
            out.put(format_args!("{}\n\n", paint(style, words)));
        }
        if totals.loops == 0 {
            let words = match totals.runs {
                0 => paint(HEADING, &no_runs(report)),
                1 => paint(GOOD, "The run did not get stuck in a loop."),
                _ => paint(GOOD, "No run got stuck in a loop."),
            };
            return out + &words + "\n";
        }
        let words = stuck(totals);
        out.put(format_args!(
            "{}\n{}\n\n",
            paint(HEADING, &words),
            waste(totals).join(" · ")
        ));
        out + &self.verdicts(report)
    }

    /// All runs in one bar, by the strictest answer each would have got.
    fn verdicts(&self, report: &Report) -> String {
        let all = [
            (ReportVerdict::Halt, '█'),
            (ReportVerdict::Deny, '▓'),
            (ReportVerdict::Nudge, '▒'),
            (ReportVerdict::Allow, '░'),
        ];
        let total = report.runs.len();
        let count = |verdict| {
            let runs = report.runs.iter();
            runs.filter(|run| run.verdict == verdict).count()
        };
        let mut bar = String::new();
        let mut legend = Vec::new();
        let (mut seen, mut drawn) = (0, 0);
        for (verdict, block) in all {
            let runs = count(verdict);
            if runs == 0 {
                continue;
            }
            seen += runs;
            // What there is at all is at least one block wide.
            let end = (seen * self.width / total.max(1)).clamp(drawn + 1, self.width.max(1));
            let blocks = block.to_string().repeat(end.saturating_sub(drawn));
            drawn = end;
            bar += &paint(colour(verdict), &blocks);
            let name = match verdict {
                ReportVerdict::Allow => "fine",
                verdict => verdict.as_str(),
            };
            let word = format!("{block} {name} {}", grouped(runs as u64));
            legend.push(paint(colour(verdict), &word));
        }
        format!("{bar}\n{}\n", legend.join("   "))
    }

    fn worst(&self, report: &Report) -> String {
        let stuck = || report.runs.iter().filter(|run| !run.loops.is_empty());
        let rows: Vec<_> = stuck()
            .take(self.options.runs)
            .map(|run| {
                [
                    grouped(run.loops.len() as u64),
                    format!("{} of {}", grouped(run.wasted.calls), grouped(run.calls)),
                    tokens(&run.wasted),
                    money(&run.wasted, &report.totals),
                ]
            })
            .collect();
        let titles = ["loops", "calls wasted", "tokens", "cost"];
        let wide: Vec<usize> = (0..titles.len())
            .map(|column| {
                let cells = rows.iter().map(|row| width(&row[column]));
                cells.max().unwrap_or(0).max(titles[column].len())
            })
            .collect();
        let line = |cells: [&str; 4]| {
            let cells = cells.iter().zip(&wide);
            let cells: Vec<_> = cells.map(|(cell, wide)| right(cell, *wide)).collect();
            cells.join("  ")
        };
        let mut out = heading("Worst runs");
        let head = format!("verdict  {}  run", line(titles));
        out.put(format_args!("{}\n", paint(DIM, &head)));
        let taken = 9 + wide.iter().sum::<usize>() + 2 * (wide.len() - 1) + 2;
        for (run, cells) in stuck().zip(&rows) {
            let verdict = left(run.verdict.as_str(), 9);
            let cells = line([&cells[0], &cells[1], &cells[2], &cells[3]]);
            out.put(format_args!(
                "{}{cells}  {}\n",
                paint(colour(run.verdict), &verdict),
                place(run, self.width.saturating_sub(taken))
            ));
        }
        let more = stuck().count().saturating_sub(rows.len());
        if more > 0 {
            let words = format!("and {} with loops", counted(more as u64, "more run"));
            out.put(format_args!("{}\n", paint(DIM, &words)));
        }
        out
    }

    /// Which rules saw the loops.
    fn rules(&self, report: &Report) -> String {
        let mut rules: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for each in report.runs.iter().flat_map(|run| &run.loops) {
            let (loops, calls) = rules.entry(each.rule.as_str()).or_default();
            *loops += 1;
            *calls += each.wasted.calls;
        }
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let most = rules.first().map_or(1, |(_, (loops, _))| *loops).max(1);
        let name = rules.iter().map(|(rule, _)| width(rule)).max().unwrap_or(0);
        let room = self.width.saturating_sub(name + 39).clamp(8, 40);
        let mut out = heading("Loops by rule");
        for (rule, (loops, calls)) in rules {
            let name = left(&one_line(rule, name, Cut::End), name);
            let bar = strip::bar(loops, most, room);
            out.put(format_args!(
                "{name}  {}  {}  {}\n",
                paint(CODE, &left(&bar, room)),
                right(&counted(loops, "loop"), 10),
                paint(DIM, &format!("{} wasted", counted(calls, "call")))
            ));
        }
        out
    }

    fn loops(&self, report: &Report) -> String {
        let mut out = heading("Loops");
        for line in strip::legend(self.width).lines() {
            out.put(format_args!("{}\n", paint(DIM, line)));
        }
        let mut left = self.options.loops;
        for run in report.runs.iter().filter(|run| !run.loops.is_empty()) {
            if left == 0 {
                break;
            }
            out += &self.run(run);
            let loops = run.worst_first();
            for each in loops.iter().take(left) {
                out += &self.one_loop(each);
            }
            left -= left.min(loops.len());
        }
        let shown = self.options.loops.min(report.totals.loops as usize);
        let more = report.totals.loops.saturating_sub(shown as u64);
        if more > 0 {
            let words = format!("and {}", counted(more, "more loop"));
            out.put(format_args!("\n{}\n", paint(DIM, &words)));
        }
        out
    }

    /// A run's name and where in it the loops are.
    fn run(&self, run: &Run) -> String {
        let date = run.started.and_then(day);
        let about = |model: Option<&String>| {
            let parts = [Some(&run.format), model, date.as_ref()];
            let parts: Vec<_> = parts.into_iter().flatten().map(String::as_str).collect();
            parts.join(" · ")
        };
        // The model is left out first where there is no room.
        let room = self.width / 2;
        let about = Some(about(run.models.first()))
            .filter(|about| width(about) <= room)
            .unwrap_or_else(|| about(None));
        let about = one_line(&about, room, Cut::End);
        let room = self.width.saturating_sub(width(&about) + 2);
        let name = left(&named(run, room), room);
        let calls = format!("{} ", counted(run.calls, "call"));
        let map = strip::map(run, self.width.saturating_sub(width(&calls)));
        let mut out = format!("\n{}  {}\n", paint(HEADING, &name), paint(DIM, &about));
        if !run.title.is_empty() {
            out.put(format_args!("{}\n", paint(DIM, &place(run, self.width))));
        }
        out.put(format_args!("{}{map}\n", paint(DIM, &calls)));
        out
    }

    fn one_loop(&self, each: &Loop) -> String {
        const INDENT: &str = "         ";
        const MEMBERS: usize = 4;
        let room = self.width - INDENT.len();
        let style = colour(each.verdict);
        let lines = match (each.from, each.to) {
            (0, _) => String::new(),
            (from, to) if from == to => format!("line {}", grouped(from)),
            (from, to) => format!("lines {} to {}", grouped(from), grouped(to)),
        };
        let rule = one_line(&each.rule, room, Cut::End);
        let often = format!(" × {}", grouped(each.repeats));
        let gap = room.saturating_sub(width(&rule) + width(&often) + width(&lines));
        let mut out = format!(
            "\n  {}{}{}{}{}\n",
            paint(style.bold(), &left(each.verdict.as_str(), 7)),
            paint(HEADING, &rule),
            often,
            " ".repeat(gap),
            paint(DIM, &lines)
        );
        let mut row = |text: &str| out.put(format_args!("{INDENT}{text}\n"));
        for member in each.pattern.iter().take(MEMBERS) {
            row(&one_line(member, room, Cut::End));
        }
        if each.pattern.len() > MEMBERS {
            let more = (each.pattern.len() - MEMBERS) as u64;
            row(&paint(
                DIM,
                &format!("and {} in a lap", counted(more, "more call")),
            ));
        }
        row(&strip::laps(each, style, room));
        if let Some((label, result)) = each.shown_result() {
            let label = format!("{label}: ");
            let text = one_line(result, room - label.len(), Cut::End);
            row(&(paint(DIM, &label) + &text));
        }
        row(&format!("{}{}", paint(DIM, "wasted: "), cost(&each.wasted)));
        out
    }
}

/// The days of the first and the last run.
fn days(runs: &[Run]) -> Option<String> {
    // As text they are in the order of time.
    let days = || runs.iter().filter_map(|run| run.started.and_then(day));
    let (first, last) = (days().min()?, days().max()?);
    Some(if first == last {
        first
    } else {
        format!("{first} to {last}")
    })
}

/// The project and the first words of the task, or else the file.
fn named(run: &Run, room: usize) -> String {
    let parts: Vec<_> = [run.project.as_str(), run.title.as_str()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    if run.title.is_empty() {
        place(run, room)
    } else {
        one_line(&parts.join(": "), room, Cut::End)
    }
}

/// The file of a run, with its session and agent where they say more.
fn place(run: &Run, room: usize) -> String {
    let session = Some(run.session.as_str())
        .filter(|session| *session != "default" && !run.path.contains(session));
    let agent = Some(run.agent.as_str()).filter(|agent| *agent != "main");
    let names: Vec<_> = [agent, session]
        .into_iter()
        .flatten()
        .filter(|name| !name.is_empty())
        .collect();
    let names = match names.as_slice() {
        [] => String::new(),
        names => {
            // What the path leaves, and a third at least.
            let left = room.saturating_sub(width(&run.path) + 3).max(room / 3);
            format!(" ({})", one_line(&names.join(" / "), left, Cut::End))
        }
    };
    one_line(&run.path, room.saturating_sub(width(&names)), Cut::Start) + &names
}
