//! What keys mean, by what is on the screen.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::app::{Action, Overlay};

/// Rows of a page.
const PAGE: i32 = 10;

pub(crate) fn action(key: KeyEvent, overlay: &Overlay) -> Option<Action> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Action::Quit),
            KeyCode::Char('d' | 'f') => Some(Action::Move(PAGE)),
            KeyCode::Char('u' | 'b') => Some(Action::Move(-PAGE)),
            _ => None,
        };
    }
    match overlay {
        Overlay::None => plain(key.code),
        Overlay::Filter => typing(key.code),
        // Any key puts it away.
        Overlay::Help => Some(Action::Back),
        Overlay::ChooseTool { .. } => moving(key.code),
        Overlay::AskReset(_) | Overlay::AskExempt { .. } => match key.code {
            KeyCode::Char('y' | 'Y') => Some(Action::Yes),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Some(Action::Back),
            _ => None,
        },
    }
}

fn plain(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char('q') => Some(Action::Quit),
        KeyCode::Char('r') => Some(Action::Reset),
        KeyCode::Char('x') => Some(Action::Exempt),
        KeyCode::Char('/') => Some(Action::StartFilter),
        KeyCode::Char('s') => Some(Action::Sort),
        KeyCode::Char('p') => Some(Action::Pause),
        KeyCode::Char('?' | 'h') => Some(Action::Help),
        code => moving(code),
    }
}

fn moving(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Up | KeyCode::Char('k') => Some(Action::Move(-1)),
        KeyCode::Down | KeyCode::Char('j') => Some(Action::Move(1)),
        KeyCode::PageUp => Some(Action::Move(-PAGE)),
        KeyCode::PageDown => Some(Action::Move(PAGE)),
        KeyCode::Home | KeyCode::Char('g') => Some(Action::First),
        KeyCode::End | KeyCode::Char('G') => Some(Action::Last),
        KeyCode::Enter | KeyCode::Right => Some(Action::Open),
        KeyCode::Esc | KeyCode::Left | KeyCode::Backspace | KeyCode::Char('q') => {
            Some(Action::Back)
        }
        _ => None,
    }
}

fn typing(code: KeyCode) -> Option<Action> {
    match code {
        KeyCode::Char(character) => Some(Action::Type(character)),
        KeyCode::Backspace => Some(Action::Erase),
        KeyCode::Enter => Some(Action::Open),
        KeyCode::Esc => Some(Action::Back),
        KeyCode::Up => Some(Action::Move(-1)),
        KeyCode::Down => Some(Action::Move(1)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
