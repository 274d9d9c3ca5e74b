//! The entry of one server, by places in the text: what starts it, and where the words of the proxy go.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::edit::quoted;

/// A server as a client lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedServer {
    /// The name.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
}

/// How a server is started.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Launch {
    /// By a command.
    Plain,
    /// By a command that runs it behind `unstuck mcp`.
    Wrapped {
        /// The program that does.
        program: String,
    },
    /// Not at all: it is somewhere else already.
    Url(String),
    /// It cannot be told.
    Unclear,
}

/// The proxy's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    /// The program, by path or by name.
    pub program: String,
    /// Options for `unstuck mcp`.
    pub options: Vec<String>,
}

/// A text with a server behind the proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wrapped {
    /// The new text.
    pub text: String,
    /// What was changed.
    pub changes: EntryChanges,
}

/// What was changed in the entry of a server, so that it can be taken back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryChanges {
    /// The changes, in the order of their places.
    pub steps: Vec<EntryChange>,
}

/// One change, by its place in the new text, counted in bytes from the start of the entry's command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryChange {
    /// The place.
    pub at: isize,
    /// What stood there.
    pub old: String,
    /// What stands there now.
    pub new: String,
}

/// What starts a server, by places in the text.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) command: Command,
    pub(super) url: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) enum Command {
    /// None, or one that is not understood.
    Missing,
    /// A program and its arguments in two members.
    Split {
        program: Token,
        arguments: Arguments,
    },
    /// Both in one list.
    Whole(List),
}

#[derive(Clone, Debug)]
pub(super) enum Arguments {
    Listed(List),
    /// There are none; a member would go here, between these two texts.
    Absent {
        at: usize,
        before: String,
        after: String,
    },
}

/// A string as it is written.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    pub(super) value: String,
}

/// A list of strings.
#[derive(Clone, Debug)]
pub(super) struct List {
    /// The opening bracket.
    pub(super) open: usize,
    pub(super) items: Vec<Token>,
}

/// A piece of the text and what goes in its place.
struct Swap {
    range: Range<usize>,
    new: String,
}

impl Entry {
    pub(super) fn launch(&self) -> Launch {
        let (program, arguments) = match (&self.command, &self.url) {
            (Command::Split { program, arguments }, _) => (program, arguments.items()),
            (Command::Whole(list), _) if !list.items.is_empty() => {
                (&list.items[0], &list.items[1..])
            }
            (_, Some(url)) => return Launch::Url(url.clone()),
            _ => return Launch::Unclear,
        };
        if is_proxy(&program.value, arguments) {
            let program = program.value.clone();
            return Launch::Wrapped { program };
        }
        Launch::Plain
    }

    pub(super) fn wrap(&self, text: &str, server: &str, wrapper: &Wrapper) -> Option<Wrapped> {
        let mut words = vec!["mcp".to_owned(), "--name".to_owned(), server.to_owned()];
        words.extend(wrapper.options.iter().cloned());
        words.push("--".to_owned());
        let mut words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
        let program_word = quoted(&wrapper.program);
        let swaps = match &self.command {
            Command::Missing => return None,
            Command::Whole(list) => {
                words.insert(0, program_word);
                vec![list.prepend(text, &words)]
            }
            Command::Split { program, arguments } => {
                // As it is written, so that it comes back as it was.
                words.push(text[program.range.clone()].to_owned());
                let arguments = match arguments {
                    Arguments::Listed(list) => list.prepend(text, &words),
                    Arguments::Absent { at, before, after } => Swap {
                        range: *at..*at,
                        new: format!("{before}[{}]{after}", words.join(", ")),
                    },
                };
                let program = Swap {
                    range: program.range.clone(),
                    new: program_word,
                };
                vec![program, arguments]
            }
        };
        Some(apply(text, swaps, self.anchor()?))
    }

    /// Takes recorded changes back; `None` if the text no longer has them.
    pub(super) fn undo(&self, text: &str, changes: &EntryChanges) -> Option<String> {
        let anchor = self.anchor()?;
        let mut old = text.to_owned();
        for change in changes.steps.iter().rev() {
            let start = anchor.checked_add_signed(change.at)?;
            let range = start..start.checked_add(change.new.len())?;
            if old.get(range.clone())? != change.new {
                return None;
            }
            old.replace_range(range, &change.old);
        }
        Some(old)
    }

    /// Takes the words of the proxy out.
    pub(super) fn unwrap(&self, text: &str) -> Option<String> {
        let swaps = match &self.command {
            Command::Missing => return None,
            Command::Whole(list) => {
                let inner = inner(&list.items)?;
                vec![list.without(text, inner)]
            }
            Command::Split { program, arguments } => {
                let Arguments::Listed(list) = arguments else {
                    return None;
                };
                let inner = inner(&list.items)?;
                let moved = list.items.get(inner)?;
                let program = Swap {
                    range: program.range.clone(),
                    new: text[moved.range.clone()].to_owned(),
                };
                vec![program, list.without(text, inner + 1)]
            }
        };
        Some(apply(text, swaps, self.anchor()?).text)
    }

    /// The start of the command, from which places are counted: the rest of the file may change.
    fn anchor(&self) -> Option<usize> {
        match &self.command {
            Command::Missing => None,
            Command::Split { program, .. } => Some(program.range.start),
            Command::Whole(list) => Some(list.open),
        }
    }
}

impl Arguments {
    fn items(&self) -> &[Token] {
        match self {
            Self::Listed(list) => &list.items,
            Self::Absent { .. } => &[],
        }
    }
}

impl List {
    /// Puts words in front, in the layout that is there.
    fn prepend(&self, text: &str, words: &[String]) -> Swap {
        let words = words.join(", ");
        let Some(first) = self.items.first() else {
            let at = self.open + 1;
            return Swap {
                range: at..at,
                new: words,
            };
        };
        let at = first.range.start;
        let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = &text[line..at];
        let apart = if line > 0 && before.chars().all(char::is_whitespace) {
            let newline = if text[..line].ends_with("\r\n") {
                "\r\n"
            } else {
                "\n"
            };
            format!(",{newline}{before}")
        } else {
            ", ".to_owned()
        };
        Swap {
            range: at..at,
            new: format!("{words}{apart}"),
        }
    }

    /// Takes so many words off the front.
    fn without(&self, text: &str, count: usize) -> Swap {
        let start = self
            .items
            .first()
            .map_or(self.open + 1, |item| item.range.start);
        let end = match (self.items.get(count), self.items.last()) {
            (Some(next), _) => next.range.start,
            (None, Some(last)) => {
                let rest = &text[last.range.end..];
                let comma = rest.trim_start().starts_with(',');
                last.range.end
                    + if comma {
                        rest.find(',').map_or(0, |at| at + 1)
                    } else {
                        0
                    }
            }
            (None, None) => start,
        };
        Swap {
            range: start..end,
            new: String::new(),
        }
    }
}

impl Wrapped {
    /// The same behind a byte order mark.
    pub(super) fn behind(mut self, mark: &str) -> Self {
        self.text.insert_str(0, mark);
        self
    }
}

/// A byte order mark, as some editors put in front, and the rest.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    text.split_at(mark)
}

fn apply(text: &str, mut swaps: Vec<Swap>, anchor: usize) -> Wrapped {
    swaps.sort_by_key(|swap| swap.range.start);
    let mut new = String::new();
    let mut done = 0;
    let mut new_anchor = anchor;
    let mut placed = Vec::new();
    for Swap { range, new: word } in swaps {
        new.push_str(&text[done..range.start]);
        if range.start < anchor {
            new_anchor = new_anchor + word.len() - range.len();
        }
        placed.push((new.len(), text[range.clone()].to_owned(), word.clone()));
        new.push_str(&word);
        done = range.end;
    }
    new.push_str(&text[done..]);
    let place = |at: usize| at.cast_signed() - new_anchor.cast_signed();
    let steps = placed.into_iter().map(|(at, old, new)| EntryChange {
        at: place(at),
        old,
        new,
    });
    let changes = EntryChanges {
        steps: steps.collect(),
    };
    Wrapped { text: new, changes }
}

/// Whether a command runs another one behind `unstuck mcp`, wherever the program is.
fn is_proxy(program: &str, arguments: &[Token]) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_named = name
        .strip_suffix(".exe")
        .unwrap_or(name)
        .starts_with("unstuck");
    is_named
        && arguments.first().is_some_and(|word| word.value == "mcp")
        && inner(arguments).is_some()
}

/// The place of the command that is run behind the proxy.
fn inner(words: &[Token]) -> Option<usize> {
    let separator = words.iter().position(|word| word.value == "--")?;
    (separator + 1 < words.len()).then_some(separator + 1)
}
