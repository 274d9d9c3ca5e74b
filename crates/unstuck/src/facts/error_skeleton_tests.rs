use super::*;
use unstuck_json::Json;

fn complaint(output: &str) -> Option<Mark> {
    let line = super::complaint("edit", Json::string(output).view());
    line.map(|line| line.about)
}

#[test]
fn names_tell_one_error_of_a_kind_from_another() {
    let particular = |output: &str| {
        let line = super::complaint("run", Json::string(output).view());
        line.unwrap().particular
    };
    let error = "a.c:12:5: error: unknown type name 'size3'";
    assert_eq!(
        particular(error),
        particular("a.c:345:17: error: unknown type name 'size3'")
    );
    assert_ne!(
        particular(error),
        particular("a.c:12:5: error: unknown type name 'size4'")
    );
}

#[test]
fn names_paths_and_numbers_are_particulars() {
    for (one, other) in [
        ("No such file: 'a.txt'", "No such file: 'b.txt'"),
        (
            "ERROR:\nNo replacement was performed, old_str `x = 1` did not appear verbatim in /a/b.py.",
            "ERROR:\nNo replacement was performed, old_str `def f():\n    pass` did not appear verbatim in /c.py.",
        ),
        (
            "python3: can't open file '/w/a.py': [Errno 2] No such file or directory",
            "python3: can't open file '/w/b/c.py': [Errno 2] No such file or directory",
        ),
        ("Error: line 12 is out of range", "line 345 is out of range"),
        (
            "<returncode>1</returncode>\n<output>\nTraceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'\n",
            "python a.py\r\nTraceback (most recent call last):\r\n  File \"b.py\", line 22, in <module>\r\n    f()\r\nKeyError: 'y'\r\n",
        ),
    ] {
        assert_eq!(complaint(one), complaint(other), "{one:?} and {other:?}");
        assert!(complaint(one).is_some(), "{one:?}");
    }
}

#[test]
fn what_went_wrong_is_told_apart() {
    let complaints = [
        "No such file: 'a.txt'",
        "Permission denied: 'a.txt'",
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'",
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: 'x'",
        "No replacement was performed. Multiple occurrences of old_str",
        "No replacement was performed, old_str `x` did not appear",
    ];
    for (at, one) in complaints.iter().enumerate() {
        for other in &complaints[..at] {
            assert_ne!(complaint(one), complaint(other), "{one:?} and {other:?}");
        }
    }
}

#[test]
fn the_tool_is_part_of_it() {
    let output = Json::string("No such file");
    assert_ne!(
        super::complaint("read", output.view()),
        super::complaint("write", output.view())
    );
}

#[test]
fn an_exit_without_a_word_complains_of_nothing() {
    for silent in [
        "",
        "  \n ",
        "<returncode>1</returncode>\n<output>\n</output>",
        "\n[Interpreter: /usr/bin/python]\n[Command finished with exit code 1]",
        "1",
        "---",
    ] {
        assert_eq!(complaint(silent), None, "{silent:?}");
    }
    for value in ["null", "1", "{}", "[]", r#"{"code":2}"#] {
        let value = Json::parse(value).unwrap();
        assert_eq!(super::complaint("edit", value.view()), None);
    }
}

#[test]
fn the_message_is_found_inside_an_object() {
    let plain = complaint("No such file: 'a'");
    for wrapped in [
        r#"{"error":"No such file: 'b'"}"#,
        r#"{"error":{"code":404,"message":"No such file: 'b'"}}"#,
        r#"{"content":[{"text":"No such file: 'b'","type":"text"}],"isError":true}"#,
        r#"[{"type":"text","text":"Error: No such file: 'b'"}]"#,
    ] {
        let value = Json::parse(wrapped).unwrap();
        assert_eq!(
            super::complaint("edit", value.view()).map(|line| line.about),
            plain,
            "{wrapped}"
        );
    }
}

#[test]
fn any_text_has_a_bounded_skeleton() {
    for text in [
        "'".repeat(100_000),
        "/".repeat(100_000),
        "ä".repeat(100_000),
        "Traceback (most recent call last)\n".repeat(10_000),
        format!("{}{}", "x".repeat(LOOKED_AT - 1), "ä"),
    ] {
        complaint(&text);
        let skeleton = skeleton(&text).unwrap();
        assert!(skeleton.len() <= LONGEST + 4, "{}", skeleton.len());
    }
}

#[test]
fn a_path_is_found_behind_a_word_that_is_not_one() {
    for (line, expected) in [
        ("open-(a-b) /etc/x-y failed", "open-(a-b) / failed"),
        ("(a)b/c d", "/ d"),
        ("a-b-'c'/d e/f", "a-b-\"/ /"),
        ("-- -/ --", "-- / --"),
    ] {
        assert_eq!(skeleton(line).as_deref(), Some(expected), "{line}");
    }
}
