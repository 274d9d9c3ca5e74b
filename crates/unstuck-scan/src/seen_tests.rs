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
fn words_of_a_command_are_redacted_before_they_are_printed() {
    let arguments = Json::parse(r#"{"command":["mysql","-psunshine","-e","select 1"]}"#).unwrap();
    let output = Json::parse(r#"{"ran":["mysql","-psunshine"]}"#).unwrap();
    for (excerpts, holds) in [(Excerpts::Redacted, false), (Excerpts::Raw, true)] {
        let arguments = shown_arguments(&arguments, excerpts);
        assert_eq!(arguments.contains("sunshine"), holds, "{arguments}");
        assert!(arguments.contains("select 1"), "{arguments}");
        let output = shown_output(&output, excerpts);
        assert_eq!(output.contains("sunshine"), holds, "{output}");
    }
}
