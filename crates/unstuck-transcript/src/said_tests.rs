use unstuck::{Json, Status};

use super::{result, wrapped_exit_code};

#[test]
fn exit_codes_are_found_where_hosts_write_them() {
    let cases = [
        ("Exit code 3\nno such file", Some(3)),
        (
            "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\n",
            Some(2),
        ),
        (
            "<returncode>127</returncode>\n<output>\n</output>",
            Some(127),
        ),
        (
            "Output: (empty)\nExit Code: 3\nProcess Group PGID: 18",
            Some(3),
        ),
        ("hello\n<shellId: 0 completed with exit code 1>\n", Some(1)),
        ("x\n[The command completed with exit code -1.]", Some(-1)),
        ("The manual says: Exit code 3 means trouble", None),
        ("all fine", None),
        ("Exit code unknown", None),
        ("", None),
    ];
    for (text, expected) in cases {
        assert_eq!(wrapped_exit_code(text), expected, "{text}");
    }
}

#[test]
fn refusals_are_told_from_failures() {
    let status = |text: &str| result("1", Status::Error, Some(Json::string(text).view())).status;
    assert_eq!(status("PreToolUse:Bash hook error: no"), Status::Denied);
    assert_eq!(status("Tool execution blocked: no"), Status::Denied);
    assert_eq!(
        status("[Request interrupted by user for tool use]"),
        Status::Cancelled
    );
    assert_eq!(status("No such file"), Status::Error);
}

#[test]
fn a_result_without_content_has_no_output() {
    let nothing = result("1", Status::Ok, None);
    assert_eq!((nothing.output, nothing.exit_code), (None, None));
}
