//! The runs of the demo, one for each kind of loop.

use unstuck_report::{ReportVerdict, Share};

use super::{DAY, HOUR, Loop, Run, START, Wasted, bash, call, lap, run, strip, usd};

pub(super) fn auth() -> Run {
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

pub(super) fn ping_pong() -> Run {
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

pub(super) fn tests() -> Run {
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

pub(super) fn reverts() -> Run {
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

pub(super) fn explorer() -> Run {
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

pub(super) fn poller() -> Run {
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

pub(super) fn chanter() -> Run {
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
