//! Pictures of the app. What a frame shows depends on the app alone.

mod agent;
mod list;
mod overlay;
mod theme;

use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::Widget as _,
};
use unstuck_report::{Cut, counted, one_line};

pub(crate) use theme::Theme;
use theme::{DIM, HEADING};

use super::app::{App, Notice, Overlay, Pace, Screen};

/// Keys, the ones that matter most first: what has no room is left out.
const LIST_KEYS: [(&str, &str); 9] = [
    ("↑↓", "move"),
    ("Enter", "look"),
    ("q", "quit"),
    ("?", "help"),
    ("r", "reset"),
    ("x", "exempt"),
    ("/", "filter"),
    ("s", "sort"),
    ("p", "pause"),
];
const AGENT_KEYS: [(&str, &str); 7] = [
    ("↑↓", "scroll"),
    ("Esc", "back"),
    ("q", "quit"),
    ("?", "help"),
    ("r", "reset"),
    ("x", "exempt"),
    ("p", "pause"),
];

/// Draws everything. Says from which line on an agent is really shown.
pub(crate) fn draw(frame: &mut Frame<'_>, app: &App, theme: Theme) -> Option<u16> {
    let area = frame.area();
    let [top, middle, notice, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    let buffer = frame.buffer_mut();
    headline(app, theme).render(top, buffer);
    let from = body(app, theme, middle, buffer);
    status(app, theme, notice.width).render(notice, buffer);
    footer(app, theme, keys.width).render(keys, buffer);
    overlay::draw(app, theme, area, buffer);
    from
}

/// One picture as text: all rows, and no keys.
pub(crate) fn text(app: &App, width: u16) -> String {
    let rows = u16::try_from(app.rows().len()).unwrap_or(u16::MAX);
    let height = list::height(rows).saturating_add(1);
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    let [top, middle] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    headline(app, Theme::Plain).render(top, &mut buffer);
    body(app, Theme::Plain, middle, &mut buffer);
    lines(&buffer)
}

fn body(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<u16> {
    if let (Screen::Agent { from }, Some(one)) = (app.screen, app.selected()) {
        return Some(agent::draw(
            one,
            app.snapshot.now,
            from,
            theme,
            area,
            buffer,
        ));
    }
    list::draw(app, theme, area, buffer);
    None
}

fn headline(app: &App, theme: Theme) -> Line<'static> {
    let snapshot = &app.snapshot;
    let agents = counted(snapshot.agents.len() as u64, "agent");
    let mut spans = vec![
        Span::styled("unstuck top", HEADING),
        Span::raw(format!("  {agents}")),
    ];
    match snapshot.troubled() {
        0 => {}
        count => spans.extend([
            Span::raw(", "),
            Span::styled(format!("{count} in trouble"), theme.alarm()),
        ]),
    }
    spans.push(Span::styled(format!("  by {}", app.order.word()), DIM));
    if !app.filter.is_empty() {
        let filter = one_line(&app.filter, 30, Cut::End);
        spans.push(Span::raw(format!("  filter: {filter}")));
    }
    if app.pace == Pace::Paused {
        spans.push(Span::styled("  PAUSED", theme.warning()));
    }
    if snapshot.unread > 0 {
        let more = counted(snapshot.unread as u64, "more transcript");
        spans.push(Span::styled(format!("  reading {more}…"), DIM));
    } else if snapshot.left_out > 0 {
        let older = counted(snapshot.left_out as u64, "older transcript");
        spans.push(Span::styled(format!("  {older} not shown"), DIM));
    }
    Line::from(spans)
}

fn status(app: &App, theme: Theme, width: u16) -> Line<'static> {
    let (text, style) = match (&app.overlay, &app.notice) {
        (Overlay::Filter, _) => {
            return Line::from(vec![
                Span::styled("/", HEADING),
                Span::raw(one_line(
                    &app.filter,
                    usize::from(width).saturating_sub(2),
                    Cut::Start,
                )),
                Span::raw("▏"),
            ]);
        }
        (_, Some(Notice::Done(text))) => (text.clone(), theme.good()),
        (_, Some(Notice::Problem(text))) => (text.clone(), theme.warning()),
        (_, None) => match &app.snapshot.trouble {
            Some(trouble) => (trouble.clone(), DIM),
            None => (String::new(), DIM),
        },
    };
    Line::styled(one_line(&text, width.into(), Cut::End), style)
}

fn footer(app: &App, theme: Theme, width: u16) -> Line<'static> {
    let keys: &[(&str, &str)] = match (&app.overlay, app.screen) {
        (Overlay::None, Screen::List) => &LIST_KEYS,
        (Overlay::None, Screen::Agent { .. }) => &AGENT_KEYS,
        (Overlay::Filter, _) => &[("Enter", "keep it"), ("Esc", "no filter")],
        (Overlay::Help, _) => &[("any key", "back")],
        (Overlay::ChooseTool { .. }, _) => &[("↑↓", "move"), ("Enter", "choose"), ("Esc", "back")],
        (Overlay::AskReset(_) | Overlay::AskExempt { .. }, _) => &[("y", "yes"), ("n", "no")],
    };
    let mut line = Line::default();
    for (key, word) in keys {
        let wide = line.width() + key.chars().count() + word.len() + 3;
        if wide > usize::from(width) {
            break;
        }
        line.push_span(Span::styled((*key).to_owned(), theme.key()));
        line.push_span(Span::styled(format!(" {word}  "), DIM));
    }
    line
}

/// The text of a picture, without what is blank at the ends.
fn lines(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let mut text = String::new();
    for cells in buffer.content.chunks(width) {
        let mut line = String::new();
        let mut covered = 0_usize;
        for cell in cells {
            // A wide character covers the cell behind it.
            if covered == 0 {
                line.push_str(cell.symbol());
                covered = Span::raw(cell.symbol()).width();
            }
            covered = covered.saturating_sub(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
