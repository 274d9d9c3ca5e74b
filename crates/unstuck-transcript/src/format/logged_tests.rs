use unstuck::EventKind;

use crate::{Format, Origin, Transcript, testing::Told};

/// What a log tells, by the format it is detected as.
fn told(text: &str) -> (Format, Told) {
    let format = Format::detect(text.as_bytes()).unwrap();
    let mut told = Told::default();
    let mut transcript = Transcript::new(format, &Origin::default());
    transcript.document(text.as_bytes(), &mut told);
    transcript.end(&mut told);
    (format, told)
}

/// Calls and results of a recording of this crate.
fn counts(name: &str) -> (Format, usize, usize) {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let (format, told) = told(&std::fs::read_to_string(path).unwrap());
    let count = |is: fn(&EventKind) -> bool| told.events.iter().filter(|one| is(&one.kind)).count();
    (
        format,
        count(|kind| matches!(kind, EventKind::Call(_))),
        count(|kind| matches!(kind, EventKind::Result(_))),
    )
}

#[test]
fn every_call_of_a_log_is_told_once() {
    for (name, format, calls, results) in [
        ("claude-code-log/prefix.log", Format::ClaudeCodeLog, 2, 2),
        ("claude-code-log/pretty.log", Format::ClaudeCodeLog, 2, 2),
        (
            "claude-code-log/pretty-prefix.log",
            Format::ClaudeCodeLog,
            2,
            2,
        ),
        ("claude-code-log/broken.log", Format::ClaudeCodeLog, 1, 1),
        ("codex-exec-log/numbered.log", Format::CodexExecLog, 3, 3),
        ("codex-exec-log/mixed.log", Format::CodexExecLog, 2, 2),
        ("opencode-run-log/updates.log", Format::OpenCodeRunLog, 4, 3),
        ("opencode-run-log/bus.log", Format::OpenCodeRunLog, 2, 2),
    ] {
        assert_eq!(counts(name), (format, calls, results), "{name}");
    }
}

#[test]
fn lines_without_json_are_no_problem_and_an_event_that_is_cut_off_is_one() {
    let log = "x {\n[i] {\"type\":\"thread.started\",\"thread_id\":\"1\"}\n}\n[i] {\"type\":\"item.started\",\"item\":{\"id\":\"…\nbye";
    let (_, told) = told(log);
    let problems: Vec<_> = told.problems.iter().map(|one| one.line).collect();
    assert_eq!(problems, [Some(4)]);
    let message = "the JSON object that begins on this line has no end";
    assert_eq!(&*told.problems[0].message, message);
}

#[test]
fn the_last_event_of_a_log_that_was_cut_off_is_a_problem() {
    let event = "[i] {\"type\":\"thread.started\",\"thread_id\":\"1\"}\n";
    let begun = "[i] {\n  \"type\": \"item.completed\",\n  \"item\": {\n";
    for (end, is_problem) in [
        (begun.to_owned(), true),
        (begun.to_owned() + "    \"id\": \"ite", true),
        // Half a line may still be written.
        ("[i] {\"type\": ".to_owned(), false),
        ("[i] {\"type\": \"item".to_owned(), false),
        ("[i] {\n  \"level\": \"info\",\n".to_owned(), false),
    ] {
        let (_, told) = told(&(event.to_owned() + &end));
        let problems: Vec<_> = told.problems.iter().collect();
        let lines: Vec<_> = problems.iter().map(|one| one.line).collect();
        let expected = if is_problem { vec![Some(2)] } else { vec![] };
        assert_eq!(lines, expected, "{end}");
        for problem in problems {
            assert!(
                problem.message.contains("begins on this line"),
                "{problem:?}"
            );
        }
    }
}

#[test]
fn a_log_without_events_of_an_agent_is_not_recognised() {
    for log in [
        "[i] {\"type\":\"request\",\"id\":1}\n[i] {\"level\":\"info\"}\n",
        "fn main() {\n  println!(\"{}\");\n}\n",
        "{\n  \"name\": \"x\",\n  \"type\": \"module\"\n}\n",
    ] {
        assert_eq!(Format::detect(log.as_bytes()), None, "{log}");
    }
}
