use crate::{Format, Origin, Problem, Sink, Transcript, Usage, testing::Told};

fn entry(id: &str, parent: &str, message: &str) -> String {
    let parent = match parent {
        "" => "null".to_owned(),
        parent => format!("\"{parent}\""),
    };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-03-01T09:00:00.000Z","message":{message}}}"#
    )
}

fn call(id: &str) -> String {
    format!(
        r#"{{"role":"assistant","content":[{{"type":"toolCall","id":"{id}","name":"bash","arguments":{{}}}}],"timestamp":1772355600000}}"#
    )
}

fn told(lines: &[String]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Told::of(Format::Pi, &lines).kinds()
}

#[test]
fn entries_that_follow_each_other_are_one_branch() {
    let lines = [
        entry("1", "", &call("a")),
        r#"{"type":"label","id":"2","parentId":"1","targetId":"1","label":"x"}"#.to_owned(),
        entry("3", "2", &call("b")),
    ];
    assert_eq!(told(&lines), ["call a", "turn", "call b", "turn"]);
}

#[test]
fn going_back_to_an_earlier_entry_is_a_persons_doing() {
    let lines = [
        entry("1", "", &call("a")),
        entry("2", "1", &call("b")),
        entry("3", "1", &call("c")),
        entry("4", "", &call("d")),
    ];
    let expected = [
        "call a", "turn", "call b", "turn", "User", "call c", "turn", "User", "call d", "turn",
    ];
    assert_eq!(told(&lines), expected);
}

#[test]
fn an_entry_whose_parent_was_lost_begins_no_branch() {
    let lines = [entry("1", "", &call("a")), entry("3", "2", &call("b"))];
    assert_eq!(told(&lines), ["call a", "turn", "call b", "turn"]);
}

#[test]
fn failed_calls_and_entries_without_calls_are_told_as_what_they_are() {
    let lines = [
        entry("1", "", &call("a")),
        entry(
            "2",
            "1",
            r#"{"role":"toolResult","toolCallId":"a","toolName":"bash","content":[{"type":"text","text":"no"}],"isError":true}"#,
        ),
        r#"{"type":"compaction","id":"3","parentId":"2","summary":"x"}"#.to_owned(),
        entry("4", "3", r#"{"role":"custom","content":"x"}"#),
        entry("5", "4", r#"{"role":"user","content":[]}"#),
    ];
    assert_eq!(
        told(&lines),
        ["call a", "result a Error", "turn", "Compaction"]
    );
}

#[test]
fn a_session_has_the_title_that_a_person_gave_it_with_the_first_words() {
    #[derive(Default)]
    struct Asked(Vec<String>);

    impl Sink for Asked {
        fn event(&mut self, _: unstuck::Event) {}

        fn usage(&mut self, _: Usage) {}

        fn asked(&mut self, session: &str, agent: &str, text: &str) {
            self.0.push(format!("{session} {agent} {text}"));
        }

        fn problem(&mut self, problem: Problem) {
            panic!("{problem:?}");
        }
    }

    let header = r#"{"type":"session","id":"s","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/a"}"#;
    let content = r#"{"role":"user","content":[{"type":"text","text":"Fix the shop."}]}"#;
    let mut asked = Asked::default();
    let mut transcript = Transcript::new(Format::Pi, &Origin::default());
    transcript.line(1, header.as_bytes(), &mut asked);
    transcript.line(2, entry("1", "", content).as_bytes(), &mut asked);
    transcript.end(&mut asked);
    assert_eq!(asked.0, ["s main Fix the shop."]);
}
