//! The command that a host runs, written for its shell and recognised again.

use crate::Host;

/// The name of the small program that answers hooks and does nothing else. It takes the same words as the command.
pub const HOOK_PROGRAM: &str = "unstuck-hook";

/// What stands behind the program in the command of a status line.
const STATUS_LINE: &str = " statusline";

/// The command line by which hosts run this program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invocation {
    /// The program: a path, or a name to be found on `PATH`.
    pub program: String,
    /// Whose words the shell reads.
    pub shell: ShellKind,
}

/// Whose words a shell reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellKind {
    /// `sh` and its kin.
    Posix,
    /// `cmd` and PowerShell.
    Windows,
}

impl Invocation {
    /// Runs a program, in the words of this platform's shell.
    pub fn new(program: impl Into<String>) -> Self {
        let shell = if cfg!(windows) {
            ShellKind::Windows
        } else {
            ShellKind::Posix
        };
        Self {
            program: program.into(),
            shell,
        }
    }

    /// The command line of a host's hook.
    pub fn of(&self, host: Host) -> String {
        format!("{} hook {host}", self.word())
    }

    /// The same for hosts whose input does not name the event.
    pub fn of_event(&self, host: Host, event: &str) -> String {
        format!("{} {event}", self.of(host))
    }

    /// The command line of the status line. The program is the command, not the one for hooks.
    pub fn of_status_line(&self) -> String {
        format!("{}{STATUS_LINE}", self.word())
    }

    fn word(&self) -> String {
        let program = &self.program;
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,=\\".contains(c);
        let is_plain = !program.is_empty() && program.chars().all(plain);
        match self.shell {
            ShellKind::Posix if is_plain && !program.contains('\\') => program.clone(),
            ShellKind::Windows if is_plain => program.clone(),
            ShellKind::Posix | ShellKind::Windows => self.quoted(),
        }
    }

    fn quoted(&self) -> String {
        let program = &self.program;
        match self.shell {
            ShellKind::Posix => format!("'{}'", program.replace('\'', r"'\''")),
            ShellKind::Windows => format!("\"{program}\""),
        }
    }
}

/// A command line that an install wrote: the program, `hook`, the host and at most the event, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnCommand {
    /// The program: a path, or a name to be found on `PATH`.
    pub program: String,
    /// The words behind the program.
    pub words: Vec<String>,
}

impl OwnCommand {
    /// Reads a command line. `None` unless the whole line is one that [`Invocation`] writes for this host.
    ///
    /// ```
    /// use unstuck_hosts::{Host, OwnCommand};
    ///
    /// let command = OwnCommand::parse("/usr/bin/unstuck hook codex", Host::Codex).unwrap();
    /// assert_eq!(command.program, "/usr/bin/unstuck");
    /// assert_eq!(command.words, ["hook", "codex"]);
    /// assert_eq!(OwnCommand::parse("date; unstuck hook codex", Host::Codex), None);
    /// ```
    pub fn parse(command: &str, host: Host) -> Option<Self> {
        let endings = host.spec().install.command_endings;
        let mut lines = endings.iter().filter_map(|end| command.strip_suffix(*end));
        let line = lines.next().unwrap_or(command);
        let (event, line) = match line.rsplit_once(' ') {
            Some((line, event)) if event != host.name() && is_event(event) => (Some(event), line),
            _ => (None, line),
        };
        let word = line.strip_suffix(&format!(" hook {host}"))?;
        let shells = [ShellKind::Posix, ShellKind::Windows].into_iter();
        let mut programs = shells.filter_map(|shell| {
            let program = unquoted(word, shell)?;
            let invocation = Invocation { program, shell };
            // The same text again, or it is more than one word.
            let is_one = invocation.word() == word || invocation.quoted() == word;
            is_one.then_some(invocation.program)
        });
        let program = programs.next()?;
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
        // An install writes whole paths and bare names; any other path is one of the project.
        let is_whole = program == name || is_absolute(&program);
        if !is_whole || !is_own_name(name) {
            return None;
        }
        let mut words = vec!["hook".to_owned(), host.name().to_owned()];
        words.extend(event.map(str::to_owned));
        Some(Self { program, words })
    }
}

/// Whether a command line is a hook that an install wrote for a host, wherever the program is.
pub fn is_ours(command: &str, host: Host) -> bool {
    OwnCommand::parse(command, host).is_some()
}

/// Whether a command line is a status line that an install wrote.
pub(crate) fn is_our_status_line(command: &str) -> bool {
    let hook = command.strip_suffix(STATUS_LINE);
    let hook = hook.map(|program| format!("{program} hook {}", Host::ClaudeCode));
    hook.is_some_and(|hook| is_ours(&hook, Host::ClaudeCode))
}

/// Whether a command line that is not ours runs our hook among other things. It is its owner's business.
pub fn runs_ours(command: &str, host: Host) -> bool {
    let words = words(command);
    let runs = words.windows(3).any(|words| {
        let program = words[0].rsplit(['/', '\\']).next().unwrap_or_default();
        is_own_name(program) && words[1] == "hook" && words[2] == host.name()
    });
    runs && !is_ours(command, host)
}

/// The program that a command line of ours runs.
pub fn program_of(command: &str, host: Host) -> Option<String> {
    OwnCommand::parse(command, host).map(|command| command.program)
}

/// Whether a file name is that of the command, or of the small program that answers hooks only.
fn is_own_name(name: &str) -> bool {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    matches!(name, "unstuck" | HOOK_PROGRAM)
}

/// Whether a path is absolute on any platform: files are shared between them.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1..3);
    path.starts_with(['/', '\\']) || matches!(drive, Some([b':', b'/' | b'\\']))
}

/// Events are named by letters alone.
fn is_event(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic())
}

/// A word of a shell without its quotes.
fn unquoted(word: &str, shell: ShellKind) -> Option<String> {
    let quote = match shell {
        ShellKind::Posix => '\'',
        ShellKind::Windows => '"',
    };
    let Some(inner) = word.strip_prefix(quote) else {
        return Some(word.to_owned());
    };
    let inner = inner.strip_suffix(quote)?;
    match shell {
        ShellKind::Posix => Some(inner.replace(r"'\''", "'")),
        // Between double quotes shells still replace some of these.
        ShellKind::Windows => {
            let is_plain = !inner.contains(['"', '$', '`', '%', '!', '\n', '\r']);
            is_plain.then(|| inner.to_owned())
        }
    }
}

/// The words of a command line, quotes taken off. Backslashes are left alone where they can be part of a path.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut characters = command.chars().peekable();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '\\') if characters.peek().is_some_and(|next| " '\"".contains(*next)) => {
                word.extend(characters.next());
            }
            (None, c) if c.is_whitespace() || ";|&(){}".contains(c) => {
                words.push(std::mem::take(&mut word));
            }
            (_, c) => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
#[path = "invocation_tests.rs"]
mod tests;
