//! What counts as progress: changes by file, tests that stop failing, a repository that changed, other exit codes.

use unstuck::{Engine, Event, Preset, Settings, Verdict};

use super::{Allow, Nudge, Run};

fn write(run: &mut Run, path: &str, content: u32) -> Verdict {
    let args = format!(r#"{{"path":"{path}","content":"{content}"}}"#);
    run.step("write_file", &args, "ok", r#""written""#)
}

fn shell(run: &mut Run, command: &str, status: &str, output: &str) -> Verdict {
    let args = format!(r#"{{"command":"{command}"}}"#);
    run.step("bash", &args, status, output)
}

/// Reads a file five times, with something in between; how often that is spoken of.
fn nudges(mut between: impl FnMut(&mut Run, u32) -> Verdict) -> usize {
    let mut run = Run::of(Preset::Standard);
    let mut nudges = 0;
    for lap in 0..5 {
        nudges += usize::from(run.read("src/config.py") != Allow);
        nudges += usize::from(between(&mut run, lap) != Allow);
    }
    nudges
}

#[test]
fn a_change_to_the_file_itself_is_progress_for_who_reads_it() {
    assert_eq!(nudges(|run, lap| write(run, "src/config.py", lap)), 0);
    // The shell calls it otherwise.
    let sed = |run: &mut Run, lap| {
        let command = format!("cd src && sed -i s/{lap}/x/ config.py");
        shell(run, &command, "ok", "\"\"")
    };
    assert_eq!(nudges(sed), 0);
}

#[test]
fn a_change_to_another_file_is_none() {
    assert!(nudges(|run, lap| write(run, "notes.md", lap)) > 0);
    let append = |run: &mut Run, lap| shell(run, &format!("echo {lap} >> notes.md"), "ok", "\"\"");
    assert!(nudges(append) > 0);
}

#[test]
fn a_change_of_unknown_extent_is_progress_for_all() {
    let patch = |run: &mut Run, lap| shell(run, &format!("git apply fix{lap}.patch"), "ok", "\"\"");
    assert_eq!(nudges(patch), 0);
    let several =
        |run: &mut Run, lap| shell(run, &format!("touch a{lap}.py b{lap}.py"), "ok", "\"\"");
    assert_eq!(nudges(several), 0);
}

#[test]
fn a_test_run_is_new_after_a_change_to_any_file() {
    let mut run = Run::of(Preset::Standard);
    for lap in 0..8 {
        let output = format!(r#""E assert {lap} == 7\nFAILED t.py::test_a - assert {lap} == 7""#);
        assert_eq!(shell(&mut run, "pytest -q", "error", &output), Allow);
        assert_eq!(write(&mut run, &format!("src/m{lap}.py"), lap), Allow);
    }
}

#[test]
fn files_beyond_memory_count_as_changed() {
    let mut run = Run::of(Preset::Standard);
    for lap in 0..5 {
        assert_eq!(run.read("src/config.py"), Allow, "lap {lap}");
        write(&mut run, "src/config.py", lap);
        for file in 0..40 {
            write(&mut run, &format!("gen/f{file}.py"), lap);
        }
    }
}

/// Looks at a file between test runs that name the tests that fail.
fn look_between_tests(failing: [&[&str]; 5]) -> usize {
    let mut run = Run::of(Preset::Standard);
    let mut nudges = 0;
    for tests in failing {
        nudges += usize::from(run.read("src/config.py") != Allow);
        let lines: Vec<_> = tests
            .iter()
            .map(|test| format!("FAILED t.py::{test}"))
            .collect();
        let output = format!(r#""{}\n{} failed""#, lines.join("\\n"), tests.len());
        shell(&mut run, "pytest -q", "error", &output);
    }
    nudges
}

#[test]
fn fewer_failing_tests_are_progress() {
    let shrinking: [&[&str]; 5] = [
        &["a", "b", "c", "d", "e"],
        &["a", "b", "c", "d"],
        &["a", "b", "c"],
        &["b", "c"],
        &["c"],
    ];
    assert_eq!(look_between_tests(shrinking), 0);
}

#[test]
fn other_failing_tests_are_none() {
    let moving: [&[&str]; 5] = [&["a", "b"], &["c"], &["d", "e"], &["f"], &["g", "h"]];
    assert!(look_between_tests(moving) > 0);
}

#[test]
fn fewer_failures_of_another_test_run_mean_nothing() {
    let mut run = Run::of(Preset::Standard);
    let mut nudges = 0;
    for file in ["a", "b", "c", "d", "e"] {
        nudges += usize::from(run.read("src/config.py") != Allow);
        let output = format!(r#""FAILED {file}.py::x\nFAILED {file}.py::y""#);
        shell(&mut run, &format!("pytest {file}.py"), "error", &output);
        nudges += usize::from(run.read("src/config.py") != Allow);
        let output = format!(r#""FAILED {file}.py::x""#);
        shell(
            &mut run,
            &format!("pytest {file}.py -k x"),
            "error",
            &output,
        );
    }
    assert!(nudges > 0);
}

#[test]
fn tests_that_pass_after_they_failed_are_progress() {
    let mut run = Run::of(Preset::Standard);
    for lap in 0..6 {
        let read = run.read("src/config.py");
        assert_eq!(read, Allow, "lap {lap}");
        let (status, output) = match lap % 2 {
            0 => ("error", format!(r#""FAILED t.py::test_{lap}""#)),
            _ => ("ok", r#""1 passed""#.to_owned()),
        };
        shell(&mut run, "pytest -q", status, &output);
    }
}

#[test]
fn a_repository_that_shows_other_changes_is_progress() {
    let look = |output: &dyn Fn(u32) -> String| {
        nudges(|run, lap| shell(run, "git status --short", "ok", &output(lap)))
    };
    // A generator whose effect nobody can tell from its name ran in between.
    let files = ["alpha", "beta", "gamma", "delta", "epsilon"];
    let more = |lap: u32| {
        let shown: Vec<_> = files[..=lap as usize]
            .iter()
            .map(|file| format!(" M gen/{file}.py"))
            .collect();
        format!("\"{}\"", shown.join("\\n"))
    };
    assert_eq!(look(&more), 0);
    assert!(look(&|_| r#"" M gen/part.py""#.to_owned()) > 0);
}

#[test]
fn another_exit_code_is_another_outcome() {
    let mut engine = Engine::new(Settings::of(Preset::Standard));
    let mut last = Allow;
    for (id, code) in (1..).zip([1, 2, 3, 2, 1, 3, 3, 3]) {
        for line in [
            format!(
                r#"{{"event":"call","id":{id},"tool":"bash","args":{{"command":"./verify"}}}}"#
            ),
            format!(
                r#"{{"event":"result","id":{id},"status":"ok","output":"checking the build","exit_code":{code}}}"#
            ),
        ] {
            let event = Event::parse(line.as_bytes()).unwrap();
            last = engine.observe(event).verdict;
            assert!(last == Allow || id == 8, "call {id}: {last}");
        }
    }
    assert_eq!(last, Nudge);
}

#[test]
fn a_retry_takes_a_change_back() {
    let mut run = Run::of(Preset::Standard);
    run.read("src/config.py");
    run.read("src/config.py");
    // The provider replays the turn in which the file was changed: it never was.
    run.call("write_file", r#"{"path":"src/config.py","content":"1"}"#);
    run.result("ok", r#""written""#);
    run.send(r#"{"event":"retry"}"#);
    assert_eq!(run.read("src/config.py"), Nudge);
}
