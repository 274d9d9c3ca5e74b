//! Colours: those of the terminal itself, and few of them. Nothing is said by colour alone.

use std::env;

use anstream::ColorChoice;
use ratatui::style::{Color, Modifier, Style};

use crate::top::model::AgentState;

pub(crate) const HEADING: Style = Style::new().add_modifier(Modifier::BOLD);
pub(crate) const DIM: Style = Style::new().add_modifier(Modifier::DIM);
pub(crate) const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Coloured,
    /// Bold, dim and reversed only.
    Plain,
}

impl Theme {
    /// As `--color` and the environment ask.
    pub(crate) fn of_environment() -> Self {
        match (ColorChoice::global(), env::var_os("NO_COLOR")) {
            (ColorChoice::Never, _) => Self::Plain,
            (ColorChoice::Auto, Some(value)) if !value.is_empty() => Self::Plain,
            _ => Self::Coloured,
        }
    }

    pub(crate) fn key(self) -> Style {
        self.colour(Color::Cyan)
    }

    pub(crate) fn good(self) -> Style {
        self.colour(Color::Green)
    }

    pub(crate) fn warning(self) -> Style {
        self.colour(Color::Magenta).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn alarm(self) -> Style {
        self.colour(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// A call that was denied.
    pub(crate) fn denied(self) -> Style {
        self.colour(Color::Magenta).add_modifier(Modifier::BOLD)
    }

    /// The colours of the report: cyan, magenta, red.
    pub(crate) fn state(self, state: AgentState) -> Style {
        match state {
            AgentState::Idle => DIM,
            AgentState::Fine => self.good(),
            AgentState::Warned => self.colour(Color::Cyan).add_modifier(Modifier::BOLD),
            AgentState::Denied => self.denied(),
            AgentState::Halted => self.alarm(),
        }
    }

    fn colour(self, colour: Color) -> Style {
        match self {
            Self::Coloured => Style::new().fg(colour),
            Self::Plain => Style::new(),
        }
    }
}
