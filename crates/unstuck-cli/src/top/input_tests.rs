use super::*;
use crate::top::model::Key;

fn press(code: KeyCode, overlay: &Overlay) -> Option<Action> {
    action(KeyEvent::new(code, KeyModifiers::NONE), overlay)
}

fn key() -> Key {
    Key {
        host: "codex".into(),
        session: "s".into(),
        agent: "main".into(),
    }
}

#[test]
fn keys_of_the_list() {
    for (code, expected) in [
        (KeyCode::Down, Action::Move(1)),
        (KeyCode::Char('j'), Action::Move(1)),
        (KeyCode::Up, Action::Move(-1)),
        (KeyCode::Char('k'), Action::Move(-1)),
        (KeyCode::PageDown, Action::Move(10)),
        (KeyCode::Home, Action::First),
        (KeyCode::Char('G'), Action::Last),
        (KeyCode::Enter, Action::Open),
        (KeyCode::Esc, Action::Back),
        (KeyCode::Char('r'), Action::Reset),
        (KeyCode::Char('x'), Action::Exempt),
        (KeyCode::Char('/'), Action::StartFilter),
        (KeyCode::Char('s'), Action::Sort),
        (KeyCode::Char('p'), Action::Pause),
        (KeyCode::Char('?'), Action::Help),
        (KeyCode::Char('q'), Action::Quit),
    ] {
        assert_eq!(press(code, &Overlay::None), Some(expected), "{code:?}");
    }
    assert_eq!(press(KeyCode::Char('y'), &Overlay::None), None);
}

#[test]
fn letters_are_letters_while_a_filter_is_typed() {
    for letter in ['q', 'r', 'j', '/'] {
        let typed = press(KeyCode::Char(letter), &Overlay::Filter);
        assert_eq!(typed, Some(Action::Type(letter)));
    }
    assert_eq!(
        press(KeyCode::Backspace, &Overlay::Filter),
        Some(Action::Erase)
    );
    assert_eq!(press(KeyCode::Enter, &Overlay::Filter), Some(Action::Open));
}

#[test]
fn a_question_takes_yes_or_no_and_nothing_else() {
    for question in [
        Overlay::AskReset(key()),
        Overlay::AskExempt {
            key: key(),
            tool: "Bash".into(),
        },
    ] {
        assert_eq!(press(KeyCode::Char('y'), &question), Some(Action::Yes));
        assert_eq!(press(KeyCode::Char('n'), &question), Some(Action::Back));
        assert_eq!(press(KeyCode::Esc, &question), Some(Action::Back));
        assert_eq!(press(KeyCode::Enter, &question), None);
        assert_eq!(press(KeyCode::Char('r'), &question), None);
    }
    let tools = Overlay::ChooseTool {
        key: key(),
        tools: Vec::new(),
        at: 0,
    };
    assert_eq!(press(KeyCode::Char('j'), &tools), Some(Action::Move(1)));
    assert_eq!(press(KeyCode::Char('r'), &tools), None);
    assert_eq!(
        press(KeyCode::Char('z'), &Overlay::Help),
        Some(Action::Back)
    );
}

#[test]
fn control_c_always_quits_and_releases_mean_nothing() {
    for overlay in [Overlay::None, Overlay::Filter, Overlay::AskReset(key())] {
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(action(interrupt, &overlay), Some(Action::Quit));
    }
    let mut release = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
    release.kind = KeyEventKind::Release;
    assert_eq!(action(release, &Overlay::None), None);
}
