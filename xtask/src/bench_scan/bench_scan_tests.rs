use super::corpus::Session;
use super::*;

#[test]
fn options_have_defaults_and_are_checked() {
    let parse = crate::parsed::<Options>;
    let defaults = Options {
        megabytes: 1_000,
        runs: 3,
    };
    assert_eq!(parse(&[]).unwrap(), defaults);
    let small = Options {
        megabytes: 50,
        runs: 1,
    };
    assert_eq!(parse(&["--megabytes", "50", "--runs=1"]).unwrap(), small);
    assert!(parse(&["--runs", "0"]).is_err());
    assert!(parse(&["--megabytes", "many"]).is_err());
    assert!(parse(&["else"]).is_err());
}

#[test]
fn the_corpus_is_what_it_says_it_is() {
    let mut session = Session::new(1);
    let mut again = Session::new(1);
    let (mut calls, mut shell, mut results) = (0, 0, 0);
    for _ in 0..600 {
        let lines = session.work();
        assert_eq!(lines, again.work(), "the same every time");
        for line in lines.lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let content = &line["message"]["content"][0];
            match content["type"].as_str() {
                Some("tool_use") => {
                    calls += 1;
                    shell += usize::from(content["name"] == "Bash");
                }
                Some("tool_result") => results += 1,
                _ => assert_eq!(content["type"], "text"),
            }
        }
        let longest = lines.lines().map(str::len).max().unwrap_or(0);
        assert!((900..20_480).contains(&longest), "{longest}");
    }
    assert_eq!(calls, results);
    assert!(
        (calls / 4..calls / 2).contains(&shell),
        "{shell} of {calls}"
    );
}
