use std::sync::Arc;

use ratatui::{Terminal, backend::TestBackend, style::Color};
use unstuck_store::{Ended, Told};

use super::*;
use crate::top::{
    app::Action,
    model::{
        Agent, AgentState, Source,
        tests::{agent, snapshot, stuck},
    },
};

fn looped() -> Agent {
    let mut one = stuck(
        agent("claude-code", "844a24d0-55aa", 5, Source::Hooks),
        Told::Denied,
        false,
    );
    let about = Arc::make_mut(&mut one.about);
    about.directory = Some("/home/ada/shop".into());
    about.activity.result(
        "1",
        "",
        Ended::Badly,
        "No rule to make target",
        unstuck_store::Detail::All,
    );
    one
}

fn app() -> App {
    let mut app = App::default();
    app.update(snapshot(vec![
        looped(),
        stuck(
            agent("codex", "two", 65, Source::Transcript),
            Told::Nudged,
            true,
        ),
        agent("gemini-cli", "three", 7_200, Source::Hooks),
    ]));
    app
}

fn picture(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            draw(frame, app, Theme::Plain);
        })
        .unwrap();
    lines(terminal.backend().buffer())
}

#[test]
fn the_list_on_a_wide_terminal() {
    assert_eq!(
        picture(&app(), 100, 8),
        "\
unstuck top  3 agents, 2 in trouble  by urgency
  STATE      AGENT              SESSION   PROJECT CALLS STREAK               LAST SAID   WASTED SEEN
> denied     claude-code        844a24d0… shop       10 5× exact-repeat      deny 5s          4   5s
  would warn codex              two                  10 5× exact-repeat      (nudge 1m)       4   1m
  idle       gemini-cli         three                10                                           2h


↑↓ move  Enter look  q quit  ? help  r reset  x exempt  / filter  s sort  p pause
"
    );
}

#[test]
fn the_list_on_a_narrow_terminal() {
    assert_eq!(
        picture(&app(), 60, 7),
        "\
unstuck top  3 agents, 2 in trouble  by urgency
  STATE      AGENT       SESSION   CALLS STREAK
> denied     claude-code 844a24d0…    10 5× exact-repeat
  would warn codex       two          10 5× exact-repeat
  idle       gemini-cli  three        10

↑↓ move  Enter look  q quit  ? help  r reset  x exempt
"
    );
}

#[test]
fn it_can_be_drawn_however_small() {
    let mut app = app();
    let overlays = [
        Action::Help,
        Action::Back,
        Action::Reset,
        Action::Back,
        Action::Exempt,
    ];
    for action in [Action::Sort, Action::Open].into_iter().chain(overlays) {
        app.apply(action);
        for width in [1, 2, 5, 20, 40] {
            for height in [1, 2, 3, 5, 9] {
                assert!(!picture(&app, width, height).is_empty());
            }
        }
    }
}

#[test]
fn one_agent() {
    let mut app = app();
    app.apply(Action::Open);
    assert_eq!(
        picture(&app, 80, 24),
        "\
unstuck top  3 agents, 2 in trouble  by urgency
agent     claude-code
session   844a24d0-55aa
state     denied
directory /home/ada/shop
so far    10 calls, 4 wasted, 0 nudges, 0 denials
last seen 5s ago, by its hooks

Repeats now
  5×    exact-repeat     Bash make

The text it got
  [unstuck] `Bash make` was called 5 times.

Last calls
  5s    running  Read a.txt
  5s    failed   Bash make                             No rule to make target

Warned of
  5s    deny   5×    exact-repeat     Bash make



↑↓ scroll  Esc back  q quit  ? help  r reset  x exempt  p pause
"
    );
}

#[test]
fn what_is_longer_than_the_screen_is_scrolled_to_its_end_and_not_further() {
    let mut app = app();
    app.apply(Action::Open);
    app.apply(Action::Last);
    let mut terminal = Terminal::new(TestBackend::new(80, 10)).unwrap();
    let mut from = None;
    terminal
        .draw(|frame| from = draw(frame, &app, Theme::Plain))
        .unwrap();
    assert_eq!(from, Some(12));
    let shown = lines(terminal.backend().buffer());
    assert!(shown.contains("Warned of\n  5s    deny"), "{shown}");
}

#[test]
fn questions_name_what_they_are_about() {
    let mut app = app();
    app.apply(Action::Reset);
    let asked = picture(&app, 80, 20);
    assert!(
        asked.contains("Let claude-code 844a24d0-55aa continue?"),
        "{asked}"
    );
    assert!(asked.ends_with("y yes  n no\n"), "{asked}");
    app.apply(Action::Back);
    app.apply(Action::Exempt);
    let asked = picture(&app, 80, 20);
    assert!(
        asked.contains("> Bash") && asked.contains("  Read"),
        "{asked}"
    );
    app.apply(Action::Open);
    let asked = picture(&app, 80, 20);
    assert!(
        asked.contains("Stop watching `Bash` in the session 844a24d0-55aa?"),
        "{asked}"
    );
    app.apply(Action::Back);
    app.apply(Action::Help);
    let help = picture(&app, 80, 24);
    for (key, does) in overlay::HELP {
        assert!(help.contains(key) && help.contains(does), "{key}: {help}");
    }
}

#[test]
fn the_filter_and_the_pause_are_seen() {
    let mut app = app();
    app.apply(Action::StartFilter);
    app.apply(Action::Type('z'));
    app.apply(Action::Type('z'));
    app.apply(Action::Pause);
    let shown = picture(&app, 80, 8);
    assert!(shown.contains("filter: zz  PAUSED"), "{shown}");
    assert!(shown.contains("Nothing matches the filter"), "{shown}");
    assert!(shown.contains("\n/zz▏"), "{shown}");
}

#[test]
fn an_empty_list_says_what_to_do() {
    let mut app = App::default();
    app.update(snapshot(Vec::new()));
    let text = text(&app, 80);
    assert!(
        text.contains("No agent has done anything lately."),
        "{text}"
    );
    assert!(text.contains("unstuck install HOST"), "{text}");
    app.snapshot.unread = 3;
    let shown = picture(&app, 80, 8);
    assert!(shown.contains("Reading transcripts…"), "{shown}");
    assert!(shown.contains("reading 3 more transcripts"), "{shown}");
}

#[test]
fn transcripts_that_are_left_out_are_counted() {
    let mut app = App::default();
    app.update(snapshot(vec![looped()]));
    assert!(!picture(&app, 100, 8).contains("not shown"));
    app.snapshot.left_out = 36;
    let shown = picture(&app, 100, 8);
    assert!(shown.contains("36 older transcripts not shown"), "{shown}");
}

#[test]
fn text_has_every_row_and_no_keys() {
    let agents =
        (0..60).map(|number| agent("codex", &format!("session-{number}"), number, Source::Hooks));
    let mut app = App::default();
    app.snapshot = snapshot(agents.collect());
    let text = text(&app, 100);
    assert_eq!(text.lines().count(), 62);
    assert!(!text.contains("quit") && !text.contains('>'), "{text}");
}

/// Whatever an agent, a tool or a model wrote: nothing of it may act.
#[test]
fn hostile_text_is_only_looked_at() {
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\u{202e}txt.exe\u{2066}\r\n\u{200b}\u{9b}31m";
    let mut one = looped();
    let about = Arc::make_mut(&mut one.about);
    about.session = evil.into();
    about.host = evil.into();
    about.agent = evil.into();
    about.directory = Some(format!("/home/{evil}").into());
    about.halted = Some(evil.into());
    about
        .activity
        .call("9", evil, evil, 0, unstuck_store::Detail::All);
    about
        .activity
        .result("9", "", Ended::Well, evil, unstuck_store::Detail::All);
    about.warnings[0].pattern = vec![evil.into()];
    about.warnings[0].rule = evil.into();
    let mut app = App::default();
    app.update(snapshot(vec![one]));
    app.notice = Some(Notice::Problem(evil.into()));
    let mut shown = picture(&app, 120, 30);
    shown += &text(&app, 120);
    for action in [
        Action::Open,
        Action::Reset,
        Action::Back,
        Action::Exempt,
        Action::Open,
    ] {
        app.apply(action);
        shown += &picture(&app, 120, 40);
    }
    let acts = |each: char| {
        (each.is_control() && each != '\n')
            || matches!(each, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!shown.contains(acts), "{shown:?}");
    assert!(shown.contains('␛') && shown.contains("<U+202E>"), "{shown}");
}

#[test]
fn wide_characters_take_two_columns() {
    let mut one = looped();
    Arc::make_mut(&mut one.about).session = "会話セッション".into();
    let mut app = App::default();
    app.update(snapshot(vec![one]));
    let shown = picture(&app, 60, 5);
    assert!(
        shown.contains("> denied     claude-code 会話セッ…    10 5×"),
        "{shown}"
    );
}

#[test]
fn colours_are_the_terminals_own_and_can_be_switched_off() {
    let colours = |theme: Theme| {
        let mut terminal = Terminal::new(TestBackend::new(100, 20)).unwrap();
        terminal
            .draw(|frame| {
                draw(frame, &app(), theme);
            })
            .unwrap();
        let cells = terminal.backend().buffer().content.clone();
        let mut colours: Vec<_> = cells.iter().flat_map(|cell| [cell.fg, cell.bg]).collect();
        colours.sort_by_key(ToString::to_string);
        colours.dedup();
        colours
    };
    assert_eq!(colours(Theme::Plain), [Color::Reset]);
    assert_eq!(
        colours(Theme::Coloured),
        [Color::Cyan, Color::Magenta, Color::Red, Color::Reset]
    );
}

#[test]
fn states_have_the_colours_of_the_report() {
    let colour = |state| Theme::Coloured.state(state).fg;
    assert_eq!(colour(AgentState::Warned), Some(Color::Cyan));
    assert_eq!(colour(AgentState::Denied), Some(Color::Magenta));
    assert_eq!(colour(AgentState::Halted), Some(Color::Red));
}
