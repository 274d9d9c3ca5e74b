use super::*;

#[test]
fn exit_codes_are_read_where_hosts_put_them() {
    assert_eq!(leading("Exit code 3\nboom"), Some(3));
    assert_eq!(leading("the Exit code 3"), None);
    let report = |output: &str, code| {
        Some(Report {
            output: Json::string(output),
            exit_code: Some(code),
        })
    };
    let text = "x\n<shellId: 1 completed with exit code 3>";
    assert_eq!(trailing(text), report("x", 3));
    assert_eq!(trailing("<exited with exit code -1>\n"), report("", -1));
    assert_eq!(trailing("done with exit code 3"), None);
    assert_eq!(trailing(""), None);
}

#[test]
fn a_labelled_report_loses_its_wrapping() {
    let text = "<untrusted_context>\nOutput: one\ntwo: 2\nExit Code: 3\nProcess Group PGID: 18055\n</untrusted_context>";
    assert_eq!(
        labelled(text),
        Some(Report {
            output: Json::string("one\ntwo: 2"),
            exit_code: Some(3),
        })
    );
    let text = "Command: exit 3\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 3\nSignal: (none)\nProcess Group PGID: (none)";
    assert_eq!(
        labelled(text),
        Some(Report {
            output: Json::string(""),
            exit_code: Some(3),
        })
    );
    assert_eq!(labelled("File not found: /x"), None);
    assert_eq!(labelled(""), None);
}
