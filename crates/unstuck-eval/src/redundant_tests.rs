use serde_json::{Value, json};

use super::*;

fn run(steps: &[Value]) -> Trajectory {
    let line = json!({"id": "r", "set": "s", "label": {}, "steps": steps});
    Trajectory::parse(line.to_string().as_bytes()).unwrap()
}

fn shell(command: &str, result: &str, error: bool) -> Value {
    json!({"role": "assistant", "tool": "bash", "args": {"command": command}, "result": result, "error": error})
}

fn editor(command: &str, path: &str) -> Value {
    json!({"role": "assistant", "tool": EDITOR, "args": {"command": command, "path": path}, "result": "done", "error": false})
}

#[test]
fn patterns_are_valid() {
    for pattern in [
        &NOISE, &CHANGES, &REDIRECTS, &EXCEPTION, &QUOTED, &PATHS, &NUMBERS,
    ] {
        assert!(pattern.is_valid());
    }
}

#[test]
fn an_equal_call_with_an_equal_result_is_redundant_until_something_changes() {
    let look = shell("cat a", "took 0.25s", false);
    let again = shell("cat a", "took 1.50s", false);
    let steps = [
        look.clone(),
        again.clone(),
        shell("sed -i s/a/b/ a", "", false),
        look,
        again,
    ];
    assert_eq!(redundant_steps(&run(&steps)), [1, 4]);
}

#[test]
fn a_change_that_was_made_before_or_failed_ends_nothing() {
    let look = shell("cat a", "text", false);
    let change = shell("echo 1 > a", "", false);
    let refused = shell("cp a b", "no such file", true);
    let steps = [
        change.clone(),
        look.clone(),
        change,
        look.clone(),
        refused,
        look,
    ];
    assert_eq!(redundant_steps(&run(&steps)), [2, 3, 5]);
}

#[test]
fn a_failure_with_a_complaint_of_the_last_five_calls_is_redundant() {
    let mut steps = vec![shell("run 1", "Error: cannot open `a`, line 3", true)];
    steps.push(shell("run 2", "error: cannot open `b`, line 12", true));
    for n in 0..5 {
        steps.push(shell(&format!("look {n}"), &n.to_string(), false));
    }
    steps.push(shell("run 3", "cannot open `c`, line 4", true));
    assert_eq!(redundant_steps(&run(&steps)), [1]);
}

#[test]
fn a_complaint_is_the_exception_of_a_traceback() {
    let text =
        "Traceback (most recent call last):\n  File \"a.py\", line 3\nkey.Error: 'x' in /a/b at 12";
    let complaint = complaint_of(&run(&[shell("run", text, true)]).steps[0]);
    assert_eq!(
        complaint,
        Some(("bash".to_owned(), "key.Error: \" in / at 0".to_owned()))
    );
}

#[test]
fn a_result_without_a_telling_line_is_no_complaint() {
    for text in ["", "<error>", "[failed at once]", "12: ab", "Error:"] {
        let run = run(&[shell("run", text, true)]);
        assert_eq!(complaint_of(&run.steps[0]), None, "{text}");
    }
}

#[test]
fn shell_commands_that_write_change_files() {
    for (command, is_change) in [
        ("echo a > b", true),
        ("echo a >> b", true),
        ("make > /dev/null", false),
        ("make 2>&1", false),
        ("make 2> log", false),
        ("git stash", true),
        ("python -c \"open('a', 'w')\"", true),
        ("cat a | tee b", true),
        ("ls", false),
    ] {
        let run = run(&[shell(command, "", false)]);
        assert_eq!(changes(&run.steps[0]), is_change, "{command}");
    }
}

#[test]
fn files_of_the_run_itself_are_not_source() {
    let steps = [
        editor("create", "/tmp/try.py"),
        editor("str_replace", "/app/a.py"),
        editor("str_replace", "/tmp/try.py"),
        editor("view", "/app/a.py"),
    ];
    assert_eq!(last_source_edit(&run(&steps)), Some(1));
    assert_eq!(last_source_edit(&run(&steps[..1])), None);
}

#[test]
fn a_denial_is_wrong_when_the_call_succeeded_with_something_new() {
    let steps = [
        shell("a", "one", false),
        shell("b", "one", false),
        shell("c", "two", false),
        shell("d", "three", true),
        json!({"role": "assistant", "tool": "bash", "args": {}}),
    ];
    let all = denials(&run(&steps), &[1, 2, 3, 4]);
    assert_eq!(all, Denials { known: 3, wrong: 1 });
}

#[test]
fn lines_end_where_the_reference_ends_them() {
    assert_eq!(lines("a\r\nb\rc\u{2028}d\n"), ["a", "b", "c", "d"]);
    assert_eq!(lines("\n\na"), ["", "", "a"]);
}
