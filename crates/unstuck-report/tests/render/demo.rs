//! Reports to render: a demonstration, a hostile one, and a large one.

use unstuck_report::{
    Beat, ErrorKind, Excerpt, Loop, Move, Report, Run, ScanError, SkipReason, SkippedFile,
    SkippedFiles, ToolCount, Totals, Wasted,
};

#[path = "demo_runs.rs"]
mod runs;

use runs::{auth, chanter, explorer, ping_pong, poller, reverts, tests};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// 2 November 2026, 08:00 UTC.
const START: i64 = 1_793_606_400_000;

/// When the demonstration is rendered.
pub(crate) const NOW: i64 = START + 13 * DAY;

/// Several agents, healthy and stuck.
pub(crate) fn demo() -> Report {
    let mut runs = vec![
        auth(),
        tests(),
        ping_pong(),
        reverts(),
        explorer(),
        poller(),
        chanter(),
    ];
    let healthy = [
        "claude-code",
        "codex",
        "gemini-cli",
        "claude-code",
        "openhands",
    ];
    for (format, index) in healthy.iter().zip(0_u32..) {
        let start = START + i64::from(index) * 2 * DAY;
        let calls = 40 + u64::from(index) * 7;
        runs.push(Run {
            path: format!("transcripts/{format}/healthy-{index}.jsonl"),
            session: format!("healthy-{index}"),
            started: Some(start),
            ended: Some(start + HOUR / 2),
            calls,
            results: calls,
            spent: usd(40, 210_000, 0.9),
            ..run(format)
        });
    }
    let errors = vec![
        ScanError {
            path: "transcripts/codex/rollout-2026-11-04.jsonl".to_owned(),
            kind: ErrorKind::BadLines,
            line: Some(212),
            error: "Line 212: expected `,` or `}` at byte 87".to_owned(),
            more: 3,
        },
        ScanError {
            path: "transcripts/private/notes.jsonl".to_owned(),
            kind: ErrorKind::Unreadable,
            line: None,
            error: "permission denied".to_owned(),
            more: 0,
        },
    ];
    runs.iter_mut().for_each(counted);
    summed(runs, errors)
}

/// Puts the numbers of a run's loops in order: they all follow from the calls drawn in its strip.
fn counted(run: &mut Run) {
    if run.title.is_empty() && !run.loops.is_empty() {
        run.title.clone_from(&run.session);
        "shop".clone_into(&mut run.project);
    }
    let wasted: u64 = run.loops.iter_mut().map(count).sum();
    if !run.loops.is_empty() {
        run.wasted.calls = wasted;
    }
}

fn count(each: &mut Loop) -> u64 {
    for lap in &mut each.excerpt {
        let of_loop = lap.moves.iter_mut();
        of_loop.for_each(|one| one.lap = if one.tool == "think" { 0 } else { lap.lap });
    }
    let last = each.strip.iter().rposition(|beat| beat.lap > 0);
    let Some(last) = last else {
        // Loops of words have no calls.
        let calls = each.repeats * each.period;
        each.members = (each.calls.from..each.calls.from + calls).collect();
        return each.wasted.calls;
    };
    each.strip.truncate(last + 1);
    let from = each.calls.from;
    each.calls.to = from + last as u64;
    let beats = (from..).zip(&each.strip);
    each.members = beats
        .filter(|(_, beat)| beat.lap > 0)
        .map(|(call, _)| call)
        .collect();
    each.repeats = each.members.len() as u64 / each.period;
    each.wasted.calls = each.members.len() as u64 - each.period;
    each.wasted.calls
}

/// One morning of one agent, in which 20 cents were wasted. One of its loops has no time.
pub(crate) fn axes() -> Report {
    let mut run = auth();
    "Make the checkout test green".clone_into(&mut run.title);
    "shop".clone_into(&mut run.project);
    // The nudge came before the halt.
    run.loops.reverse();
    counted(&mut run);
    run.loops[0].at = None;
    run.started = None;
    run.loops[1].wasted.usd = Some(0.204);
    let mut report = summed(vec![run], Vec::new());
    report.totals.unpriced.clear();
    report
}

/// Runs of models without a price.
pub(crate) fn unpriced() -> Report {
    let mut report = demo();
    for run in &mut report.runs {
        run.wasted.usd = Some(0.0);
        for each in &mut run.loops {
            each.wasted.usd = Some(0.0);
        }
    }
    let errors = std::mem::take(&mut report.errors);
    summed(report.runs, errors)
}

/// Everything a transcript could hold to break out of a report.
pub(crate) fn hostile() -> Report {
    let mut report = demo();
    let evil = [
        "<script>window.hacked = true</script>",
        "</script><script>window.hacked = true</script>",
        "<img src=x onerror=\"window.hacked = true\">",
        "\" onmouseover=\"window.hacked = true\" x='",
        "'\"`><svg/onload=window.hacked=true>",
        "<!-- --> ]]> &lt; &amp; <![CDATA[",
        "\u{202e}gnp.exe\u{2066} hidden\u{200b}text",
        "\x1b[31mred\x1b]0;title\x07\x1b[2J\0 \u{9b}31m",
        "line\u{2028}separator\u{2029}paragraph\r\nnext | cell `code` ``fence`` [link](https://example.com) @someone",
        "{0} %s ${x} %%data%% %%script%% \u{fffe}\u{ffff}",
    ];
    let all = evil.join(" ");
    for run in &mut report.runs {
        for text in [
            &mut run.title,
            &mut run.project,
            &mut run.path,
            &mut run.session,
            &mut run.agent,
            &mut run.format,
        ] {
            *text = format!("{text} {all}");
        }
        run.models = vec![all.clone()];
        for each in &mut run.loops {
            each.pattern = evil.iter().map(ToString::to_string).collect();
            each.tool.clone_from(&all);
            each.message.clone_from(&all);
            each.unchanged.clone_from(&all);
            each.last_result.clone_from(&all);
            for beat in &mut each.strip {
                beat.tool.clone_from(&all);
                beat.status.clone_from(&all);
            }
            for act in each.excerpt.iter_mut().flat_map(|lap| &mut lap.moves) {
                act.tool.clone_from(&all);
                act.args = format!("{}\n{}", act.args, evil.join("\n"));
                act.output = format!("{}\n{}", act.output, evil.join("\n"));
            }
        }
    }
    for error in &mut report.errors {
        error.path = format!("{} {all}", error.path);
        error.error.clone_from(&all);
    }
    report.totals.unpriced = vec![all];
    report
}

/// As many runs as are asked for, most of them healthy.
pub(crate) fn large(count: u32) -> Report {
    let stuck = demo().runs;
    let runs = (0..count)
        .map(|index| {
            let mut run = stuck[index as usize % stuck.len()].clone();
            run.session = format!("{} {index}", run.session);
            run.path = format!("transcripts/{index}/{}", run.path);
            let later = i64::from(index % 120) * DAY;
            run.started = run.started.map(|time| time - later);
            run.ended = run.ended.map(|time| time - later);
            for each in &mut run.loops {
                each.at = each.at.map(|time| time - later);
            }
            run
        })
        .collect();
    summed(runs, Vec::new())
}

/// The report of these runs, with their sums.
pub(crate) fn summed(runs: Vec<Run>, errors: Vec<ScanError>) -> Report {
    let mut totals = Totals {
        files: runs.len() as u64 + 1,
        bytes: 48_300_000,
        skipped: 5,
        repeated: 12,
        runs: runs.len() as u64,
        unpriced: vec!["local-coder-30b".to_owned()],
        ..Totals::default()
    };
    for run in &runs {
        totals.stuck += u64::from(!run.loops.is_empty());
        totals.loops += run.loops.len() as u64;
        totals.calls += run.calls;
        totals.results += run.results;
        add(&mut totals.wasted, &run.wasted);
        add(&mut totals.spent, &run.spent);
    }
    let skipped = vec![
        SkippedFiles {
            reason: SkipReason::UnknownFormat,
            count: 4,
            advice: "Supported: claude-code, codex, openai-chat (`unstuck scan --help`)."
                .to_owned(),
            files: vec![
                file("transcripts/README.md", ""),
                file("transcripts/make.py", ""),
            ],
        },
        SkippedFiles {
            reason: SkipReason::NoRun,
            count: 1,
            advice: String::new(),
            files: vec![file("transcripts/codex/hello.jsonl", "codex")],
        },
    ];
    Report {
        runs,
        errors,
        skipped,
        totals,
    }
}

fn file(path: &str, detail: &str) -> SkippedFile {
    SkippedFile {
        path: path.to_owned(),
        detail: detail.to_owned(),
    }
}

fn add(sum: &mut Wasted, each: &Wasted) {
    sum.calls += each.calls;
    sum.tokens += each.tokens;
    if let Some(usd) = each.usd {
        sum.usd = Some(sum.usd.unwrap_or(0.0) + usd);
    }
}

fn usd(calls: u64, tokens: u64, usd: f64) -> Wasted {
    Wasted {
        calls,
        tokens,
        usd: Some(usd),
    }
}

fn run(format: &str) -> Run {
    Run {
        format: format.to_owned(),
        agent: "main".to_owned(),
        models: vec!["claude-sonnet-4-5".to_owned()],
        tools: vec![ToolCount {
            tool: "bash".to_owned(),
            calls: 20,
        }],
        ..Run::default()
    }
}

/// `others` calls of another kind after every lap.
fn strip(from: u32, members: &[&str], laps: u64, others: u64, status: &str) -> Vec<Beat> {
    let mut line = from;
    let mut beats = Vec::new();
    for lap in 1..=laps {
        for tool in members {
            beats.push(beat(line, tool, lap, status));
            line += 2;
        }
        for _ in 0..others {
            beats.push(beat(line, "think", 0, "ok"));
            line += 2;
        }
    }
    beats
}

fn beat(line: u32, tool: &str, lap: u64, status: &str) -> Beat {
    Beat {
        line: line.into(),
        tool: tool.to_owned(),
        lap,
        status: status.to_owned(),
    }
}

fn lap(lap: u64, moves: Vec<Move>) -> Excerpt {
    Excerpt { lap, moves }
}

fn bash(line: u32, command: &str, output: &str, exit_code: i64) -> Move {
    Move {
        line: line.into(),
        at: Some(START + i64::from(line) * 9_000),
        tool: "bash".to_owned(),
        args: command.to_owned(),
        output: output.to_owned(),
        status: if exit_code == 0 { "ok" } else { "error" }.to_owned(),
        exit_code: Some(exit_code),
        ..Move::default()
    }
}

fn call(line: u32, tool: &str, args: &str, output: &str, status: &str) -> Move {
    Move {
        line: line.into(),
        at: Some(START + i64::from(line) * 9_000),
        tool: tool.to_owned(),
        args: args.to_owned(),
        output: output.to_owned(),
        status: status.to_owned(),
        ..Move::default()
    }
}
