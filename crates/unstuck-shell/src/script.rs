//! A parsed script: commands, operators and redirections.

use crate::word::Word;

/// A script: simple commands, the operators between them, and the keywords around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script<'s> {
    pub(crate) commands: Vec<Simple<'s>>,
    /// Everything in order, where there are keywords; a script without is its commands and their links.
    pub(crate) tokens: Vec<Token>,
    /// Whether the last command runs in the background.
    pub(crate) background: bool,
}

/// A command with its words: `NAME=value command word… < file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple<'s> {
    pub(crate) link: Link,
    pub(crate) role: Role,
    pub(crate) assignments: Vec<(&'s str, Word<'s>)>,
    pub(crate) words: Vec<Word<'s>>,
    pub(crate) redirects: Vec<Redirect<'s>>,
}

impl<'s> Simple<'s> {
    /// The command and its arguments.
    pub fn words(&self) -> &[Word<'s>] {
        &self.words
    }

    /// The operator between it and the command before it.
    pub fn link(&self) -> Link {
        self.link
    }
}

/// The kind of a simple command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Command,
    /// The words between `for` and `do`.
    Header,
}

/// The operator between a command and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// Nothing: it is the first, of the script or after a keyword.
    Start,
    /// `;` or a new line.
    Then,
    /// `&`
    Background,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
}

impl Link {
    /// Returns the operator as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "",
            Self::Then => ";",
            Self::Background => "&",
            Self::And => "&&",
            Self::Or => "||",
            Self::Pipe => "|",
        }
    }
}

/// A part of a script with keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Command(usize),
    Keyword(&'static str),
    Link(Link),
}

/// Where input comes from or output goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect<'s> {
    pub(crate) descriptor: Option<u8>,
    pub(crate) kind: RedirectKind,
    pub(crate) target: Word<'s>,
}

impl Redirect<'_> {
    /// Whether it writes to a file that remains.
    pub(crate) fn writes(&self) -> bool {
        match self.kind {
            RedirectKind::Output | RedirectKind::Append | RedirectKind::Both => !matches!(
                self.target.text(),
                "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"
            ),
            RedirectKind::Input | RedirectKind::Text | RedirectKind::Duplicate => false,
        }
    }

    /// Whether it changes input or output, and not only where messages are shown.
    pub(crate) fn matters(&self) -> bool {
        matches!(self.kind, RedirectKind::Input | RedirectKind::Text) || self.writes()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// `< file`
    Input,
    /// `<<< text`, and a document that ends with a word.
    Text,
    /// `> file`
    Output,
    /// `>> file`
    Append,
    /// `&> file`
    Both,
    /// `2>&1`, `<&3`
    Duplicate,
}

impl<'s> Script<'s> {
    /// The simple commands in order, those within loops and conditions too.
    pub fn commands(&self) -> impl Iterator<Item = &Simple<'s>> {
        let commands = self.commands.iter();
        commands.filter(|command| command.role == Role::Command)
    }

    /// Whether it is a plain list of pipelines, without keywords.
    pub fn is_flat(&self) -> bool {
        self.tokens.is_empty()
    }
}
