//! One file of an install: how something is added to it, found in it and taken out of it.

use std::path::PathBuf;

use crate::{
    Host, Invocation,
    edit::{EditError, Edited, Node, Record, Rest, Wish, json, toml, undo},
    invocation::{is_our_status_line, is_ours, runs_ours},
};

/// What files of ours say about themselves, so that they are known again.
pub(crate) const MARKER: &str = "unstuck install";

/// A file that an install makes or changes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whether anyone else has a reason to write to it.
    pub ownership: Ownership,
    /// What is to be in it.
    pub content: Content,
    /// The host whose hooks it holds.
    pub host: Host,
}

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// It is there for us alone.
    Ours,
    /// It is the user's, or the host's.
    Shared,
}

/// What is to be in a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Entries in lists of a JSON document.
    Json {
        /// Where the lists of hooks are.
        base: &'static [&'static str],
        /// Members of the root that the host demands.
        defaults: Vec<(&'static str, Node)>,
        /// The entries.
        wishes: Vec<Wish>,
    },
    /// Entries in lists of a TOML document.
    Toml {
        /// Where the lists of hooks are.
        base: &'static [&'static str],
        /// The entries.
        wishes: Vec<Wish>,
    },
    /// All of it.
    Whole {
        /// The text.
        text: String,
        /// Whether it is run.
        access: Access,
    },
}

/// What may be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read and write.
    Data,
    /// Run as well.
    Program,
}

/// Whether our hooks are in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Registration {
    /// None of them.
    Absent,
    /// Someone else's file is in the place of ours.
    Occupied,
    /// Some of them, or others than this program would write now.
    Different,
    /// All of them, as they are written now.
    Complete,
}

/// Whose status line a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusLine {
    /// The one that an install wrote.
    Ours,
    /// The user's.
    Foreign,
}

/// A text without what is ours.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed {
    /// The new text.
    pub text: String,
    /// Whether it says anything.
    pub rest: Rest,
}

impl PlannedFile {
    /// A JSON document of the user's with its hooks under `hooks`.
    pub(crate) fn json(host: Host, path: PathBuf, wishes: Vec<Wish>) -> Self {
        let content = Content::Json {
            base: HOOKS,
            defaults: Vec::new(),
            wishes,
        };
        Self {
            path,
            ownership: Ownership::Shared,
            content,
            host,
        }
    }

    /// The same with `version`, which its host demands.
    pub(crate) fn with_version(mut self) -> Self {
        if let Content::Json { defaults, .. } = &mut self.content {
            defaults.push(("version", Node::Number(1)));
        }
        self
    }

    /// The same with its lists of hooks at the root.
    pub(crate) fn at_root(mut self) -> Self {
        if let Content::Json { base, .. } = &mut self.content {
            *base = &[];
        }
        self
    }

    /// The same in a file of our own.
    pub(crate) fn alone(self) -> Self {
        Self {
            ownership: Ownership::Ours,
            ..self
        }
    }

    pub(crate) fn toml(host: Host, path: PathBuf, wishes: Vec<Wish>) -> Self {
        let content = Content::Toml {
            base: HOOKS,
            wishes,
        };
        Self {
            path,
            ownership: Ownership::Shared,
            content,
            host,
        }
    }

    pub(crate) fn whole(host: Host, path: PathBuf, text: String, access: Access) -> Self {
        Self {
            path,
            ownership: Ownership::Ours,
            content: Content::Whole { text, access },
            host,
        }
    }

    /// The same with the status line of a host that has one in the same file. One that is there already is kept.
    #[must_use]
    pub fn with_status_line(mut self, invocation: &Invocation) -> Self {
        if let Content::Json { defaults, .. } = &mut self.content {
            let line = Node::Table(vec![
                ("type", Node::Text("command".to_owned())),
                ("command", Node::Text(invocation.of_status_line())),
            ]);
            defaults.push((STATUS_LINE, line));
        }
        self
    }

    /// The command of the status line in this text, and whose it is. `None` if there is none.
    pub fn status_line(&self, current: &str) -> Result<Option<StatusLine>, EditError> {
        let (_, current) = split_mark(current);
        if !matches!(self.content, Content::Json { .. }) || !json::has_member(current, STATUS_LINE)?
        {
            return Ok(None);
        }
        let command = json::command_of_member(current, STATUS_LINE)?;
        Ok(Some(match command {
            Some(command) if is_our_status_line(&command) => StatusLine::Ours,
            _ => StatusLine::Foreign,
        }))
    }

    /// Whether our hooks are in this text.
    pub fn registration(&self, current: Option<&str>) -> Result<Registration, EditError> {
        let Some(current) = current else {
            return Ok(Registration::Absent);
        };
        let wishes = match &self.content {
            Content::Whole { text, access } => {
                let is_ours = current.contains(MARKER)
                    && (*access == Access::Data || is_only_ours(current, self.host));
                return Ok(match current {
                    _ if current == text => Registration::Complete,
                    _ if is_ours => Registration::Different,
                    _ => Registration::Occupied,
                });
            }
            Content::Json { wishes, .. } | Content::Toml { wishes, .. } => wishes,
        };
        let mut found = self.commands(current)?;
        let mut wanted: Vec<_> = wishes.iter().filter_map(registered_by).collect();
        found.sort();
        wanted.sort();
        Ok(match found {
            _ if found.is_empty() => Registration::Absent,
            _ if found == wanted => Registration::Complete,
            _ => Registration::Different,
        })
    }

    /// Our hooks in this text: the event and the command line of each.
    pub fn commands(&self, current: &str) -> Result<Vec<(String, String)>, EditError> {
        let mut found = self.all_commands(current)?;
        found.retain(|(_, command)| is_ours(command, self.host));
        Ok(found)
    }

    /// Command lines in this text that run our hook among other things. An install wrote none of them.
    pub fn foreign_commands(&self, current: &str) -> Result<Vec<String>, EditError> {
        let found = self.all_commands(current)?.into_iter();
        let found = found.map(|(_, command)| command);
        Ok(found
            .filter(|command| runs_ours(command, self.host))
            .collect())
    }

    fn all_commands(&self, current: &str) -> Result<Vec<(String, String)>, EditError> {
        let (_, current) = split_mark(current);
        match &self.content {
            Content::Json { base, .. } => json::commands(current, base),
            Content::Toml { base, .. } => toml::commands(current, base),
            Content::Whole { .. } => Ok(commands_of_program(current, self.host)),
        }
    }

    /// The command lines that this file is to make the host run.
    pub fn commands_of_ours(&self) -> Vec<String> {
        let commands: Vec<_> = match &self.content {
            Content::Json { wishes, .. } | Content::Toml { wishes, .. } => {
                wishes.iter().filter_map(registered_by).collect()
            }
            Content::Whole { text, .. } => commands_of_program(text, self.host),
        };
        commands.into_iter().map(|(_, command)| command).collect()
    }

    /// The text with our hooks in it, and without older ones of ours.
    pub fn add(&self, current: Option<&str>, record: Option<&Record>) -> Result<Edited, EditError> {
        let base = match current {
            Some(current) => self.remove(current, record)?.text,
            None => String::new(),
        };
        let (mark, base) = split_mark(&base);
        let mut edited = match &self.content {
            Content::Json {
                defaults, wishes, ..
            } => json::insert(base, defaults, wishes)?,
            Content::Toml { wishes, .. } => toml::insert(base, wishes)?,
            Content::Whole { text, .. } => Edited {
                text: text.clone(),
                record: Record::default(),
            },
        };
        edited.text.insert_str(0, mark);
        for step in &mut edited.record.steps {
            step.at += mark.len();
        }
        Ok(edited)
    }

    /// The text without our hooks.
    pub fn remove(&self, current: &str, record: Option<&Record>) -> Result<Removed, EditError> {
        if let Some(record) = record
            && let Some(text) = undo(current, &record.steps)
            && !record.steps.is_empty()
            && self.commands(&text).is_ok_and(|left| left.is_empty())
        {
            let rest = self.rest(&text)?;
            return Ok(Removed { text, rest });
        }
        let ours = |command: &str| is_ours(command, self.host);
        let (mark, rest) = split_mark(current);
        let text = match &self.content {
            Content::Json { base, .. } => {
                let text = json::remove(rest, base, &ours, record)?;
                mark.to_owned() + &json::remove_member(&text, STATUS_LINE, &is_our_status_line)?
            }
            Content::Toml { base, .. } => mark.to_owned() + &toml::remove(rest, base, &ours)?,
            Content::Whole { .. } => String::new(),
        };
        let rest = self.rest(&text)?;
        Ok(Removed { text, rest })
    }

    fn rest(&self, text: &str) -> Result<Rest, EditError> {
        let (_, text) = split_mark(text);
        match &self.content {
            Content::Json { defaults, .. } => {
                let defaults: Vec<_> = defaults.iter().map(|(key, _)| *key).collect();
                json::rest(text, &defaults)
            }
            Content::Toml { .. } => Ok(toml::rest(text)),
            Content::Whole { .. } => Ok(Rest::Nothing),
        }
    }
}

/// A byte order mark, as some editors put in front, and the rest.
fn split_mark(text: &str) -> (&str, &str) {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    text.split_at(mark)
}

/// The member of the root that holds a status line.
const STATUS_LINE: &str = "statusLine";

/// Where hosts keep their hooks.
const HOOKS: &[&str] = &["hooks"];

/// The event and the command line of an entry.
fn registered_by(wish: &Wish) -> Option<(String, String)> {
    let event = wish.list.last()?;
    let command = command_of(&wish.element)?;
    Some((event.clone(), command))
}

/// What a file of ours runs: a script that hands over to us, or a plugin that names our program.
fn commands_of_program(text: &str, host: Host) -> Vec<(String, String)> {
    let line = |line: &str| {
        if let Some(program) = line.strip_prefix("const PROGRAM = ") {
            let program: String = serde_json::from_str(program).ok()?;
            return Some((String::new(), Invocation::new(program).of(host)));
        }
        let command = line
            .strip_prefix("exec ")
            .or_else(|| line.strip_prefix("$input | & "))?;
        let event = command.rsplit(' ').next().unwrap_or_default();
        Some((event.to_owned(), command.to_owned()))
    };
    text.lines().filter_map(line).collect()
}

/// Whether a script does nothing beside handing over to us. One that a user has added to is the user's.
fn is_only_ours(script: &str, host: Host) -> bool {
    let mut lines = script.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    lines.all(|line| {
        let commands = commands_of_program(line, host);
        commands.iter().any(|(_, command)| is_ours(command, host))
    })
}

fn command_of(node: &Node) -> Option<String> {
    let Node::Table(members) = node else {
        return None;
    };
    members.iter().find_map(|(key, node)| match (*key, node) {
        ("command" | "bash" | "powershell", Node::Text(command)) => Some(command.clone()),
        ("hooks", Node::List(handlers)) => handlers.iter().find_map(command_of),
        _ => None,
    })
}
