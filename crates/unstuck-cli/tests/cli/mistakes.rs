//! Command lines that cannot be used.

use crate::run::Place;

#[test]
fn words_that_only_look_alike_are_not_suggested() {
    let place = Place::new("mistakes-far");
    for (words, never) in [
        (&["install", "vscode"][..], "similar"),
        (&["version"], "sessions"),
        (&["update"], "audit"),
        (&["tune", "--until"], "--version"),
    ] {
        let ran = place.run(words);
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(!ran.err.contains(never), "{words:?}: {}", ran.err);
    }
}

#[test]
fn slips_of_the_pen_and_other_names_are_recognised() {
    let place = Place::new("mistakes-near");
    for (words, tip) in [
        (&["scann"][..], "'scan'"),
        (&["install", "claude-cod"], "'claude-code'"),
        (&["scan", "--sinc", "7d"], "'--since'"),
        (&["version"], "unstuck --version"),
        (&["top", "--interval", "1x"], "such as 500ms"),
        (
            &["mcp", "--audit-rotate", "lots", "--", "cat"],
            "such as 64MiB",
        ),
    ] {
        let ran = place.run(words);
        assert_eq!(ran.code, Some(2), "{words:?}");
        assert!(ran.err.contains(tip), "{words:?}: {}", ran.err);
    }
}
