use super::*;
use crate::event::Status;
use unstuck_json::Json;

#[test]
fn reads_of_one_file_are_recognised() {
    for command in [
        "cat a/b.c",
        " head -20 a/b.c ",
        "tail -f  a/b.c",
        "wc -l a/b.c",
    ] {
        assert_eq!(file_read(command), Some("a/b.c"), "{command}");
    }
    for command in [
        "cat a b",
        "head -n 20 a",
        "cat a | wc",
        "cat $A",
        "cat 'a'",
        "sed -n 1p a",
        "cat",
        "cat a -n",
    ] {
        assert_eq!(file_read(command), None, "{command}");
    }
}

fn outcome(output: &str, status: Status, exit_code: Option<i64>) -> Outcome {
    Outcome {
        status,
        exit_code,
        ..Outcome::ok("1", Json::string(output))
    }
}

#[test]
fn a_shell_may_take_its_command_as_words() {
    let args = Json::parse(r#"{"command":["bash","-lc","ls -la"]}"#).unwrap();
    let args = Args::new(args.view());
    assert_eq!(
        command("shell", &args, CompareCalls::Standard).as_deref(),
        Some("ls -la")
    );
    assert_eq!(command("bash", &args, CompareCalls::Primary), None);
    for (words, text) in [
        (
            r#"["git","commit","-m","a b"]"#,
            Some("git commit -m 'a b'"),
        ),
        ("[]", None),
    ] {
        let args = Json::parse(&format!(r#"{{"command":{words}}}"#)).unwrap();
        let args = Args::new(args.view());
        assert_eq!(
            command("shell", &args, CompareCalls::Standard).as_deref(),
            text
        );
    }
}

#[test]
fn no_is_an_exit_code_and_no_words_of_its_own() {
    for (output, code) in [
        ("", Some(1)),
        ("\n", Some(1)),
        ("(no output)", None),
        ("Exit code 1", None),
        ("<returncode>1</returncode>\n<output>\n</output>", Some(1)),
    ] {
        assert!(
            answers_no(&outcome(output, Status::Error, code)),
            "{output}"
        );
    }
    for (output, code) in [
        ("", Some(2)),
        ("grep: a: No such file", Some(1)),
        ("Exit code 2", None),
        ("Binary file matches", Some(1)),
    ] {
        assert!(
            !answers_no(&outcome(output, Status::Error, code)),
            "{output}"
        );
    }
}
