//! `unstuck status`, `sessions`, `reset`, `allow`, `mode`: the person's side.

use crate::{
    hook::{hook, post, pre, stuck},
    run::{Place, finish},
};

#[test]
fn nothing_was_seen_yet() {
    let place = Place::new("watching-empty");
    assert!(
        place
            .run(&["sessions"])
            .out
            .contains("no agent has been seen yet")
    );
    let status = place.run(&["status"]);
    assert_eq!(status.code, Some(0), "{}", status.err);
    assert!(status.out.contains("0 seen, 0 halted"), "{}", status.out);
    assert_eq!(
        place.run(&["sessions", "--format", "json"]).out.trim(),
        "[]"
    );
}

#[test]
fn a_halted_agent_is_shown_and_let_go_on_with_one_command() {
    let place = Place::new("watching-reset");
    stuck(&place, 9);
    let status = place.run(&["status"]).out;
    assert!(status.contains("1 seen, 1 halted"), "{status}");
    assert!(
        status.contains("halt: exact-repeat (9x) Bash make"),
        "{status}"
    );
    assert!(
        status.contains("continue with: unstuck reset session-1"),
        "{status}"
    );
    let reset = place.as_person(&["reset", "session-1"]);
    assert_eq!(reset.code, Some(0), "{}", reset.err);
    assert_eq!(hook(&place, "claude-code", &pre("x", "make")).out, "");
    assert!(place.run(&["status"]).out.contains("1 seen, 0 halted"));
}

/// `top`, `status` and `sessions` have one word for the state of an agent.
#[cfg(unix)]
#[test]
fn after_a_reset_every_command_says_that_the_agent_is_ok() {
    let place = Place::new("watching-agree");
    let agree = |word: &str| {
        let sessions = place.run(&["sessions"]).out;
        assert!(sessions.starts_with(&format!("{word}  ")), "{sessions}");
        let status = place.run(&["status"]).out;
        let row = format!("\n{word}  claude-code  session-1");
        assert!(status.contains(&row), "{status}");
        let top = place.run_at_home("nowhere", &["top", "--once"]).out;
        let row = top.lines().find(|line| line.contains("session-1"));
        let row = row.unwrap_or_default().trim_start();
        assert!(row.starts_with(&format!("{word} ")), "{top}");
        let json = place.run(&["sessions", "--format", "json"]).out;
        assert!(json.contains(&format!("\"state\": \"{word}\"")), "{json}");
    };
    stuck(&place, 3);
    agree("warned");
    stuck(&place, 5);
    agree("denied");
    let reset = place.as_person(&["reset", "session-1"]);
    assert_eq!(reset.code, Some(0), "{}", reset.err);
    agree("ok");
}

#[test]
fn a_session_is_found_by_its_beginning() {
    let place = Place::new("watching-prefix");
    for session in ["alpha-1", "alpha-2", "alpha"] {
        let mut input = pre("1", "ls");
        input["session_id"] = session.into();
        hook(&place, "claude-code", &input);
    }
    let several = place.as_person(&["reset", "alpha-"]);
    assert_eq!(several.code, Some(2));
    assert!(
        several.err.contains("several sessions begin with `alpha-`"),
        "{}",
        several.err
    );
    assert_eq!(place.as_person(&["reset", "alpha"]).code, Some(0));
    assert_eq!(place.as_person(&["reset", "alpha-2"]).code, Some(0));
    let none = place.as_person(&["reset", "beta"]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("unstuck sessions"), "{}", none.err);
    let what = place.as_person(&["reset"]);
    assert!(what.err.contains("--all"), "{}", what.err);
}

#[test]
fn an_agent_cannot_lift_its_own_denials() {
    let place = Place::new("watching-agent");
    stuck(&place, 9);
    for words in [
        &["reset", "--all"][..],
        &["allow", "Bash"],
        &["mode", "off"],
        &["config", "trust"],
    ] {
        let mut command = place.command(words);
        command.env("CLAUDECODE", "1");
        let ran = finish(command, b"");
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.err.contains("CLAUDECODE says that Claude Code"),
            "{}",
            ran.err
        );
    }
    assert!(
        hook(&place, "claude-code", &pre("x", "make"))
            .out
            .contains("deny")
    );
}

#[test]
fn a_tool_can_be_allowed_and_watched_again() {
    let place = Place::new("watching-allow");
    let denied = |from: usize| {
        (from..from + 7).any(|number| {
            let id = format!("c{number}");
            let before = hook(&place, "claude-code", &pre(&id, "make"));
            hook(&place, "claude-code", &post(&id, "make", "same"));
            before.out.contains("deny")
        })
    };
    assert!(denied(0));
    let allowed = place.as_person(&["allow", "Bash", "--session", "sess"]);
    assert_eq!(
        allowed.out,
        "`Bash` is not watched in the session session-1\n"
    );
    assert!(!denied(10));
    assert_eq!(place.run(&["allow"]).out, allowed.out);
    place.as_person(&["allow", "Bash", "--remove"]);
    assert!(denied(20));
    assert_eq!(
        place.as_person(&["allow", "Bash", "--remove"]).code,
        Some(2)
    );
    let nameless = place.as_person(&["allow", " "]);
    assert_eq!(nameless.code, Some(2), "{nameless:?}");
    assert!(nameless.err.contains("a tool's name is missing"));
    // Somewhere else it is still watched.
    let reset = place.as_person(&["reset", "--all"]);
    assert_eq!(
        reset.out,
        "1 agent and 0 proxies: cleared; the next call is judged afresh\n"
    );
    place.as_person(&["allow", "Bas*", "--here"]);
    let mut elsewhere = false;
    for number in 30..37 {
        let id = format!("c{number}");
        let mut before = pre(&id, "make");
        before["cwd"] = "/somewhere/else".into();
        elsewhere |= hook(&place, "claude-code", &before).out.contains("deny");
        hook(&place, "claude-code", &post(&id, "make", "same"));
    }
    assert!(elsewhere);
}

#[test]
fn the_switch_counts_from_the_next_call_on() {
    let place = Place::new("watching-mode");
    stuck(&place, 9);
    let next = |id: &str| hook(&place, "claude-code", &pre(id, "make")).out;
    assert!(next("a").contains("deny"));
    let off = place.as_person(&["mode", "off"]);
    assert_eq!(off.out, "off (by `unstuck mode`)\n");
    assert_eq!(next("b"), "");
    place.as_person(&["mode", "observe"]);
    assert_eq!(next("c"), "");
    assert!(place.read("state/hook.log").contains("would halt"));
    place.as_person(&["mode", "default"]);
    assert!(next("d").contains("deny"));
    assert!(place.run(&["mode"]).out.contains("enforce (default)"));
    place.write("home/unstuck.toml", "mode = \"off\"\n");
    assert_eq!(next("e"), "");
    place.as_person(&["mode", "enforce"]);
    assert!(next("f").contains("deny"));
    assert_eq!(place.as_person(&["mode", "loud"]).code, Some(2));
}
