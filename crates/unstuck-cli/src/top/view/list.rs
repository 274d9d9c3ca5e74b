//! The list of agents.

use ratatui::{
    buffer::Buffer,
    layout::{Alignment, Constraint, Rect},
    style::Style,
    text::{Line, Text},
    widgets::{Cell, Paragraph, Row, StatefulWidget, Table, TableState, Widget as _, Wrap},
};
use unstuck_report::{Cut, one_line};

use super::theme::{DIM, HEADING, SELECTED, Theme};
use crate::top::{
    app::App,
    model::{Agent, Force, age},
};

/// Columns of the mark before the selected row.
const MARK: u16 = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    State,
    Agent,
    Session,
    Project,
    Calls,
    Streak,
    Last,
    Wasted,
    Seen,
}

/// From left to right, with the width and with the width of a terminal from which on there is room for it.
const COLUMNS: [(Column, u16, u16); 9] = [
    (Column::State, 10, 0),
    (Column::Agent, 18, 45),
    (Column::Session, 9, 30),
    (Column::Project, 0, 96),
    (Column::Calls, 5, 60),
    (Column::Streak, 20, 0),
    (Column::Last, 11, 75),
    (Column::Wasted, 6, 84),
    (Column::Seen, 4, 67),
];

/// Lines that a list of so many rows takes.
pub(super) fn height(rows: u16) -> u16 {
    match rows {
        0 => 8,
        rows => rows.saturating_add(1),
    }
}

pub(super) fn draw(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let rows = app.rows();
    if rows.is_empty() {
        return nothing(app, area, buffer);
    }
    let columns: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, _, from)| area.width >= *from)
        .map(|(column, width, _)| (column, column.width(width, area.width)))
        .collect();
    let table = columns
        .iter()
        .map(|(column, width)| match width {
            Some(width) => Constraint::Length(*width),
            None => Constraint::Fill(u16::from(*column == Column::Project) + 1),
        })
        .collect::<Vec<_>>();
    let heads = columns
        .iter()
        .map(|(column, _)| Cell::from(Line::from(column.head()).alignment(column.side())));
    let header = Row::new(heads).style(HEADING);
    let now = app.snapshot.now;
    let body = rows.iter().map(|agent| {
        Row::new(columns.iter().map(|(column, _)| {
            let (text, style) = column.of(agent, now, theme);
            Cell::from(Text::styled(text, style).alignment(column.side()))
        }))
    });
    let table = Table::new(body, table)
        .header(header)
        .column_spacing(1)
        .row_highlight_style(SELECTED)
        .highlight_symbol("> ");
    let mut state = TableState::default().with_selected(app.row());
    StatefulWidget::render(table, area, buffer, &mut state);
}

impl Column {
    /// Its width, or whatever is left.
    fn width(self, width: u16, screen: u16) -> Option<u16> {
        match self {
            Self::Project => None,
            Self::Streak if screen < 96 => None,
            // The name of the host alone.
            Self::Agent if screen < 90 => Some(11),
            _ => Some(width),
        }
    }

    fn side(self) -> Alignment {
        match self {
            Self::Calls | Self::Wasted | Self::Seen => Alignment::Right,
            _ => Alignment::Left,
        }
    }

    fn head(self) -> &'static str {
        match self {
            Self::State => "STATE",
            Self::Agent => "AGENT",
            Self::Session => "SESSION",
            Self::Project => "PROJECT",
            Self::Calls => "CALLS",
            Self::Streak => "STREAK",
            Self::Last => "LAST SAID",
            Self::Wasted => "WASTED",
            Self::Seen => "SEEN",
        }
    }

    fn of(self, agent: &Agent, now: i64, theme: Theme) -> (String, Style) {
        let about = &agent.about;
        let plain = Style::new();
        match self {
            Self::State => {
                let state = agent.state(now);
                (agent.state_word(now).to_owned(), theme.state(state))
            }
            Self::Agent => (one_line(&agent.name(), 18, Cut::End), plain),
            Self::Session => (one_line(&about.session, 9, Cut::End), DIM),
            Self::Project => (one_line(agent.project(), 60, Cut::Start), plain),
            Self::Calls => (about.calls.to_string(), plain),
            Self::Streak => match agent.streak() {
                Some((repeats, rule)) => {
                    (one_line(&format!("{repeats}× {rule}"), 40, Cut::End), plain)
                }
                None => (String::new(), plain),
            },
            Self::Last => match about.warnings.last() {
                Some(warning) => {
                    let text = format!("{} {}", warning.verdict, age(warning.at, now));
                    let text = match agent.force() {
                        Force::Told => text,
                        Force::Observed => format!("({text})"),
                    };
                    (one_line(&text, 11, Cut::End), plain)
                }
                None => (String::new(), plain),
            },
            Self::Wasted => match about.activity.wasted {
                0 => (String::new(), plain),
                wasted => (wasted.to_string(), plain),
            },
            Self::Seen => (age(about.last_seen, now), DIM),
        }
    }
}

fn nothing(app: &App, area: Rect, buffer: &mut Buffer) {
    let inside = Rect {
        x: area.x + MARK.min(area.width),
        width: area.width.saturating_sub(MARK),
        ..area
    };
    let lines = if !app.filter.is_empty() {
        vec![Line::from("Nothing matches the filter. Esc takes it away.")]
    } else if app.snapshot.unread > 0 {
        vec![Line::from("Reading transcripts…")]
    } else {
        vec![
            Line::from("No agent has done anything lately."),
            Line::default(),
            Line::styled(
                "Agents with hooks show up with their first call: `unstuck install HOST` adds hooks. \
                 Others show up when they record something where `unstuck scan` looks for it. \
                 `--since 24h` goes further back.",
                DIM,
            ),
        ]
    };
    let top = Line::default();
    let lines: Vec<_> = std::iter::once(top).chain(lines).collect();
    Paragraph::new(lines)
        .wrap(Wrap { trim: true })
        .render(inside, buffer);
}
