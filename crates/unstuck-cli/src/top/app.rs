//! What is on the screen, and what keys do to it.

use unstuck_hosts::Host;

use super::model::{Agent, Key, Order, Snapshot, Source};

/// Longest filter.
const FILTER: usize = 60;

/// The whole of what is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct App {
    pub(crate) snapshot: Snapshot,
    pub(crate) order: Order,
    pub(crate) filter: String,
    pub(crate) screen: Screen,
    pub(crate) overlay: Overlay,
    pub(crate) pace: Pace,
    /// What the last key came to, until the next one.
    pub(crate) notice: Option<Notice>,
    pub(crate) selected: Option<Key>,
    /// Where the selected one stood, for when it goes away.
    at: usize,
    hold: Hold,
}

/// What the selection stays with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Hold {
    /// The first row, until a person chooses one.
    #[default]
    First,
    /// The agent that was chosen, wherever it goes.
    Chosen,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Screen {
    #[default]
    List,
    /// One agent, from this line on.
    Agent { from: u16 },
}

/// What lies over the screen, and takes the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Overlay {
    #[default]
    None,
    Help,
    /// The filter is being typed.
    Filter,
    /// Whether it may continue is asked.
    AskReset(Key),
    /// Which tool is not to be watched?
    ChooseTool {
        key: Key,
        tools: Vec<Box<str>>,
        at: usize,
    },
    /// Shall this tool not be watched?
    AskExempt {
        key: Key,
        tool: Box<str>,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pace {
    #[default]
    Live,
    /// The picture stands still.
    Paused,
}

/// Words for the person at the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    Done(String),
    Problem(String),
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Quit,
    Move(i32),
    First,
    Last,
    Open,
    Back,
    Reset,
    Exempt,
    Yes,
    StartFilter,
    Type(char),
    Erase,
    Sort,
    Pause,
    Help,
}

/// What is to be done outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Quit,
    Reset(Key),
    Exempt { key: Key, tool: Box<str> },
}

impl App {
    /// Takes in what is to be seen now.
    pub(crate) fn update(&mut self, snapshot: Snapshot) {
        if self.pace == Pace::Paused {
            return;
        }
        self.snapshot = snapshot;
        self.settle();
    }

    pub(crate) fn apply(&mut self, action: Action) -> Option<Effect> {
        self.notice = None;
        match action {
            Action::Quit => return Some(Effect::Quit),
            Action::Move(by) => self.go(by),
            Action::First => self.go(i32::MIN),
            Action::Last => self.go(i32::MAX),
            Action::Open => return self.open(),
            Action::Back => self.back(),
            Action::Reset => self.ask(|key, _| Some(Overlay::AskReset(key))),
            Action::Exempt => self.ask(choose),
            Action::Yes => return self.yes(),
            Action::StartFilter => {
                self.screen = Screen::List;
                self.overlay = Overlay::Filter;
            }
            Action::Type(character) => {
                if self.filter.chars().count() < FILTER {
                    self.filter.push(character);
                }
                self.settle();
            }
            Action::Erase => {
                self.filter.pop();
                self.settle();
            }
            Action::Sort => {
                self.order = self.order.next();
                self.settle();
            }
            Action::Pause => {
                self.pace = match self.pace {
                    Pace::Live => Pace::Paused,
                    Pace::Paused => Pace::Live,
                };
            }
            Action::Help => self.overlay = Overlay::Help,
        }
        None
    }

    /// An agent is shown from this line on: further down there is nothing.
    pub(crate) fn scrolled(&mut self, to: Option<u16>) {
        if let (Screen::Agent { from }, Some(to)) = (&mut self.screen, to) {
            *from = to;
        }
    }

    pub(crate) fn rows(&self) -> Vec<&Agent> {
        self.snapshot.rows(self.order, &self.filter)
    }

    pub(crate) fn selected(&self) -> Option<&Agent> {
        self.snapshot.agent(self.selected.as_ref()?)
    }

    /// Which row is selected.
    pub(crate) fn row(&self) -> Option<usize> {
        let key = self.selected.as_ref()?;
        self.rows().iter().position(|agent| agent.is(key))
    }

    /// Keeps the selection on its agent, or where that stood.
    fn settle(&mut self) {
        match (self.hold, self.row()) {
            (Hold::First, _) => self.select(0),
            (Hold::Chosen, Some(at)) => self.at = at,
            (Hold::Chosen, None) => self.select(self.at),
        }
        if self.selected.is_none() {
            self.screen = Screen::List;
        }
    }

    fn select(&mut self, at: usize) {
        let rows = self.rows();
        let at = at.min(rows.len().saturating_sub(1));
        let key = rows.get(at).map(|agent| agent.key());
        self.at = at;
        self.selected = key;
    }

    fn go(&mut self, by: i32) {
        if let Overlay::ChooseTool { tools, at, .. } = &mut self.overlay {
            *at = moved(*at, by).min(tools.len().saturating_sub(1));
            return;
        }
        match &mut self.screen {
            Screen::List => {
                self.hold = Hold::Chosen;
                self.select(moved(self.at, by));
            }
            Screen::Agent { from } => {
                *from = u16::try_from(moved((*from).into(), by)).unwrap_or(u16::MAX);
            }
        }
    }

    fn open(&mut self) -> Option<Effect> {
        match std::mem::take(&mut self.overlay) {
            Overlay::None if self.selected.is_some() => {
                self.hold = Hold::Chosen;
                self.screen = Screen::Agent { from: 0 };
            }
            Overlay::ChooseTool { key, tools, at } => {
                if let Some(tool) = tools.get(at).cloned() {
                    self.overlay = Overlay::AskExempt { key, tool };
                }
            }
            // A question wants a word, and Enter is pressed too easily.
            question @ (Overlay::AskReset(_) | Overlay::AskExempt { .. }) => {
                self.overlay = question;
            }
            Overlay::None | Overlay::Help | Overlay::Filter => {}
        }
        None
    }

    fn back(&mut self) {
        match std::mem::take(&mut self.overlay) {
            Overlay::None => match self.screen {
                Screen::Agent { .. } => self.screen = Screen::List,
                Screen::List => {
                    self.filter.clear();
                    self.settle();
                }
            },
            Overlay::Filter => {
                self.filter.clear();
                self.settle();
            }
            _ => {}
        }
    }

    fn yes(&mut self) -> Option<Effect> {
        match std::mem::take(&mut self.overlay) {
            Overlay::AskReset(key) => Some(Effect::Reset(key)),
            Overlay::AskExempt { key, tool } => Some(Effect::Exempt { key, tool }),
            other => {
                self.overlay = other;
                None
            }
        }
    }

    /// Asks something about the selected agent, if it can be done at all.
    fn ask(&mut self, question: impl FnOnce(Key, &Agent) -> Option<Overlay>) {
        let Some(agent) = self.selected() else {
            return;
        };
        let asked = match agent.source {
            Source::Hooks => question(agent.key(), agent)
                .ok_or_else(|| "no tool of this agent is known yet".to_owned()),
            Source::Proxy => Err("it is behind a proxy: `unstuck reset` resets it".to_owned()),
            Source::Transcript => Err(no_hooks(&agent.about.host)),
        };
        self.hold = Hold::Chosen;
        match asked {
            Ok(overlay) => self.overlay = overlay,
            Err(why) => self.notice = Some(Notice::Problem(why)),
        }
    }
}

/// The tools to choose from, the most used first.
fn choose(key: Key, agent: &Agent) -> Option<Overlay> {
    let mut tools: Vec<_> = agent.about.activity.tools.iter().collect();
    tools.sort_by_key(|used| std::cmp::Reverse(used.calls));
    let tools: Vec<_> = tools.into_iter().map(|used| used.tool.clone()).collect();
    (!tools.is_empty()).then_some(Overlay::ChooseTool { key, tools, at: 0 })
}

/// Why nothing can be done, and what to do about it; short enough for a narrow terminal.
fn no_hooks(host: &str) -> String {
    let what = host.parse::<Host>().map_or("--help", Host::name);
    format!("no hooks, so nothing to do: `unstuck install {what}`")
}

fn moved(at: usize, by: i32) -> usize {
    let way = by.unsigned_abs() as usize;
    if by < 0 {
        at.saturating_sub(way)
    } else {
        at.saturating_add(way)
    }
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
