//! What lies over the screen: questions, a choice, help.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::Line,
    widgets::{Block, Clear, Paragraph, Widget as _, Wrap},
};
use unstuck_report::{Cut, one_line};

use super::theme::{DIM, HEADING, SELECTED, Theme};
use crate::top::app::{App, Overlay};

const WIDEST: u16 = 64;

/// Keys and what they do.
pub(super) const HELP: [(&str, &str); 11] = [
    ("↑ ↓  k j", "move, or scroll"),
    ("PgUp PgDn", "by pages; Home and End: to the ends"),
    ("Enter", "look into an agent"),
    ("Esc", "back; in the list: no filter"),
    ("r", "let a halted or denied agent continue (asks)"),
    ("x", "stop watching one of its tools (asks)"),
    ("/", "filter by agent, session, project, rule or state"),
    ("s", "sort by urgency, activity, calls, waste"),
    ("p", "pause, and continue"),
    ("?", "this"),
    ("q", "quit"),
];

pub(super) fn draw(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let (title, lines) = match &app.overlay {
        Overlay::None | Overlay::Filter => return,
        Overlay::Help => ("Keys", help()),
        Overlay::AskReset(key) => (
            "Reset",
            vec![
                Line::from(format!(
                    "Let {} {} continue? What is held against the session is forgotten: streaks, denials, a halt.",
                    one_line(&key.host, 20, Cut::End),
                    one_line(&key.session, 40, Cut::End),
                )),
                Line::default(),
                Line::styled("y / n", theme.key()),
            ],
        ),
        Overlay::ChooseTool { tools, at, .. } => {
            // As many as fit, around the chosen one.
            let room = usize::from(area.height.saturating_sub(6)).max(1);
            let first = at.saturating_sub(room - 1);
            let shown = tools.iter().enumerate().skip(first).take(room);
            let lines = shown.map(|(number, tool)| {
                let tool = one_line(tool, 56, Cut::End);
                if number == *at {
                    Line::styled(format!("> {tool}"), SELECTED)
                } else {
                    Line::from(format!("  {tool}"))
                }
            });
            ("Which tool is not to be watched?", lines.collect())
        }
        Overlay::AskExempt { key, tool } => (
            "Exempt",
            vec![
                Line::from(format!(
                    "Stop watching `{}` in the session {}? Its calls neither count nor are denied from then on.",
                    one_line(tool, 40, Cut::End),
                    one_line(&key.session, 40, Cut::End),
                )),
                Line::default(),
                Line::styled("y / n", theme.key()),
            ],
        ),
    };
    window(title, lines, area, buffer);
}

fn help() -> Vec<Line<'static>> {
    let keys = HELP
        .iter()
        .map(|(key, does)| Line::from(format!("{key:<11}{does}")));
    let notes = [
        Line::default(),
        Line::styled(
            "`would …`, and (…) under LAST SAID: the agent got no message, because it has no hooks or is only observed.",
            DIM,
        ),
    ];
    keys.chain(notes).collect()
}

/// A box in the middle.
fn window(title: &str, lines: Vec<Line<'static>>, area: Rect, buffer: &mut Buffer) {
    let width = area.width.saturating_sub(4).min(WIDEST);
    let inside = usize::from(width.saturating_sub(4)).max(1);
    let rows: usize = lines
        .iter()
        .map(|line| line.width().div_ceil(inside).max(1))
        .sum();
    // Words are not broken, so some lines take one more.
    let rows = rows + usize::from(lines.iter().any(|line| line.width() > inside));
    let height = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    Clear.render(place, buffer);
    let block = Block::bordered()
        .title(format!(" {title} "))
        .title_style(HEADING)
        .padding(ratatui::widgets::Padding::horizontal(1));
    Paragraph::new(lines)
        .wrap(Wrap { trim: false })
        .block(block)
        .render(place, buffer);
}
