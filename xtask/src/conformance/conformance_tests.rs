use super::*;

#[test]
fn a_binary_and_files_are_read() {
    let parse = crate::parsed::<Options>;
    assert_eq!(parse(&[]).unwrap(), Options::default());
    assert_eq!(
        parse(&["a.jsonl", "--binary=u", "b.jsonl"]).unwrap(),
        Options {
            binary: Some("u".into()),
            files: vec!["a.jsonl".into(), "b.jsonl".into()],
        }
    );
    assert!(parse(&["--preset"]).is_err());
}

#[test]
fn events_keep_their_text_and_get_a_session_of_the_case() {
    let row = r#"{"id":"a/b","preset":"x","events":[{"event":"call","args":{"b":1.0,"a":1e2}},{"swarm":"w","session":"s","event":"turn"}],"expect":[]}"#;
    let Vectors::Preset(cases) = Vectors::parse(row).unwrap() else {
        panic!("no preset case");
    };
    let lines: Vec<_> = cases[0].lines().collect();
    assert_eq!(
        lines,
        [
            r#"{"session":"a/b|default","event":"call","args":{"b":1.0,"a":1e2}}"#,
            r#"{"session":"a/b|s","swarm":"a/b|w","event":"turn"}"#,
        ]
    );
}

#[test]
fn a_bound_nobody_judges_is_refused() {
    let row = r#"{"id":"r","events":[{"event":"turn"}],"expect":{"deny_by":3}}"#;
    let error = Vectors::parse(row).unwrap_err();
    assert!(format!("{error:#}").contains("unknown field `deny_by`"));
}

#[test]
fn a_missing_required_file_is_named() {
    let files = default_files(Path::new("no-such-repository")).unwrap();
    assert_eq!(files.len(), REQUIRED.len());
    let error = check(Path::new("no-such-binary"), &files).unwrap_err();
    assert_eq!(
        error.to_string(),
        "not conformant: attocode.jsonl, attractor.jsonl, canonical.jsonl, ironcurtain.jsonl, \
         tool-loop-detector.jsonl"
    );
}

#[test]
fn an_empty_file_is_no_success() {
    let report = check_text(Path::new("no-such-binary"), "\n").unwrap();
    assert!(!report.is_green());
    assert_eq!(report.render("x"), "x: 0 passed, 0 failed\n  NOTE no cases");
}

#[test]
fn a_report_shows_notes_and_failures() {
    let mut report = Report::new(2);
    report.notes.push("exit code 1".into());
    report.failures.push(Failure {
        name: "b".into(),
        why: "event 0".into(),
    });
    assert_eq!(
        report.render("f.jsonl"),
        "f.jsonl: 1 passed, 1 failed\n  NOTE exit code 1\n  FAIL b: event 0"
    );
}
