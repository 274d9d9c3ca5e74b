//! Configuration files, and `unstuck config`.

use crate::run::{Place, Ran, repeats};

#[test]
fn a_bad_configuration_is_refused_before_any_event() {
    let place = Place::new("config-refused");
    place.write("bad.toml", "[rules.exact-repeat]\nnudg = 3\n");
    let args = ["check", "--config", "bad.toml"];
    let ran = place.run_with(&args, repeats(3).as_bytes());
    assert_eq!(
        ran,
        Ran {
            code: Some(2),
            out: String::new(),
            err: "\
error: unknown key `nudg` in `rules.exact-repeat`
 --> bad.toml:2:1
  |
2 | nudg = 3
  | ^^^^
  = help: did you mean `nudge`?
"
            .into(),
        }
    );
}

#[test]
fn files_win_in_their_order() {
    let place = Place::new("config-order");
    place
        .write(
            "home/unstuck.toml",
            "[rules.exact-repeat]\nnudge = 2\nhalt = 20\n",
        )
        .write_trusted(
            "unstuck.toml",
            "[rules.exact-repeat]\nnudge = 3\ndeny = 19\n",
        )
        .write("other.toml", "[rules.exact-repeat]\nnudge = 4\n");
    let rungs = |args: &[&str]| {
        let rules = place.run(&[&["rules"], args].concat()).out;
        let line = rules
            .lines()
            .find(|line| line.starts_with("exact-repeat"))
            .expect("a line");
        line.split_once("  The same")
            .expect("a summary")
            .0
            .trim_end()
            .to_owned()
    };
    assert_eq!(rungs(&[]), "exact-repeat     nudge 3, deny 19, halt 20");
    assert_eq!(
        rungs(&["--config", "other.toml"]),
        "exact-repeat     nudge 4, deny 19, halt 20"
    );
    assert_eq!(
        rungs(&["--no-config"]),
        "exact-repeat     nudge 3, deny 6, halt 9"
    );
    assert_eq!(
        rungs(&["--no-config", "--config", "other.toml"]),
        "exact-repeat     nudge 4, deny 6, halt 9"
    );
}

#[test]
fn the_project_may_be_above() {
    let place = Place::new("config-above");
    place
        .write_trusted("unstuck.toml", "mode = \"observe\"\n")
        .write("a/b/c", "");
    let mut command = place.command(&["config", "show"]);
    command.current_dir(place.path("a/b"));
    let ran = crate::run::finish(command, b"");
    assert!(ran.out.contains("mode = \"observe\"\n"), "{}", ran.out);
}

#[test]
fn warnings_are_told_once_and_events_are_judged() {
    let place = Place::new("config-warnings");
    place.write_trusted("unstuck.toml", "[rules.exact-repeat]\ndeny = 9\n");
    let ran = place.run_with(&["check"], repeats(3).as_bytes());
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.verdicts().last().map(String::as_str), Some("nudge"));
    assert_eq!(
        ran.err,
        "\
warning: `rules.exact-repeat.deny`: `deny = 9` can never be reached, because `halt = 9` comes first or with it
 --> unstuck.toml:2:1
  |
2 | deny = 9
  | ^^^^

"
    );
}

#[test]
fn check_says_what_was_read() {
    let place = Place::new("config-check");
    assert_eq!(
        place.run(&["config", "check"]),
        Ran {
            code: Some(0),
            out: format!(
                "no configuration file: the preset is used as it is\nwrite {} to change that, or unstuck.toml in a project and trust it\nall is well\n",
                place.path("home/unstuck.toml").display()
            ),
            err: String::new(),
        }
    );
    place.write_trusted("unstuck.toml", "mode = \"observe\"\n");
    assert_eq!(
        place.run(&["config", "check"]).out,
        "read unstuck.toml (project)\nall is well\n"
    );
    place.write("bad.toml", "mode = observe\n");
    assert_eq!(
        place.run(&["config", "check", "bad.toml"]),
        Ran {
            code: Some(2),
            out: "\
read bad.toml (command line)

error: this is not TOML: string values must be quoted, expected literal string
 --> bad.toml:1:8
  |
1 | mode = observe
  |        ^^^^^^^
  = help: strings stand in quotes: \"observe\"

1 error
"
            .into(),
            err: String::new(),
        }
    );
}

#[test]
fn a_file_that_is_not_there_is_an_error_only_where_it_was_asked_for() {
    let place = Place::new("config-missing");
    let ran = place.run(&["check", "--config", "missing.toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .starts_with("error: cannot read the configuration missing.toml: "),
        "{}",
        ran.err
    );
}

#[test]
fn a_file_that_is_not_utf_8_is_pointed_at() {
    let place = Place::new("config-utf8");
    place.write("bad.toml", b"mode = \"off\"\nsecret = \"\xe9\"\n");
    let ran = place.run(&["check", "--config", "bad.toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("error: the file is not UTF-8\n --> bad.toml:2:11\n"),
        "{}",
        ran.err
    );
}

#[test]
fn show_names_its_sources_and_hides_the_secret() {
    let place = Place::new("config-show");
    place
        .write_trusted("unstuck.toml", "secret = \"hush\"\n")
        .write("other.toml", "preset = \"attractor\"\n");
    let ran = place.run(&["config", "show", "--config", "other.toml"]);
    let start = "\
# Settings in effect. Later lines win over earlier ones:
# - preset attractor
# - unstuck.toml (project)
# - other.toml (command line)

preset = \"attractor\"
mode = \"enforce\"
attendance = \"unattended\"
# `secret` is set and not shown.
";
    assert!(ran.out.starts_with(start), "{}", ran.out);
    assert!(!ran.out.contains("hush"));
    // A file made of it leaves the secret that another file sets as it is.
    assert!(!ran.out.contains("\nsecret ="));
}

#[test]
fn what_show_prints_is_a_configuration() {
    let place = Place::new("config-again");
    let shown = place.run(&["config", "show", "--preset", "attocode"]).out;
    place.write("again.toml", &shown);
    let again = place.run(&["config", "show", "--config", "again.toml"]).out;
    let body = |text: &str| text.split_once("\n\n").expect("a header").1.to_owned();
    assert_eq!(body(&again), body(&shown));
}

#[test]
fn one_file_counts_once() {
    let place = Place::new("config-once");
    place.write("unstuck.toml", "[[tools]]\ntool = \"a\"\n");
    let ran = place.run(&["config", "check", "--config", "./unstuck.toml"]);
    assert_eq!(ran.out, "read ./unstuck.toml (command line)\nall is well\n");
}

#[test]
fn the_schema_is_json() {
    let place = Place::new("config-schema");
    let ran = place.run(&["config", "schema"]);
    let schema: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(schema["title"], "unstuck.toml");
}

#[test]
fn tool_patterns_in_the_syntax_of_other_programs_are_warned_of() {
    let place = Place::new("config-foreign");
    for (pattern, help) in [
        ("{bash,sh}", "write one `[[tools]]` entry for each name"),
        ("bash|sh", "write one `[[tools]]` entry for each name"),
        ("mcp__.*", "write `mcp__*`"),
        ("Bash(npm test)", "write `Bash`"),
        ("[abc", "no character classes"),
    ] {
        place.write(
            "a.toml",
            format!("[[tools]]\ntool = \"{pattern}\"\nexempt = true\n"),
        );
        let ran = place.run(&["config", "check", "a.toml"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let all = ran.out + &ran.err;
        assert!(all.contains("warning: the pattern"), "{pattern}: {all}");
        assert!(all.contains("a.toml:2:8"), "{pattern}: {all}");
        assert!(all.contains(help), "{pattern}: {all}");
    }
}

#[test]
fn mistakes_about_the_form_of_a_file_are_explained() {
    let place = Place::new("config-form");
    for (text, help) in [
        (
            "[rules.cycle]\nnudge = 3\ndeny = 5\nnudge = 4\n",
            "the first one is on line 2: nudge = 3",
        ),
        (
            "[rules.cycle]\nnudge = 3\n[rules.poll]\nnudge = 9\n[rules.cycle]\ndeny = 5\n",
            "the first one is on line 1: [rules.cycle]",
        ),
        (
            "[[rules]]\nname = \"cycle\"\n",
            "such as `[rules.exact-repeat]`",
        ),
        ("[[rules.cycle]]\nnudge = 3\n", "write `[rules.cycle]`"),
        ("preset = \"strict\"\n", "not levels of strictness"),
        ("[memory]\ncalls = 0\n", "a whole number from 1 to 16384"),
    ] {
        place.write("a.toml", text);
        let ran = place.run(&["config", "check", "a.toml"]);
        assert_eq!(ran.code, Some(2), "{text}: {ran:?}");
        let all = ran.out + &ran.err;
        assert!(all.contains(help), "{text}: {all}");
    }
}
