use unstuck_store::{Activity, Seen, Told, Warning};

use super::*;

/// A quarter past nine, or any other time.
pub(crate) const NOW: i64 = 1_800_000_000_000;

/// An agent that was seen so many seconds ago.
pub(crate) fn agent(host: &str, session: &str, seconds: i64, source: Source) -> Agent {
    let mut about = About::default();
    about.host = host.into();
    about.session = session.into();
    about.agent = "main".into();
    about.last_seen = NOW - seconds * 1_000;
    about.calls = 10;
    Agent {
        about: Arc::new(about),
        source,
    }
}

/// It repeats something, and got a text about it.
pub(crate) fn stuck(mut agent: Agent, told: Told, observed: bool) -> Agent {
    let about = Arc::make_mut(&mut agent.about);
    let mut activity = Activity::default();
    let seen = Seen {
        rule: "exact-repeat".into(),
        repeats: 5,
        wasted: 4,
        pattern: vec!["Bash make".into()],
    };
    activity.call(
        "1",
        "Bash",
        "Bash make",
        about.last_seen,
        unstuck_store::Detail::All,
    );
    activity.call(
        "2",
        "Read",
        "Read a.txt",
        about.last_seen,
        unstuck_store::Detail::All,
    );
    activity.see(vec![seen], told);
    activity.message = "[unstuck] `Bash make` was called 5 times.".into();
    about.activity = activity;
    about.warn(Warning {
        at: about.last_seen,
        verdict: match told {
            Told::Halted => "halt",
            Told::Denied => "deny",
            Told::Nudged | Told::Nothing => "nudge",
        }
        .into(),
        rule: "exact-repeat".into(),
        repeats: 5,
        pattern: vec!["Bash make".into()],
        observed,
    });
    agent
}

pub(crate) fn snapshot(agents: Vec<Agent>) -> Snapshot {
    Snapshot {
        now: NOW,
        agents,
        ..Snapshot::default()
    }
}

fn names(rows: &[&Agent]) -> Vec<String> {
    rows.iter()
        .map(|agent| agent.about.session.to_string())
        .collect()
}

#[test]
fn trouble_comes_first_and_then_what_was_seen_last() {
    let hooks = Source::Hooks;
    let mut halted = agent("codex", "halted", 900, hooks);
    Arc::make_mut(&mut halted.about).halted = Some("over".into());
    let all = snapshot(vec![
        agent("codex", "fine", 9, hooks),
        agent("codex", "finer", 3, hooks),
        agent("codex", "idle", 600, hooks),
        stuck(agent("codex", "warned", 30, hooks), Told::Nudged, false),
        stuck(agent("codex", "denied", 60, hooks), Told::Denied, false),
        stuck(agent("codex", "seen", 1, hooks), Told::Nothing, false),
        halted,
    ]);
    assert_eq!(
        names(&all.rows(Order::Urgency, "")),
        [
            "halted", "denied", "warned", "seen", "finer", "fine", "idle"
        ]
    );
    assert_eq!(
        names(&all.rows(Order::Activity, ""))[..2],
        ["seen", "finer"]
    );
    assert_eq!(all.troubled(), 3);
}

#[test]
fn rows_can_be_sorted_by_calls_and_waste() {
    let mut busy = agent("codex", "busy", 50, Source::Hooks);
    Arc::make_mut(&mut busy.about).calls = 99;
    let mut wasteful = agent("codex", "wasteful", 50, Source::Hooks);
    Arc::make_mut(&mut wasteful.about).activity.wasted = 7;
    let all = snapshot(vec![
        agent("codex", "new", 1, Source::Hooks),
        busy,
        wasteful,
    ]);
    assert_eq!(names(&all.rows(Order::Calls, ""))[0], "busy");
    assert_eq!(names(&all.rows(Order::Wasted, ""))[0], "wasteful");
    let orders = [Order::Activity, Order::Calls, Order::Wasted, Order::Urgency];
    let mut order = Order::Urgency;
    for next in orders {
        order = order.next();
        assert_eq!(order, next);
    }
}

#[test]
fn a_filter_looks_at_names_places_rules_and_states() {
    let mut elsewhere = agent("codex", "b", 1, Source::Hooks);
    Arc::make_mut(&mut elsewhere.about).directory = Some("/home/ada/Shop".into());
    let all = snapshot(vec![
        stuck(
            agent("claude-code", "a", 1, Source::Hooks),
            Told::Denied,
            true,
        ),
        elsewhere,
    ]);
    for (filter, found) in [
        ("CLAUDE", vec!["a"]),
        ("shop", vec!["b"]),
        ("exact", vec!["a"]),
        ("would deny", vec!["a"]),
        ("nobody", vec![]),
        ("", vec!["a", "b"]),
    ] {
        assert_eq!(names(&all.rows(Order::Urgency, filter)), found, "{filter}");
    }
}

#[test]
fn words_tell_whether_anybody_told_the_agent() {
    let hooks = Source::Hooks;
    let word =
        |told, observed| stuck(agent("codex", "a", 1, hooks), told, observed).state_word(NOW);
    assert_eq!(word(Told::Nudged, false), "warned");
    assert_eq!(word(Told::Denied, false), "denied");
    assert_eq!(word(Told::Halted, false), "halted");
    assert_eq!(word(Told::Nudged, true), "would warn");
    assert_eq!(word(Told::Denied, true), "would deny");
    assert_eq!(word(Told::Halted, true), "would halt");
    assert_eq!(word(Told::Nothing, false), "ok");
    assert_eq!(agent("codex", "a", 301, hooks).state_word(NOW), "idle");
}

#[test]
fn a_project_is_the_end_of_its_path() {
    for (path, project) in [
        ("/home/ada/shop", "shop"),
        ("/home/ada/shop/", "shop"),
        (r"C:\work\shop", "shop"),
        ("/", ""),
    ] {
        let mut one = agent("codex", "a", 1, Source::Hooks);
        Arc::make_mut(&mut one.about).directory = Some(path.into());
        assert_eq!(one.project(), project);
    }
}

#[test]
fn ages_are_short() {
    let ages = [59, 60, 7_300, 200_000].map(|seconds| age(NOW - seconds * 1_000, NOW));
    assert_eq!(ages, ["59s", "1m", "2h", "2d"]);
    assert_eq!(age(NOW + 5, NOW), "0s");
}
