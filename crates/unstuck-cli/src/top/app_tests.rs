use unstuck_store::Told;

use super::*;
use crate::top::model::tests::{agent, snapshot, stuck};

fn app() -> App {
    let mut app = App::default();
    app.update(snapshot(vec![
        stuck(
            agent("claude-code", "one", 5, Source::Hooks),
            Told::Denied,
            false,
        ),
        agent("codex", "two", 6, Source::Transcript),
        agent("gemini-cli", "three", 7, Source::Hooks),
    ]));
    app
}

fn chosen(app: &App) -> &str {
    app.selected.as_ref().map_or("", |key| &key.session)
}

#[test]
fn the_selection_stays_with_what_was_chosen() {
    let mut app = app();
    assert_eq!(chosen(&app), "one");
    app.apply(Action::Move(1));
    assert_eq!(chosen(&app), "two");
    // It moves to the top, and the selection with it.
    let worse = stuck(
        agent("codex", "two", 1, Source::Transcript),
        Told::Halted,
        true,
    );
    app.update(snapshot(vec![
        agent("claude-code", "one", 5, Source::Hooks),
        worse,
    ]));
    assert_eq!((chosen(&app), app.row()), ("two", Some(0)));
    // It is gone: the agent in its row now.
    app.update(snapshot(vec![agent(
        "claude-code",
        "one",
        5,
        Source::Hooks,
    )]));
    assert_eq!(chosen(&app), "one");
    app.update(snapshot(Vec::new()));
    assert_eq!(app.selected, None);
}

#[test]
fn nobody_has_chosen_yet_so_the_first_is_selected() {
    let mut app = app();
    let mut agents = app.snapshot.agents.clone();
    agents.push(stuck(
        agent("goose", "worst", 1, Source::Hooks),
        Told::Halted,
        false,
    ));
    app.update(snapshot(agents));
    assert_eq!(chosen(&app), "worst");
}

#[test]
fn moving_stops_at_the_ends() {
    let mut app = app();
    app.apply(Action::Move(-1));
    assert_eq!(app.row(), Some(0));
    app.apply(Action::Last);
    assert_eq!(app.row(), Some(2));
    app.apply(Action::Move(10));
    assert_eq!(app.row(), Some(2));
    app.apply(Action::First);
    assert_eq!(app.row(), Some(0));
}

#[test]
fn a_reset_is_asked_for_and_only_yes_is_yes() {
    let mut app = app();
    assert_eq!(app.apply(Action::Reset), None);
    let key = app.selected.clone().unwrap();
    assert_eq!(app.overlay, Overlay::AskReset(key.clone()));
    assert_eq!(app.apply(Action::Open), None);
    assert_eq!(app.overlay, Overlay::AskReset(key.clone()));
    app.apply(Action::Back);
    assert_eq!(app.overlay, Overlay::None);
    app.apply(Action::Reset);
    assert_eq!(app.apply(Action::Yes), Some(Effect::Reset(key)));
    assert_eq!(app.overlay, Overlay::None);
    assert_eq!(app.apply(Action::Yes), None);
}

#[test]
fn a_tool_is_chosen_and_asked_about() {
    let mut app = app();
    app.apply(Action::Exempt);
    app.apply(Action::Move(1));
    app.apply(Action::Move(1));
    assert_eq!(app.apply(Action::Open), None);
    let key = app.selected.clone().unwrap();
    let tool: Box<str> = "Read".into();
    assert_eq!(
        app.overlay,
        Overlay::AskExempt {
            key: key.clone(),
            tool: tool.clone()
        }
    );
    assert_eq!(app.apply(Action::Yes), Some(Effect::Exempt { key, tool }));
}

#[test]
fn without_hooks_it_says_why_nothing_happens() {
    let mut app = app();
    app.apply(Action::Move(1));
    for action in [Action::Reset, Action::Exempt] {
        assert_eq!(app.apply(action), None);
        assert_eq!(app.overlay, Overlay::None);
        let Some(Notice::Problem(why)) = &app.notice else {
            panic!("nothing was said");
        };
        assert!(why.contains("`unstuck install codex`"), "{why}");
    }
    app.update(snapshot(vec![agent(
        "langchain",
        "x",
        1,
        Source::Transcript,
    )]));
    app.apply(Action::Reset);
    let Some(Notice::Problem(why)) = &app.notice else {
        panic!("nothing was said");
    };
    assert!(why.contains("`unstuck install --help`"), "{why}");
}

#[test]
fn an_agent_without_calls_has_no_tools_to_exempt() {
    let mut app = app();
    app.apply(Action::Last);
    app.apply(Action::Exempt);
    let said = Notice::Problem("no tool of this agent is known yet".into());
    assert_eq!((app.overlay, app.notice), (Overlay::None, Some(said)));
}

#[test]
fn a_filter_is_typed_kept_and_taken_away() {
    let mut app = app();
    app.apply(Action::StartFilter);
    for character in "geminii".chars() {
        app.apply(Action::Type(character));
    }
    assert_eq!(app.selected, None);
    app.apply(Action::Erase);
    app.apply(Action::Open);
    assert_eq!((&*app.filter, chosen(&app)), ("gemini", "three"));
    assert_eq!(app.overlay, Overlay::None);
    app.apply(Action::Back);
    assert_eq!((&*app.filter, app.rows().len()), ("", 3));
    for _ in 0..200 {
        app.apply(Action::Type('x'));
    }
    assert_eq!(app.filter.len(), FILTER);
}

#[test]
fn a_paused_picture_stands_still() {
    let mut app = app();
    app.apply(Action::Pause);
    app.update(snapshot(Vec::new()));
    assert_eq!(app.rows().len(), 3);
    app.apply(Action::Pause);
    app.update(snapshot(Vec::new()));
    assert_eq!(app.rows().len(), 0);
}

#[test]
fn one_agent_is_looked_into_and_left() {
    let mut app = app();
    app.apply(Action::Open);
    assert_eq!(app.screen, Screen::Agent { from: 0 });
    app.apply(Action::Last);
    app.scrolled(Some(4));
    app.apply(Action::Move(-1));
    assert_eq!(app.screen, Screen::Agent { from: 3 });
    app.apply(Action::Back);
    assert_eq!(app.screen, Screen::List);
    app.apply(Action::Open);
    app.update(snapshot(Vec::new()));
    assert_eq!(app.screen, Screen::List);
    assert_eq!(app.apply(Action::Quit), Some(Effect::Quit));
}

#[test]
fn words_stay_until_the_next_key() {
    let mut app = app();
    app.notice = Some(Notice::Done("done".into()));
    app.update(snapshot(Vec::new()));
    assert!(app.notice.is_some());
    app.apply(Action::Sort);
    assert_eq!((app.notice, app.order), (None, Order::Activity));
}
