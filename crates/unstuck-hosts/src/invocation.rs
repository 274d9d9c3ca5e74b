//! The command that a host runs, written for its shell and recognised again.

use crate::Host;

/// How hosts are told to run this program.
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

    fn word(&self) -> String {
        let program = &self.program;
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,=\\".contains(c);
        let is_plain = !program.is_empty() && program.chars().all(plain);
        match self.shell {
            ShellKind::Posix if is_plain && !program.contains('\\') => program.clone(),
            ShellKind::Posix => format!("'{}'", program.replace('\'', r"'\''")),
            ShellKind::Windows if is_plain => program.clone(),
            ShellKind::Windows => format!("\"{program}\""),
        }
    }
}

/// Whether a command line runs a hook of this program for a host, wherever the program is.
pub fn is_ours(command: &str, host: Host) -> bool {
    let words = words(command);
    words.windows(3).any(|words| {
        let program = words[0].rsplit(['/', '\\']).next().unwrap_or_default();
        matches!(program, "unstuck" | "unstuck.exe")
            && words[1] == "hook"
            && words[2] == host.name()
    })
}

/// The program that a command line of ours runs.
pub fn program_of(command: &str, host: Host) -> Option<String> {
    let words = words(command);
    let at = words
        .windows(3)
        .position(|words| words[1] == "hook" && words[2] == host.name())?;
    Some(words[at].clone())
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
