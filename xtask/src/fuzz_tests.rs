use super::*;

fn parse(words: &[&str]) -> Result<Options, clap::Error> {
    crate::parsed(words)
}

#[test]
fn a_target_and_seconds_are_read() {
    assert_eq!(
        parse(&["event", "--seconds", "600"]).unwrap(),
        Options {
            target: Some("event".into()),
            seconds: 600
        }
    );
    assert_eq!(
        parse(&[]).unwrap(),
        Options {
            target: None,
            seconds: 60
        }
    );
}

#[test]
fn odd_arguments_are_refused() {
    assert!(parse(&["--seconds", "0"]).is_err());
    assert!(parse(&["--seconds", "soon"]).is_err());
    assert!(parse(&["one", "two"]).is_err());
}

#[test]
fn executions_are_found_in_the_final_statistics() {
    let log =
        "#2 INITED\nDone 77 runs in 1 second(s)\nstat::number_of_executed_units: 77\nstat::x: 1\n";
    assert_eq!(executions(log), Some(77));
    assert_eq!(executions("error: could not compile"), None);
}

#[test]
fn a_failed_run_without_a_file_is_still_a_finding() {
    let report = Report {
        target: "event".into(),
        executions: Some(5),
        findings: vec![],
        succeeded: false,
    };
    assert!(!report.is_clean());
    assert_eq!(report.render(), "event: 5 executions, FINDING");
}

#[test]
fn an_unknown_target_is_named_with_the_known_ones() {
    let all = vec!["canonical".to_owned(), "event".to_owned()];
    assert_eq!(select(all.clone(), Some("event")).unwrap(), ["event"]);
    let error = select(all, Some("evnt")).unwrap_err().to_string();
    assert_eq!(error, "no fuzz target `evnt`; there are: canonical, event");
}
