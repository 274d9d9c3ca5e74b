use super::*;

fn parse(words: &[&str]) -> Result<Options, clap::Error> {
    crate::parsed(words)
}

#[test]
fn a_baseline_and_what_to_compare_it_with_are_parsed() {
    let options = parse(&[
        "HEAD~1",
        "--with=target/x",
        "--corpus",
        "a.jsonl.xz",
        "--corpus",
        "b.jsonl",
        "--preset",
        "standard,attocode",
        "--only",
        "fuzz",
        "--only",
        "corpus",
        "--allow",
        "list",
    ])
    .unwrap();
    let expected = Options {
        baseline: "HEAD~1".to_owned(),
        with: Some("target/x".to_owned()),
        corpus: vec!["a.jsonl.xz".into(), "b.jsonl".into()],
        presets: vec!["standard", "attocode"],
        only: vec![Kind::Fuzz, Kind::Corpus],
        allow: Some("list".into()),
    };
    assert_eq!(options, expected);
    let all = parse(&["HEAD"]).unwrap();
    assert_eq!(all.presets(), PRESETS);
    assert!(Kind::ALL.into_iter().all(|kind| all.wants(kind)));
}

#[test]
fn what_is_missing_or_unknown_is_named() {
    let error = |words: &[&str]| parse(words).unwrap_err().to_string();
    assert!(error(&[]).contains("<BASELINE>"));
    assert!(error(&["HEAD", "--only", "x"]).contains("there are: vec"));
    assert!(error(&["HEAD", "--preset", "x"]).contains("there are: standard"));
    assert!(error(&["HEAD", "other"]).contains("unexpected argument 'other'"));
    let shell = Shell::at_repository_root().unwrap();
    let no_corpus = run(&shell, &parse(&["HEAD", "--only", "corpus"]).unwrap());
    assert!(no_corpus.unwrap_err().to_string().contains("--corpus FILE"));
}

#[test]
fn the_presets_are_those_of_the_schema() {
    let shell = Shell::at_repository_root().unwrap();
    let schema = fs::read_to_string(shell.root().join("schema/unstuck.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let text = schema["$defs"]["Preset"].to_string();
    let known = text.matches("\"const\":").count();
    assert_eq!(known, PRESETS.len(), "{text}");
    for preset in PRESETS {
        assert!(text.contains(&format!("\"{preset}\"")), "{preset}: {text}");
    }
}

#[test]
fn what_is_neither_a_file_nor_a_commit_is_named() {
    let shell = Shell::at_repository_root().unwrap();
    let error = Program::find(&shell, Path::new("."), "no-such-thing").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`no-such-thing` is neither a file nor a commit of this repository"
    );
}

#[cfg(unix)]
mod programs {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use super::*;

    /// A directory of one test, removed at its end.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("unstuck-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        /// A program that answers each line of its input, by a script for the tool awk.
        fn program(&self, name: &str, script: &str) -> Program {
            let path = self.0.join(name);
            fs::write(&path, format!("#!/bin/sh\nawk '{script}'\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            // A process that another test starts at this moment holds the file open until it has begun.
            let is_busy = || {
                let ran = Command::new(&path).stdin(Stdio::null()).output();
                ran.is_err_and(|error| error.kind() == io::ErrorKind::ExecutableFileBusy)
            };
            while is_busy() {
                thread::sleep(Duration::from_millis(5));
            }
            Program::new(name.to_owned(), path)
        }

        fn stream(&self, events: u64) -> Stream {
            let path = self.0.join("events.jsonl");
            let lines: Vec<_> = (1..=events).map(|n| format!("{{\"n\":{n}}}\n")).collect();
            fs::write(&path, lines.concat()).unwrap();
            Stream {
                kind: Kind::Cases,
                name: "made".to_owned(),
                path,
                events,
            }
        }

        fn comparison(&self, baseline: &str, other: &str) -> Comparison<'static> {
            let baseline = self.program("baseline", baseline);
            let other = self.program("other", other);
            Comparison {
                modes: Mode::all(&self.0, other.restarts).unwrap(),
                baseline,
                other,
                presets: &PRESETS[..2],
                allowed: Allowed::default(),
            }
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const ANSWER: &str = r#"{ print "{\"line\":" NR ",\"level\":0}" }"#;
    /// Another level at line 700 and 800.
    const ODD: &str =
        r#"{ print "{\"line\":" NR ",\"level\":" (NR == 700 || NR == 800 ? 1 : 0) "}" }"#;

    #[test]
    fn two_programs_that_differ_in_a_line_are_told_apart() {
        let place = Place::new("same-differ");
        let streams = [place.stream(1_000)];
        let comparison = place.comparison(ANSWER, ODD);
        let table = comparison.compare(&streams).unwrap();
        // Two presets, four modes, two lines.
        assert_eq!(table.differences(), 16);
        let replay = Replay {
            stream: &streams[0],
            preset: "standard",
            mode: &comparison.modes[1],
        };
        let Comparison {
            baseline,
            other,
            allowed,
            ..
        } = &comparison;
        let outcome = replay.run(baseline, other, allowed).unwrap();
        assert_eq!((outcome.decisions, outcome.differences), (1_000, 2));
        let text = report::first_difference(&replay, &outcome, &comparison);
        let text = text.unwrap().unwrap();
        for part in [
            "DIFFERENT cases/made standard observed\n",
            "line      700\n",
            "event     {\"n\":700}\n",
            "baseline  {\"line\":700,\"level\":0}\n",
            "other     {\"line\":700,\"level\":1}\n",
            "field     level: 0 -> 1\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(comparison.run(&streams).unwrap(), ExitCode::FAILURE);
    }

    #[test]
    fn two_programs_that_answer_the_same_are_equal() {
        let place = Place::new("same-equal");
        let comparison = place.comparison(ANSWER, ANSWER);
        let code = comparison.run(&[place.stream(300)]).unwrap();
        assert_eq!(code, ExitCode::SUCCESS);
    }

    #[test]
    fn one_program_under_two_names_is_refused() {
        let place = Place::new("same-bytes");
        let [one, copy, other] = [("one", ANSWER), ("copy", ANSWER), ("other", ODD)]
            .map(|(name, script)| place.program(name, script));
        program::refuse_equal(&one, &other).unwrap();
        let error = program::refuse_equal(&one, &copy).unwrap_err().to_string();
        assert!(error.starts_with("one and copy are the same program, byte for byte"));
    }

    #[test]
    fn programs_that_both_leave_events_unanswered_are_not_the_same() {
        let place = Place::new("same-silent");
        let silent = "{ }";
        let comparison = place.comparison(silent, silent);
        let table = comparison.compare(&[place.stream(10)]).unwrap();
        assert_eq!(table.differences(), 8);
    }

    #[test]
    fn the_end_of_a_program_is_compared() {
        let place = Place::new("same-ends");
        let failing = format!("{ANSWER} END {{ print \"no\" > \"/dev/stderr\"; exit 3 }}");
        let comparison = place.comparison(ANSWER, &failing);
        let stream = place.stream(10);
        let replay = Replay {
            stream: &stream,
            preset: "standard",
            mode: &comparison.modes[0],
        };
        let outcome = replay
            .run(&comparison.baseline, &comparison.other, &comparison.allowed)
            .unwrap();
        assert_eq!(outcome.differences, 1);
        assert_eq!(
            outcome.faults,
            [
                "baseline ended with exit status: 0, other with exit status: 3",
                "other reported: no"
            ]
        );
    }
}
