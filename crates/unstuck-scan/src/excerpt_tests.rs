use super::*;

fn shown(json: &str) -> String {
    shown_arguments(&Json::parse(json).unwrap(), Excerpts::Raw)
}

#[test]
fn calls_of_one_tool_are_shown_alike() {
    assert_eq!(shown(r#"{"command":": \"\""}"#), ": \"\"");
    assert_eq!(
        shown(r#"{"command":": \"\"","description":"","timeout":5}"#),
        ": \"\"\ndescription: \ntimeout: 5"
    );
    assert_eq!(
        shown(r#"{"description":"a test","command":"make"}"#),
        "make\ndescription: a test"
    );
}

#[test]
fn other_arguments_are_shown_as_json() {
    assert_eq!(shown(r#"{"path":"a.txt"}"#), "{\n  \"path\": \"a.txt\"\n}");
    assert_eq!(shown("[1]"), "[\n  1\n]");
}

#[test]
fn a_loop_is_looked_at_from_its_first_to_its_last_call() {
    let view = |of, from, to| View {
        from,
        to,
        of,
        laps: Vec::new(),
        excerpts: Vec::new(),
        beats: Vec::new(),
        members: HashMap::new(),
    };
    let views = [
        view(Of::Calls, 5, 9),
        view(Of::Words, 1, 20),
        view(Of::Calls, 2, 3),
        view(Of::Calls, 3, 12),
    ];
    let mut calls = Current::new(&views, Of::Calls);
    let open: Vec<Vec<usize>> = (1..=13)
        .map(|call| calls.at(call, &views).to_vec())
        .collect();
    let expected: [&[usize]; 13] = [
        &[],
        &[2],
        &[2, 3],
        &[3],
        &[3, 0],
        &[3, 0],
        &[3, 0],
        &[3, 0],
        &[3, 0],
        &[3],
        &[3],
        &[3],
        &[],
    ];
    assert_eq!(open, expected);
}

#[test]
fn words_of_a_command_are_redacted_before_they_are_printed() {
    let arguments = Json::parse(r#"{"command":["mysql","-psunshine","-e","select 1"]}"#).unwrap();
    let output = Json::parse(r#"{"ran":["mysql","-psunshine"]}"#).unwrap();
    for (excerpts, holds) in [(Excerpts::Redacted, false), (Excerpts::Raw, true)] {
        let arguments = shown_arguments(&arguments, excerpts);
        assert_eq!(arguments.contains("sunshine"), holds, "{arguments}");
        assert!(arguments.contains("select 1"), "{arguments}");
        let output = shown_output(Some(&output), excerpts);
        assert_eq!(output.contains("sunshine"), holds, "{output}");
    }
}
