//! What is printed for people: rules, explanations, help, completions, manual.

use std::collections::BTreeSet;

use unstuck::RuleName;

use crate::run::{Place, Ran, finish};

#[test]
fn rules_are_listed_with_their_thresholds() {
    let place = Place::new("print-rules");
    let ran = place.run(&["rules", "--preset", "ironcurtain"]);
    let on = [
        ("stagnation", "nudge 3, halt 5"),
        ("stuck-outcome", "nudge 5, halt 8"),
        ("call-burst", "deny after 20 in 60 s"),
    ];
    let names = RuleName::ALL.iter().map(|rule| rule.as_str());
    let width = names.map(str::len).max().unwrap_or_default() + 2;
    let row = |name: &str, thresholds: &str, what: &str| {
        format!("{name:<width$}{thresholds:<23}{what}\n")
    };
    let rows: String = RuleName::ALL
        .iter()
        .map(|rule| {
            let name = rule.as_str();
            let thresholds = on.iter().find(|(known, _)| *known == name);
            row(
                name,
                thresholds.map_or("off", |(_, text)| *text),
                rule.summary(),
            )
        })
        .collect();
    let end = "
Thresholds are occurrences, the first included; `stagnation` and `stuck-outcome` count without it, `chant` counts findings.
An occurrence may weigh less or more than one: `unstuck explain RULE`.
preset ironcurtain: steps by approach and outcome; 20 identical calls in 60 s
";
    let head = row("RULE", "THRESHOLDS", "WHAT");
    assert_eq!(
        ran,
        Ran {
            code: Some(0),
            out: head + &rows + end,
            err: String::new(),
        }
    );
}

#[test]
fn rules_as_json_have_their_options() {
    let place = Place::new("print-rules-json");
    let ran = place.run(&["rules", "--format", "json"]);
    let rules: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        rules[2],
        serde_json::json!({
            "name": "cycle",
            "summary": "A sequence of calls goes round.",
            "enabled": true,
            "options": {
                "nudge": 3, "warning": "never", "critical": "never", "deny": 6, "halt": 8,
                "of": "steps", "shortest": 2, "longest": 16
            }
        })
    );
}

#[test]
fn a_rule_is_explained_with_its_options_in_effect() {
    let place = Place::new("print-explain");
    place.write_trusted("unstuck.toml", "[rules.summary-loop]\nnudge = 7\n");
    let ran = place.run(&["explain", "summary-loop"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.starts_with("summary-loop: "), "{}", ran.out);
    assert!(ran.out.contains("\nNot a loop when\n"), "{}", ran.out);
    let end = "
In effect here (preset standard)

  [rules.summary-loop]
  enabled = true
  nudge = 7
  warning = \"never\"
  critical = \"never\"
  deny = \"never\"
  halt = \"never\"
  count = \"after-work\"
";
    assert!(ran.out.ends_with(end), "{}", ran.out);
}

#[test]
fn an_unknown_rule_comes_with_a_suggestion_and_the_list() {
    let place = Place::new("print-unknown");
    let ran = place.run(&["explain", "exact_repeet"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.out, "");
    let start = "error: unknown rule `exact_repeet`; did you mean `exact-repeat`?\n\n  The rules are:\n    exact-repeat\n";
    assert!(ran.err.starts_with(start), "{}", ran.err);
}

#[test]
fn colours_are_for_terminals() {
    let place = Place::new("print-colours");
    for args in [&["rules"][..], &["explain", "cycle"], &["--help"]] {
        assert!(!place.run(args).out.contains('\x1b'), "{args:?}");
        let mut command = place.command(args);
        command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
        assert!(finish(command, b"").out.contains('\x1b'), "{args:?}");
    }
}

#[test]
fn every_shell_has_completions() {
    let place = Place::new("print-completions");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = place.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0), "{shell}");
        assert!(ran.out.contains("UNSTUCK_COMPLETE"), "{shell}: {}", ran.out);
    }
    let bash = place.run(&["completions", "bash"]).out;
    assert!(bash.contains("complete -o nospace"), "{bash}");
    assert!(bash.contains("unstuck"), "{bash}");
}

#[test]
fn the_manual_page_is_one() {
    let place = Place::new("print-man");
    let ran = place.run(&["man"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains(".TH unstuck 1"), "{}", ran.out);
}

#[test]
fn help_shows_examples() {
    let place = Place::new("print-help");
    for args in [
        &["--help"][..],
        &["check", "--help"],
        &["config", "check", "--help"],
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}");
        assert!(ran.out.contains("\nExamples:\n"), "{args:?}");
    }
    assert!(
        place
            .run(&["check", "--help"])
            .out
            .contains("| unstuck check\n")
    );
}

#[test]
fn an_unknown_preset_comes_with_a_suggestion() {
    let place = Place::new("print-preset");
    let ran = place.run(&["check", "--preset", "standart"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("'standard'"), "{}", ran.err);
}

#[test]
fn everything_is_generated_the_same_again() {
    let place = Place::new("print-generate");
    let read = |directory: &str| {
        let mut files = BTreeSet::new();
        collect(&place.path(directory), "", &mut files);
        files
    };
    for directory in ["one", "two"] {
        assert_eq!(place.run(&["generate", "--out", directory]).code, Some(0));
    }
    let files = read("one");
    assert_eq!(files, read("two"));
    let names: BTreeSet<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    for name in [
        "/schema/unstuck.schema.json",
        "/docs/config.md",
        "/docs/rules/README.md",
        "/docs/rules/exact-repeat.md",
        "/completions/unstuck.zsh",
        "/man/unstuck.1",
        "/man/unstuck-config-show.1",
    ] {
        assert!(names.contains(name), "{name}");
    }
    assert!(!names.contains("/man/unstuck-generate.1"));
}

fn collect(directory: &std::path::Path, name: &str, files: &mut BTreeSet<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let entry = entry.expect("an entry");
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, files);
        } else {
            files.insert((name, std::fs::read(entry.path()).expect("a file")));
        }
    }
}

/// What a shell offers where the cursor stands at the last word.
fn completed(place: &Place, words: &[&str]) -> Vec<String> {
    let mut command = place.command(&[&["--", "unstuck"], words].concat());
    command
        .env("UNSTUCK_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_COMPLETE_SPACE", "true")
        .env("_CLAP_IFS", "\n");
    let ran = finish(command, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out.lines().map(ToOwned::to_owned).collect()
}

#[test]
fn names_of_rules_formats_hosts_and_sessions_are_completed() {
    let place = Place::new("print-complete");
    crate::hook::stuck(&place, 2);
    for (words, wanted) in [
        (&["explain", ""][..], &["exact-repeat", "poll"][..]),
        (&["explain", "ex"], &["exact-repeat"]),
        (&["scan", "--agent", ""], &["claude-code", "codex", "atif"]),
        (&["scan", "--rule", ""], &["exact-repeat", "poll"]),
        (&["--"], &["--help", "--version"]),
        (&["install", ""], &["claude-code", "goose"]),
        (&["reset", ""], &["session-1"]),
        (&["allow", "--session", "ses"], &["session-1"]),
        (&["allow", ""], &["Bash"]),
        (&[""], &["scan", "tune", "init"]),
        (&["comp"], &["completions"]),
    ] {
        let offered = completed(&place, words);
        for wanted in wanted {
            assert!(
                offered.iter().any(|one| one == wanted),
                "{words:?}: {offered:?}"
            );
        }
    }
    assert_eq!(completed(&place, &["explain", "ex"]), ["exact-repeat"]);
    assert!(!completed(&place, &[""]).contains(&"generate".to_owned()));
    assert_eq!(completed(&place, &["ge"]), [""; 0]);
}

/// Lines of the help are pasted into a shell.
#[test]
fn the_example_of_a_hook_can_be_pasted() {
    let place = Place::new("print-paste");
    let mut command = place.command(&["hook", "--help"]);
    command.env("COLUMNS", "80");
    let help = finish(command, b"").out;
    let example = help.split("Try it by hand:\n").nth(1).expect("an example");
    let mut shell = std::process::Command::new("sh");
    let directory = crate::run::binary();
    let directory = directory.parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    shell
        .args(["-c", example])
        .env("PATH", format!("{}:{path}", directory.display()))
        .env("UNSTUCK_HOME", place.path("state"))
        .env("UNSTUCK_CONFIG_HOME", place.path("home"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let ran = finish(shell, b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{example}");
    assert!(
        place.run(&["sessions"]).out.contains("claude-code  s1"),
        "{ran:?}"
    );
}

#[test]
fn an_audit_that_is_not_there_is_no_broken_audit() {
    let place = Place::new("print-audit");
    let ran = place.run(&["audit", "verify", "nosuch"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: nosuch: no such file\n");
}
