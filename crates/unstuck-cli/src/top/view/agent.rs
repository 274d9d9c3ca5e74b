//! One agent, in full.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::{Paragraph, Widget as _},
};
use unstuck_report::{Cut, counted, one_line};
use unstuck_store::{Ended, Move};

use super::theme::{DIM, HEADING, Theme};
use crate::top::model::{Agent, Force, Source, age};

/// Columns of what a line is about.
const NAME: usize = 10;

/// Draws it from a line on, and says from which one it was: there is always something to see.
pub(super) fn draw(
    agent: &Agent,
    now: i64,
    from: u16,
    theme: Theme,
    area: Rect,
    buffer: &mut Buffer,
) -> u16 {
    let page = Page {
        theme,
        now,
        width: area.width.into(),
    };
    let lines = page.lines(agent);
    let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let from = from.min(count.saturating_sub(area.height));
    Paragraph::new(lines).scroll((from, 0)).render(area, buffer);
    from
}

struct Page {
    theme: Theme,
    now: i64,
    width: usize,
}

impl Page {
    fn lines(&self, agent: &Agent) -> Vec<Line<'static>> {
        let about = &agent.about;
        let state = Span::styled(
            agent.state_word(self.now),
            self.theme.state(agent.state(self.now)),
        );
        let mut lines = vec![
            self.fact("agent", &agent.name()),
            self.fact("session", &about.session),
            Line::from(vec![name("state"), state]),
        ];
        if let Some(directory) = &about.directory {
            lines.push(self.fact("directory", directory));
        }
        let told = match agent.force() {
            Force::Told => "",
            Force::Observed => " (only observed)",
        };
        let counts = format!(
            "{}, {} wasted, {}, {}{told}",
            counted(about.calls, "call"),
            about.activity.wasted,
            counted(about.nudges, "nudge"),
            counted(about.denials, "denial")
        );
        lines.push(self.fact("so far", &counts));
        let known = match agent.source {
            Source::Hooks => "its hooks",
            Source::Proxy => "its requests to its model; calls are requests",
            Source::Transcript => {
                "its transcript; not guarded (no hooks), shown for information only"
            }
        };
        let seen = format!("{} ago, by {known}", age(about.last_seen, self.now));
        lines.push(self.fact("last seen", &seen));
        self.streak(agent, &mut lines);
        self.message(agent, &mut lines);
        self.moves(agent, &mut lines);
        self.warnings(agent, &mut lines);
        lines
    }

    fn streak(&self, agent: &Agent, lines: &mut Vec<Line<'static>>) {
        heading("Repeats now", lines);
        let Some(streak) = &agent.about.activity.streak else {
            return lines.push(quiet("nothing"));
        };
        for seen in &streak.seen {
            lines.push(self.line(&[
                (&format!("{}×", seen.repeats), 5, Style::new()),
                (&seen.rule, 16, Style::new()),
                (&seen.pattern.join(" > "), usize::MAX, DIM),
            ]));
        }
    }

    fn message(&self, agent: &Agent, lines: &mut Vec<Line<'static>>) {
        let about = &agent.about;
        let text = about.halted.as_ref().unwrap_or(&about.activity.message);
        if text.is_empty() {
            return;
        }
        let title = match agent.force() {
            Force::Told => "The text it got",
            Force::Observed => "The text it would have got",
        };
        heading(title, lines);
        let words = one_line(text, usize::MAX, Cut::End);
        for line in wrap(&words, self.width.saturating_sub(2)) {
            lines.push(Line::from(format!("  {line}")));
        }
    }

    fn moves(&self, agent: &Agent, lines: &mut Vec<Line<'static>>) {
        heading("Last calls", lines);
        let moves = &agent.about.activity.moves;
        if moves.is_empty() {
            lines.push(quiet("none yet"));
        }
        for one in moves.iter().rev() {
            lines.push(self.one_move(one));
        }
    }

    fn one_move(&self, one: &Move) -> Line<'static> {
        let (word, style) = match one.ended {
            Ended::Running => ("running", self.theme.key()),
            Ended::Well => ("ok", self.theme.good()),
            Ended::Badly => ("failed", self.theme.warning()),
            Ended::Denied => ("denied", self.theme.denied()),
            Ended::CalledOff => ("refused", DIM),
        };
        // The call and its result share the width that is left.
        let label = (self.width.saturating_sub(17) * 3 / 5).clamp(10, 80);
        self.line(&[
            (&age(one.at, self.now), 5, DIM),
            (word, 8, style),
            (&one.label, label, Style::new()),
            (&one.said, usize::MAX, DIM),
        ])
    }

    fn warnings(&self, agent: &Agent, lines: &mut Vec<Line<'static>>) {
        let warnings = &agent.about.warnings;
        if warnings.is_empty() {
            return;
        }
        heading("Warned of", lines);
        for warning in warnings.iter().rev() {
            lines.push(self.line(&[
                (&age(warning.at, self.now), 5, DIM),
                (&warning.verdict, 6, Style::new()),
                (&format!("{}×", warning.repeats), 5, Style::new()),
                (&warning.rule, 16, Style::new()),
                (&warning.pattern.join(" > "), usize::MAX, DIM),
            ]));
        }
    }

    fn fact(&self, title: &str, value: &str) -> Line<'static> {
        let room = self.width.saturating_sub(NAME);
        Line::from(vec![
            name(title),
            Span::raw(one_line(value, room, Cut::End)),
        ])
    }

    /// Texts side by side, each in so many columns, the last one in what is left.
    fn line(&self, texts: &[(&str, usize, Style)]) -> Line<'static> {
        let mut line = Line::raw("  ");
        for (text, columns, style) in texts {
            let left = self.width.saturating_sub(line.width() + 1);
            let columns = (*columns).min(left);
            let mut text = one_line(text, columns, Cut::End);
            let wide = Span::raw(&*text).width();
            text.push_str(&" ".repeat(columns.saturating_sub(wide) + 1));
            line.push_span(Span::styled(text, *style));
        }
        line
    }
}

fn name(title: &str) -> Span<'static> {
    Span::styled(format!("{title:<NAME$}"), HEADING)
}

fn heading(title: &str, lines: &mut Vec<Line<'static>>) {
    lines.push(Line::default());
    lines.push(Line::styled(title.to_owned(), HEADING));
}

fn quiet(text: &str) -> Line<'static> {
    Line::styled(format!("  {text}"), DIM)
}

/// Lines of words, none wider than that unless a word is.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let wide = Span::raw(word).width();
        let Some(line) = lines.last_mut() else {
            break;
        };
        if line.is_empty() {
            line.push_str(word);
        } else if Span::raw(&**line).width() + 1 + wide <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
