//! Shell commands through the engine: what is one action however it is spelled, and what is not.

use unstuck::{
    Preset, RuleName, Settings, Verdict,
    settings::{CountCalls, CountFailures, CountTests, CountTurns, SwarmCount},
};

use super::{Allow, Nudge, Run};

/// The verdicts on these commands, each coming back with the same.
fn verdicts(preset: Preset, commands: &[&str], output: &str) -> Vec<Verdict> {
    let mut run = Run::of(preset);
    let steps = commands.iter().map(|command| {
        let args = serde_json::json!({ "command": command }).to_string();
        run.step("bash", &args, "ok", &serde_json::json!(output).to_string())
    });
    steps.collect()
}

const ANSWER: &str = "there is nothing here that would be news to anybody who has seen it before";

/// Four spellings of one action: the fourth is nudged.
fn one_action(commands: [&str; 4]) {
    assert_eq!(
        verdicts(Preset::Standard, &commands, ANSWER),
        [Allow, Allow, Allow, Nudge],
        "{commands:?}"
    );
}

/// Four actions that happen to come back with the same. `stuck-outcome` has its say from the fifth on.
fn four_actions(commands: [&str; 4]) {
    assert_eq!(
        verdicts(Preset::Standard, &commands, ANSWER),
        [Allow; 4],
        "{commands:?}"
    );
}

#[test]
fn a_test_run_is_one_action_however_it_is_spelled() {
    one_action([
        "cd /repo && pytest tests/a.py",
        "cd /repo && python -m pytest -v tests/a.py 2>&1 | tail -40",
        "cd /repo; timeout 60 pytest 'tests/a.py' --tb=short || true",
        "cd /repo && PYTHONPATH=. python3 -m pytest -q tests/a.py; echo $?",
    ]);
    four_actions([
        "pytest a.py",
        "pytest b.py",
        "pytest -k x a.py",
        "cd s && pytest a.py",
    ]);
}

/// How calls are compared is a setting of its own, and not an effect of what a rule counts.
#[test]
fn what_other_rules_count_does_not_change_what_one_action_is() {
    let commands = [
        "cd /repo && pytest tests/a.py",
        "cd /repo && python -m pytest -v tests/a.py 2>&1 | tail -40",
        "cd /repo; timeout 60 pytest 'tests/a.py' --tb=short || true",
        "cd /repo && PYTHONPATH=. python3 -m pytest -q tests/a.py; echo $?",
    ];
    let change: [fn(&mut Settings); 5] = [
        |settings| settings.rules.swarm_loop.count = SwarmCount::EveryCall,
        |settings| settings.rules.exact_repeat.count = CountCalls::CallsInARow,
        |settings| settings.rules.test_fix_cycle.count = CountTests::AnyFailure,
        |settings| settings.rules.failure_cascade.count = CountFailures::Shell,
        |settings| settings.rules.summary_loop.count = CountTurns::Always,
    ];
    for (at, change) in change.into_iter().enumerate() {
        let mut settings = Settings::of(Preset::Standard);
        change(&mut settings);
        let mut run = Run::with(settings);
        for (command, wanted) in commands.iter().zip([Allow, Allow, Allow, Nudge]) {
            let args = serde_json::json!({ "command": command });
            let call = run.call("bash", &args.to_string());
            let result = run.result("ok", &serde_json::json!(ANSWER).to_string());
            run.send(r#"{"event":"turn"}"#);
            assert_eq!(call.verdict.max(result.verdict), wanted, "{at}: {command}");
            if wanted == Nudge {
                assert_eq!(result.rule(), Some(RuleName::NearRepeat), "{at}");
            }
        }
    }
}

#[test]
fn another_directory_is_another_action() {
    four_actions([
        "cd a && make",
        "cd b && make",
        "cd c && make",
        "cd d && make",
    ]);
}

#[test]
fn a_declared_directory_is_the_directory() {
    let mut run = Run::of(Preset::Standard);
    let answer = format!("\"{ANSWER}\"");
    let said: Vec<_> = ["a", "b", "c", "d"]
        .iter()
        .map(|directory| {
            let args = format!(r#"{{"command":"make","workdir":"{directory}"}}"#);
            run.step("shell", &args, "ok", &answer)
        })
        .collect();
    assert_eq!(said, [Allow; 4]);
}

#[test]
fn options_quotes_and_shells_around_it_are_no_new_action() {
    one_action([
        "ls -la src",
        "ls  -a -l 'src'",
        "bash -c 'ls -la src'",
        "sudo ls -al \"src\"",
    ]);
}

#[test]
fn a_read_is_one_action_whichever_command_reads() {
    one_action([
        "cat src/a.py",
        "nl -ba src/a.py",
        "cd src && cat a.py",
        "less ./src/a.py",
    ]);
    one_action([
        "head -50 a.py",
        "sed -n '1,50p' a.py",
        "cat a.py | head -n 50",
        "nl -ba a.py | sed -n 1,50p",
    ]);
}

#[test]
fn paging_forward_is_no_repetition_and_paging_round_is() {
    let pages: Vec<String> = (0..12)
        .map(|n| format!("sed -n '{},{}p' a.py", n * 50 + 1, n * 50 + 50))
        .collect();
    let mut run = Run::of(Preset::Standard);
    let mut read = |command: &str, page: usize| {
        let args = serde_json::json!({ "command": command }).to_string();
        run.step(
            "bash",
            &args,
            "ok",
            &format!("\"page number {page} of the file, with all that is on it\""),
        )
    };
    for (page, command) in pages.iter().enumerate() {
        assert_eq!(read(command, page), Allow, "{command}");
    }
    let spellings = ["head -50 a.py", "head -n 50 a.py", "cat a.py | head -50"];
    let said: Vec<_> = spellings.iter().map(|command| read(command, 0)).collect();
    assert_eq!(
        said,
        [Allow, Allow, Nudge],
        "the first page again, in other words"
    );
}

#[test]
fn code_on_the_command_line_is_what_it_says() {
    one_action([
        "python -c 'print(a)'",
        "python3 -c \"print(a)\"",
        "python3 - <<'EOF'\n# look again\nprint(a)\nEOF",
        "/usr/bin/python3 <<E\n\nprint(a)\nE",
    ]);
    four_actions([
        "python -c 'a()'",
        "python -c 'b()'",
        "python -c 'c()'",
        "python - <<E\nd()\nE",
    ]);
}

#[test]
fn a_command_that_is_not_understood_is_its_text() {
    four_actions([
        "f() { ls; }; f",
        "f() { ls;  }; f",
        "f() { ls ; }; f",
        "f()  { ls; }; f",
    ]);
}

#[test]
fn attocode_compares_the_text() {
    let said = verdicts(
        Preset::Attocode,
        &[
            "ls -la src",
            "ls  -a -l 'src'",
            "bash -c 'ls -la src'",
            "sudo ls -al \"src\"",
        ],
        ANSWER,
    );
    assert_eq!(said, [Allow; 4]);
}

/// A command that ends with an exit code and says nothing.
fn silent(run: &mut Run, command: &str, code: u32) -> Verdict {
    let args = serde_json::json!({ "command": command }).to_string();
    let before = run.call("bash", &args).verdict;
    let id = run.calls;
    let after = run.send(&format!(
        r#"{{"event":"result","id":{id},"status":"error","exit_code":{code},"output":""}}"#
    ));
    before.max(after.verdict)
}

#[test]
fn a_search_without_a_match_is_no_failure() {
    // Failures that say nothing are told of once there are twelve.
    let said = |commands: [&str; 4], code: u32| -> Vec<_> {
        let mut settings = Settings::of(Preset::Standard);
        // It tells of any equal answers, also of those that are no failures.
        settings.rules.stuck_outcome.enabled = false;
        let mut run = Run::with(settings);
        (0..12)
            .map(|n| silent(&mut run, &format!("{}{n}", commands[n % 4]), code))
            .collect()
    };
    let searches = [
        "grep -rn a src/",
        "grep -rn b src/",
        "cd src && rg c",
        "diff a b",
    ];
    assert_eq!(said(searches, 1), [Allow; 12]);
    let mut twelve = [Allow; 12];
    twelve[11] = Nudge;
    assert_eq!(
        said(["make a", "make b", "make c", "make d"], 1),
        twelve,
        "what should have worked is one"
    );
    assert_eq!(
        said(searches, 2),
        twelve,
        "a search that could not search is one"
    );
}

#[test]
fn text_that_looks_like_a_write_is_no_progress() {
    let mut run = Run::of(Preset::Standard);
    let mut said = Vec::new();
    // What is learned in between halves the weight: the fifth weighs three.
    for n in 0..5 {
        said.push(run.read("a"));
        // The `>` is in the code, not a redirection.
        let args =
            serde_json::json!({ "command": format!("python -c 'print({n} > 1)'") }).to_string();
        run.step(
            "bash",
            &args,
            "ok",
            &format!("\"the answer to question {n}, which nobody has asked before\""),
        );
    }
    assert_eq!(said, [Allow, Allow, Allow, Allow, Nudge]);
}
