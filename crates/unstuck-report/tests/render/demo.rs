//! Reports to render: a demonstration, a hostile one, and a large one.

use unstuck_report::{
    Beat, ErrorKind, Excerpt, Loop, Move, Report, ReportVerdict, Run, ScanError, Share, SkipReason,
    SkippedFile, SkippedFiles, ToolCount, Totals, Wasted,
};

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

fn auth() -> Run {
    let read = "def login(request):\n    user = find(request.form[\"name\"])\n    if user is None:\n        abort(401)\n    return issue_token(user)";
    let args = "{\n  \"path\": \"src/auth.py\"\n}";
    let laps = [(1, 118), (2, 126), (11, 402)]
        .map(|(number, line)| lap(number, vec![call(line, "read_file", args, read, "ok")]));
    let test = "E   AssertionError: assert 401 == 200\nFAILED tests/test_auth.py::test_login - assert 401 == 200\n1 failed, 14 passed in";
    let go = |number: u64, line: u32, seconds: &str, value: &str| {
        lap(
            number,
            vec![
                call(
                    line,
                    "edit_file",
                    &format!(
                        "{{\n  \"path\": \"src/auth.py\",\n  \"old\": \"abort(401)\",\n  \"new\": \"abort({value})\"\n}}"
                    ),
                    "1 replacement in src/auth.py",
                    "ok",
                ),
                bash(
                    line + 2,
                    "pytest -q tests/test_auth.py",
                    &format!("..............F\n{test} {seconds}s"),
                    1,
                ),
            ],
        )
    };
    Run {
        path: "transcripts/claude-code/projects/shop/7f3a1c9e.jsonl".to_owned(),
        session: "fix the login of the shop".to_owned(),
        started: Some(START + 9 * DAY),
        ended: Some(START + 9 * DAY + 2 * HOUR),
        calls: 214,
        results: 213,
        verdict: ReportVerdict::Halt,
        wasted: usd(18, 412_000, 1.62),
        spent: usd(214, 5_100_000, 17.4),
        loops: vec![
            Loop {
                rule: "exact-repeat".to_owned(),
                verdict: ReportVerdict::Halt,
                repeats: 11,
                period: 1,
                from: 118,
                to: 402,
                pattern: vec!["read_file src/auth.py".to_owned()],
                also: vec!["stagnation".to_owned()],
                tool: "read_file".to_owned(),
                message: "[unstuck] `read_file src/auth.py` was called 11 times with the same arguments, and what came back did not change. Calling it again will not tell you more. Re-read the last result; then use other arguments, another tool, or say what is missing.".to_owned(),
                at: Some(START + 9 * DAY + HOUR / 2),
                calls: Share { from: 61, to: 104 },
                unchanged: read.to_owned(),
                wasted: usd(10, 240_000, 0.94),
                strip: strip(118, &["read_file"], 11, 1, "ok"),
                excerpt: laps.to_vec(),
                ..Loop::default()
            },
            Loop {
                rule: "test-fix-cycle".to_owned(),
                verdict: ReportVerdict::Nudge,
                repeats: 5,
                period: 2,
                from: 510,
                to: 548,
                pattern: vec![
                    "edit_file src/auth.py".to_owned(),
                    "bash pytest -q tests/test_auth.py".to_owned(),
                ],
                tool: "edit_file".to_owned(),
                message: "[unstuck] The tests failed 5 times in a row in the same way. The edits in between did not touch the cause. Read the failure again and say what it means before the next edit.".to_owned(),
                at: Some(START + 9 * DAY + HOUR),
                calls: Share { from: 150, to: 159 },
                unchanged: "FAILED tests/test_auth.py::test_login - assert 401 == 200".to_owned(),
                wasted: usd(8, 172_000, 0.68),
                strip: strip(510, &["edit_file", "bash"], 5, 0, "error"),
                excerpt: vec![go(1, 510, "0.41", "403"), go(2, 514, "0.39", "400"), go(5, 546, "0.44", "302")],
                ..Loop::default()
            },
        ],
        ..run("claude-code")
    }
}

fn ping_pong() -> Run {
    let go = |number: u64, line: u32, pid: u64| {
        lap(
            number,
            vec![
                bash(
                    line,
                    "npm run build",
                    "vite v7.1.2 building for production...\n✗ Build failed in 812ms\nerror: Could not resolve \"./theme\" from \"src/app.tsx\"",
                    1,
                ),
                bash(line + 2, "ls src", "app.tsx\nindex.css\nmain.tsx", 0),
                bash(
                    line + 4,
                    "npm install",
                    &format!(
                        "up to date, audited 312 packages in {pid}s\n\n61 packages are looking for funding\nfound 0 vulnerabilities"
                    ),
                    0,
                ),
            ],
        )
    };
    Run {
        path: "transcripts/codex/sessions/2026/11/12/rollout-2026-11-12T10-04-55.jsonl".to_owned(),
        session: "019a7b21-44de".to_owned(),
        models: vec!["gpt-5-codex".to_owned()],
        started: Some(START + 10 * DAY),
        ended: Some(START + 10 * DAY + HOUR),
        calls: 96,
        results: 96,
        verdict: ReportVerdict::Deny,
        wasted: usd(15, 188_000, 0.41),
        spent: usd(96, 1_400_000, 3.1),
        loops: vec![Loop {
            rule: "cycle".to_owned(),
            verdict: ReportVerdict::Deny,
            repeats: 6,
            period: 3,
            from: 64,
            to: 133,
            pattern: vec![
                "shell npm run build".to_owned(),
                "shell ls src".to_owned(),
                "shell npm install".to_owned(),
            ],
            tool: "shell".to_owned(),
            message: "[unstuck] The same 3 calls were made in a circle 6 times, and each brought what it had brought before.".to_owned(),
            at: Some(START + 10 * DAY + HOUR / 4),
            calls: Share { from: 30, to: 47 },
            unchanged: "error: Could not resolve \"./theme\" from \"src/app.tsx\"".to_owned(),
            wasted: usd(15, 188_000, 0.41),
            strip: strip(64, &["shell", "shell", "shell"], 6, 0, "ok"),
            excerpt: vec![go(1, 64, 2), go(2, 70, 3), go(6, 128, 2)],
            ..Loop::default()
        }],
        ..run("codex")
    }
}

fn tests() -> Run {
    Run {
        path: "transcripts/swe-agent/django__django-11099.traj".to_owned(),
        session: "django__django-11099".to_owned(),
        models: vec!["local-coder-30b".to_owned()],
        calls: 75,
        results: 75,
        verdict: ReportVerdict::Halt,
        wasted: Wasted {
            calls: 31,
            tokens: 902_000,
            usd: None,
        },
        spent: Wasted {
            calls: 75,
            tokens: 2_000_000,
            usd: None,
        },
        loops: vec![Loop {
            rule: "failure-cascade".to_owned(),
            verdict: ReportVerdict::Halt,
            repeats: 32,
            period: 1,
            from: 20,
            to: 51,
            pattern: vec!["bash python manage.py test auth_tests".to_owned()],
            tool: "bash".to_owned(),
            message: "[unstuck] 32 calls failed in a row with the same error.".to_owned(),
            calls: Share { from: 20, to: 51 },
            unchanged: "ModuleNotFoundError: No module named 'django.contrib.auth.validator'"
                .to_owned(),
            wasted: Wasted {
                calls: 31,
                tokens: 902_000,
                usd: None,
            },
            ..Loop::default()
        }],
        ..run("swe-agent")
    }
}

fn reverts() -> Run {
    let edit = |line, old: &str, new: &str| {
        call(
            line,
            "replace",
            &format!(
                "{{\n  \"file_path\": \"config/limits.yaml\",\n  \"old_string\": \"retries: {old}\",\n  \"new_string\": \"retries: {new}\"\n}}"
            ),
            "Successfully modified file: config/limits.yaml (1 replacements).",
            "ok",
        )
    };
    Run {
        path: "transcripts/gemini-cli/tmp/2b1f/chats/session-2026-11-06T16-20.json".to_owned(),
        session: "session-2026-11-06T16-20".to_owned(),
        models: vec!["gemini-2.5-pro".to_owned()],
        started: Some(START + 4 * DAY + 8 * HOUR),
        ended: Some(START + 4 * DAY + 9 * HOUR),
        calls: 41,
        results: 41,
        verdict: ReportVerdict::Deny,
        wasted: usd(9, 61_000, 0.11),
        spent: usd(41, 380_000, 0.7),
        loops: vec![Loop {
            rule: "edit-revert".to_owned(),
            verdict: ReportVerdict::Deny,
            repeats: 5,
            period: 2,
            from: 12,
            to: 33,
            pattern: vec![
                "replace config/limits.yaml".to_owned(),
                "replace config/limits.yaml".to_owned(),
            ],
            tool: "replace".to_owned(),
            message: "[unstuck] config/limits.yaml returned to a state it had for the 5th time."
                .to_owned(),
            at: Some(START + 4 * DAY + 8 * HOUR),
            calls: Share { from: 12, to: 24 },
            wasted: usd(9, 61_000, 0.11),
            strip: strip(12, &["replace", "replace"], 5, 1, "ok"),
            excerpt: vec![
                lap(1, vec![edit(12, "3", "5"), edit(13, "5", "3")]),
                lap(2, vec![edit(16, "3", "5"), edit(17, "5", "3")]),
                lap(5, vec![edit(31, "3", "8"), edit(33, "8", "3")]),
            ],
            ..Loop::default()
        }],
        ..run("gemini-cli")
    }
}

fn explorer() -> Run {
    Run {
        path: "transcripts/claude-code/projects/shop/7f3a1c9e/subagents/agent-a41.jsonl".to_owned(),
        session: "fix the login of the shop".to_owned(),
        agent: "explore".to_owned(),
        models: vec!["claude-haiku-4-5".to_owned()],
        started: Some(START + 9 * DAY + HOUR / 3),
        ended: Some(START + 9 * DAY + HOUR / 2),
        calls: 33,
        results: 33,
        verdict: ReportVerdict::Nudge,
        wasted: usd(4, 22_000, 0.004),
        spent: usd(33, 190_000, 0.09),
        loops: vec![Loop {
            rule: "near-repeat".to_owned(),
            verdict: ReportVerdict::Nudge,
            repeats: 5,
            period: 1,
            from: 40,
            to: 58,
            pattern: vec!["Grep issue_token".to_owned()],
            tool: "Grep".to_owned(),
            message: "[unstuck] `Grep issue_token` was called 5 times with arguments that differ in nothing that matters.".to_owned(),
            at: Some(START + 9 * DAY + HOUR / 3),
            calls: Share { from: 18, to: 26 },
            unchanged: "No matches found".to_owned(),
            wasted: usd(4, 22_000, 0.004),
            strip: strip(40, &["Grep"], 5, 1, "ok"),
            excerpt: vec![
                lap(1, vec![call(40, "Grep", "{\n  \"pattern\": \"issue_token\",\n  \"path\": \"lib\"\n}", "No matches found", "ok")]),
                lap(2, vec![call(42, "think", "{\n  \"thought\": \"Is it in lib at all?\"\n}", "", "ok"), call(44, "Grep", "{\n  \"pattern\": \"issue_token\",\n  \"path\": \"./lib\"\n}", "No matches found", "ok")]),
                lap(5, vec![call(58, "Grep", "{\n  \"pattern\": \"issue_token\",\n  \"path\": \"lib/\"\n}", "No matches found", "ok")]),
            ],
            ..Loop::default()
        }],
        ..run("claude-code")
    }
}

fn poller() -> Run {
    Run {
        path: "transcripts/events/deploy.jsonl".to_owned(),
        session: "deploy".to_owned(),
        models: Vec::new(),
        started: Some(START + 2 * DAY),
        ended: Some(START + 2 * DAY + HOUR / 6),
        calls: 420,
        results: 420,
        verdict: ReportVerdict::Nudge,
        wasted: Wasted {
            calls: 299,
            tokens: 0,
            usd: None,
        },
        loops: vec![Loop {
            rule: "poll".to_owned(),
            verdict: ReportVerdict::Nudge,
            repeats: 300,
            period: 1,
            from: 31,
            to: 640,
            pattern: vec!["get_deployment 4711".to_owned()],
            tool: "get_deployment".to_owned(),
            message: "[unstuck] `get_deployment 4711` was looked at 300 times and is not done. Wait longer between two looks.".to_owned(),
            at: Some(START + 2 * DAY),
            calls: Share { from: 16, to: 315 },
            unchanged: "{\"state\":\"pending\"}".to_owned(),
            wasted: Wasted {
                calls: 299,
                tokens: 0,
                usd: None,
            },
            ..Loop::default()
        }],
        ..run("events")
    }
}

fn chanter() -> Run {
    let words = "Let me check the configuration once more to be sure that everything is in place.";
    Run {
        path: "transcripts/openhands/9c2d/events.jsonl".to_owned(),
        session: "9c2d".to_owned(),
        // A clock that began with the machine.
        models: vec!["local-coder-30b".to_owned()],
        started: Some(HOUR),
        ended: Some(2 * HOUR),
        calls: 12,
        results: 12,
        verdict: ReportVerdict::Nudge,
        wasted: Wasted {
            calls: 0,
            tokens: 14_000,
            usd: None,
        },
        loops: vec![Loop {
            rule: "chant".to_owned(),
            verdict: ReportVerdict::Nudge,
            repeats: 4,
            period: 0,
            from: 22,
            to: 29,
            pattern: vec![words.to_owned()],
            message: "[unstuck] The same passage was written 4 times.".to_owned(),
            at: Some(HOUR),
            wasted: Wasted {
                calls: 0,
                tokens: 14_000,
                usd: None,
            },
            excerpt: vec![
                lap(1, vec![call(22, "text", words, "", "")]),
                lap(
                    2,
                    vec![call(
                        24,
                        "text",
                        &words.replace("once more", "again"),
                        "",
                        "",
                    )],
                ),
            ],
            ..Loop::default()
        }],
        ..run("openhands")
    }
}
