//! `--format`, `--output`, `--quiet`, `--verbose` and `--color`: the same for every command.

use serde_json::Value;

use crate::run::{Place, Ran, finish, repeats};

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place
        .write("runs/a.jsonl", repeats(12))
        .write("p.cedar", "permit (principal, action, resource);\n")
        .write("unstuck.toml", "");
    place
}

/// Commands that print a result for people or for programs.
const COMMANDS: [&[&str]; 13] = [
    &["scan", "runs"],
    &["tune", "runs"],
    &["top", "--once"],
    &["rules"],
    &["explain", "exact-repeat"],
    &["sessions"],
    &["status"],
    &["doctor"],
    &["config", "check"],
    &["config", "show"],
    &["config", "path"],
    &["policy", "check", "p.cedar"],
    &["policy", "check", "p.cedar", "--tool", "db/delete"],
];

fn at_home(place: &Place, words: &[&str]) -> Ran {
    place.run_at_home("home", words)
}

#[test]
fn a_format_says_what_and_a_file_says_where() {
    let place = place("output-everywhere");
    for words in COMMANDS {
        let ran = at_home(&place, &[words, &["--format", "json"]].concat());
        let printed: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let ran = at_home(
            &place,
            &[words, &["--format", "json", "-o", "out.json"]].concat(),
        );
        assert_eq!(ran.out, "", "{words:?}");
        assert!(ran.err.contains("wrote out.json\n"), "{words:?}: {ran:?}");
        let written: Value = serde_json::from_str(&place.read("out.json")).expect("JSON");
        let keys = |value: &Value| {
            value
                .as_object()
                .map(|map| map.keys().cloned().collect::<Vec<_>>())
        };
        assert_eq!(keys(&written), keys(&printed), "{words:?}");
        let ran = at_home(&place, &[words, &["--output", "out.txt"]].concat());
        assert_eq!(ran.out, "", "{words:?}");
        let text = place.read("out.txt");
        assert!(
            !text.is_empty() && !text.contains('\u{1b}'),
            "{words:?}: {text}"
        );
    }
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_a_file_of_results() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place("output-private");
    assert_eq!(place.run(&["rules", "-o", "out.txt"]).code, Some(0));
    let found = std::fs::metadata(place.path("out.txt")).expect("a file");
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
    let ran = place.run(&["rules", "-o", "nowhere/out.txt"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("there is no directory nowhere"),
        "{}",
        ran.err
    );
    let ran = place.run(&["rules", "-o", "/dev/stdout"]);
    assert!(ran.out.contains("exact-repeat"), "{ran:?}");
}

#[test]
fn old_spellings_work_and_name_the_new_ones() {
    let place = place("output-old");
    for (old, new) in [
        (&["rules", "--json"][..], "--format json"),
        (&["sessions", "--json"], "--format json"),
        (&["scan", "runs", "--output", "json"], "--format json"),
        (&["tune", "runs", "--output", "json"], "--format json"),
    ] {
        let ran = place.run(old);
        assert!(ran.err.contains("note:"), "{old:?}: {ran:?}");
        assert!(ran.err.contains(new), "{old:?}: {ran:?}");
        serde_json::from_str::<Value>(&ran.out).expect("JSON");
        let quiet = place.run(&[&["-q"], old].concat());
        assert!(!quiet.err.contains("note:"), "{quiet:?}");
    }
    let ran = place.run(&["scan", "runs", "--out", "report.json"]);
    assert!(ran.err.contains("--out is now --output"), "{ran:?}");
    serde_json::from_str::<Value>(&place.read("report.json")).expect("JSON");
    let ran = place.run(&["scan", "runs", "--output", "json", "--out", "old.txt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str::<Value>(&place.read("old.txt")).expect("JSON");
}

#[test]
fn a_file_can_have_the_name_of_a_format() {
    let place = place("output-names");
    let ran = place.run(&["rules", "-o", "./json"]);
    assert_eq!(ran.err, "wrote ./json\n");
    assert!(place.read("json").contains("exact-repeat"));
    let ran = place.run(&["rules", "--format", "text", "-o", "text"]);
    assert_eq!(ran.err, "wrote text\n");
}

#[test]
fn quiet_leaves_results_and_errors() {
    let place = place("output-quiet");
    place.write(
        "home/unstuck.toml",
        "[[tools]]\ntool = \"mcp__.*\"\nexempt = true\n",
    );
    let loud = place.run(&["rules"]);
    assert!(loud.err.contains("warning"), "{loud:?}");
    for words in [&["-q", "rules"][..], &["rules", "--quiet"]] {
        let quiet = place.run(words);
        assert_eq!((&*quiet.err, &quiet.out), ("", &loud.out), "{words:?}");
    }
    let ran = place.run(&["explain", "nothing", "-q"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("error:"), "{ran:?}");
    let ran = place.as_person(&["mode", "off", "-q"]);
    assert_eq!((&*ran.out, &*ran.err), ("", ""));
    assert_eq!(place.run(&["mode", "-q"]).out, "off (by `unstuck mode`)\n");
    let ran = place.run(&["rules", "-q", "-v"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn verbose_names_what_was_read() {
    let place = place("output-verbose");
    place.write("home/unstuck.toml", "preset = \"attocode\"\n");
    for words in [&["rules", "-v"][..], &["--verbose", "explain", "cycle"]] {
        let ran = place.run(words);
        assert!(ran.err.contains("settings: preset attocode"), "{ran:?}");
        assert!(ran.err.contains("unstuck.toml (user)"), "{ran:?}");
    }
    assert!(place.run(&["sessions", "-v"]).err.starts_with("state: "));
    assert_eq!(place.run(&["rules"]).err, "");
}

#[test]
fn colours_are_as_asked_for() {
    let place = place("output-colours");
    let has_colour = |words: &[&str], no_color: bool| {
        let mut command = place.command(words);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let ran = finish(command, b"");
        ran.out.contains('\u{1b}') || ran.err.contains('\u{1b}')
    };
    for words in [
        &["rules"][..],
        &["scan", "runs"],
        &["config", "check"],
        &["explain", "cycle"],
        &["--help"],
        &["scan", "--no-such-option"],
    ] {
        // A pipe has no colours of its own.
        assert!(!has_colour(words, false), "{words:?}");
        let always = [&["--color", "always"], words].concat();
        assert!(has_colour(&always, false), "{words:?}");
        assert!(has_colour(&always, true), "{words:?}");
        let never = [&["--color=never"], words].concat();
        assert!(!has_colour(&never, true), "{words:?}");
    }
    place.run(&["rules", "-o", "plain.txt"]);
    assert!(!place.read("plain.txt").contains('\u{1b}'));
    place.run(&["rules", "-o", "coloured.txt", "--color", "always"]);
    assert!(place.read("coloured.txt").contains('\u{1b}'));
    assert!(!has_colour(
        &["rules", "--format", "json", "--color", "always"],
        false
    ));
}

#[test]
fn sizes_and_times_have_units() {
    let place = place("output-units");
    let ran = place.run(&["mcp", "--help"]);
    for shown in ["64MiB", "192MiB", "30m", "10s"] {
        assert!(ran.out.contains(&format!("[default: {shown}]")), "{shown}");
    }
    let arguments = "{\"text\":\"a long text that policies would have to read\"}";
    let allowed = |size: &str| {
        let ran = place.run(&[
            "policy",
            "check",
            "limit.cedar",
            "--tool",
            "db/put",
            "--arguments",
            arguments,
            "--max-policy-arguments",
            size,
        ]);
        ran.code == Some(0)
    };
    place.write(
        "limit.cedar",
        "permit (principal, action, resource) when { context.arguments.text != \"\" };\n",
    );
    for size in ["64KiB", "65536", "1.5k", "0.001GB"] {
        assert!(allowed(size), "{size}");
    }
    assert!(!allowed("32"));
    assert!(!allowed("32b"));
}

#[test]
fn help_lists_commands_in_groups_and_hides_the_plumbing() {
    let place = place("output-help");
    let help = place.run(&["--help"]).out;
    let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text}: {help}"));
    let order = [
        "Find loops:",
        "  scan ",
        "  tune ",
        "Guard agents:",
        "  init ",
        "  check ",
        "Guard MCP servers:",
        "  mcp ",
        "Rules and settings:",
        "  config ",
        "Run by other programs: hook",
        "Options:",
        "--color",
        "Examples:",
    ];
    assert!(order.is_sorted_by_key(|text| at(text)), "{help}");
    for hidden in [
        "\n  hook ",
        "\n  man ",
        "\n  completions ",
        "\n  generate ",
        "\n  statusline ",
    ] {
        assert!(!help.contains(hidden), "{hidden}");
    }
    for plumbing in ["hook", "man", "completions", "statusline"] {
        let ran = place.run(&["help", plumbing]);
        assert_eq!(ran.code, Some(0), "{plumbing}");
        assert!(ran.out.contains("Examples:"), "{plumbing}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let place = place("output-man");
    let page = place.run(&["man"]).out;
    assert!(page.contains(".TH unstuck 1"), "{page}");
    for words in [&["man"][..], &["man", "audit"]] {
        let page = place.run(words).out;
        assert!(!page.contains("\\-help(1)"), "{page}");
    }
    let page = place.run(&["man", "audit", "export", "-o", "page.1"]);
    assert_eq!(page.code, Some(0), "{page:?}");
    assert!(place.read("page.1").contains("unstuck\\-audit\\-export"));
    assert_eq!(place.run(&["man", "nothing"]).code, Some(2));
}

#[test]
fn the_schema_of_a_report_is_found_by_the_name_in_it() {
    let place = place("output-schema");
    for format in ["json", "jsonl"] {
        let ran = place.run(&["scan", "runs", "--format", format]);
        let first = match format {
            "jsonl" => ran.answers()[0]["unstuck"].clone(),
            _ => serde_json::from_str(&ran.out).expect("JSON"),
        };
        let name = first["$schema"].as_str().expect("a name").to_owned();
        let ran = place.run(&["schema", &name, "-o", "s.json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let schema: Value = serde_json::from_str(&place.read("s.json")).expect("JSON");
        assert_eq!(schema["$id"], *name);
    }
}

#[test]
fn the_exit_code_does_not_depend_on_how_much_of_the_report_is_read() {
    let place = place("output-closed-pipe");
    let mut command = place.command(&["scan", "runs", "--fail-on", "nudge", "--quiet"]);
    let mut child = command.spawn().expect("the command starts");
    drop(child.stdout.take());
    let status = child.wait().expect("the command ends");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn a_number_that_cannot_be_is_refused_in_plain_words() {
    let ran = place("output-jobs").run(&["scan", "runs", "--jobs", "0"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("write a number from 1 to 65535"),
        "{ran:?}"
    );
}
