//! Words in the names of tools, and tools that run a shell.

use super::letters::Table;

/// Properties of a tool by the words in its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToolWords(u16);

impl ToolWords {
    pub(crate) const READS: Self = Self(1);
    pub(crate) const WRITES: Self = Self(1 << 1);
    /// What it writes is not the whole of something.
    pub(crate) const WRITES_IN_PART: Self = Self(1 << 2);
    /// It looks after something that runs elsewhere.
    pub(crate) const WAITS: Self = Self(1 << 3);
    /// It waits.
    pub(crate) const SLEEPS: Self = Self(1 << 4);
    /// It hands work to another agent.
    pub(crate) const HANDS_OVER: Self = Self(1 << 5);
    /// It is about other agents.
    pub(crate) const AGENTS: Self = Self(1 << 6);
    /// It sends a message or starts something.
    pub(crate) const TELLS: Self = Self(1 << 7);
    /// It reads files, lists something or searches.
    pub(crate) const LOOKS: Self = Self(1 << 8);
    /// It reads the progress of something.
    pub(crate) const STATUS: Self = Self(1 << 9);
    /// It is about a repository.
    pub(crate) const GIT: Self = Self(1 << 10);
    /// A string that is all it takes is a query.
    pub(crate) const ASKS: Self = Self(1 << 11);
    /// It puts a value in the place of another one.
    pub(crate) const SETS: Self = Self(1 << 12);
    /// The same, and it may have one target alone, which is not an argument.
    pub(crate) const SETS_ONE: Self = Self(1 << 13);

    /// It takes a thought, and changes nothing.
    pub(crate) const THINKS: Self = Self(1 << 14);

    pub(crate) fn of(tool: &str) -> Self {
        words(tool).map(of_word).fold(Self::default(), Self::and)
    }

    /// The properties of both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the name has all of these properties.
    pub(crate) fn say(self, said: Self) -> bool {
        self.0 & said.0 == said.0
    }
}

/// Words in names of tools with what they say about the tool.
const WORDS: [(&str, ToolWords); 81] = [
    ("adjust", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("agent", ToolWords::AGENTS),
    ("agents", ToolWords::AGENTS),
    ("append", ToolWords::WRITES.and(ToolWords::WRITES_IN_PART)),
    ("apply", ToolWords::WRITES),
    ("ask", ToolWords::TELLS.and(ToolWords::ASKS)),
    ("assign", ToolWords::SETS),
    ("await", ToolWords::WAITS),
    ("call", ToolWords::TELLS),
    ("cat", ToolWords::LOOKS),
    ("change", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("choose", ToolWords::SETS),
    ("commit", ToolWords::WRITES),
    ("configure", ToolWords::SETS),
    ("create", ToolWords::WRITES),
    ("delegate", ToolWords::HANDS_OVER),
    ("delete", ToolWords::WRITES),
    ("dispatch", ToolWords::HANDS_OVER),
    ("edit", ToolWords::WRITES.and(ToolWords::SETS)),
    ("enter", ToolWords::SETS),
    ("fetch", ToolWords::READS),
    ("fill", ToolWords::SETS),
    ("find", ToolWords::READS.and(ToolWords::LOOKS)),
    ("get", ToolWords::READS),
    ("git", ToolWords::GIT),
    ("glob", ToolWords::READS.and(ToolWords::LOOKS)),
    ("grep", ToolWords::READS.and(ToolWords::LOOKS)),
    ("handoff", ToolWords::HANDS_OVER),
    ("input", ToolWords::SETS),
    ("insert", ToolWords::WRITES.and(ToolWords::WRITES_IN_PART)),
    ("inspect", ToolWords::READS),
    ("list", ToolWords::READS.and(ToolWords::LOOKS)),
    ("load", ToolWords::READS.and(ToolWords::LOOKS)),
    ("look", ToolWords::READS.and(ToolWords::LOOKS)),
    ("lookup", ToolWords::ASKS),
    ("ls", ToolWords::LOOKS),
    ("message", ToolWords::TELLS),
    ("mkdir", ToolWords::WRITES),
    ("modify", ToolWords::SETS),
    ("move", ToolWords::WRITES),
    ("open", ToolWords::READS.and(ToolWords::LOOKS)),
    ("patch", ToolWords::WRITES),
    ("plan", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("poll", ToolWords::WAITS),
    ("progress", ToolWords::STATUS),
    ("put", ToolWords::SETS),
    (
        "query",
        ToolWords::READS.and(ToolWords::LOOKS).and(ToolWords::ASKS),
    ),
    ("read", ToolWords::READS.and(ToolWords::LOOKS)),
    ("remove", ToolWords::WRITES),
    ("rename", ToolWords::WRITES),
    ("replace", ToolWords::WRITES.and(ToolWords::SETS)),
    ("rewrite", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("run", ToolWords::TELLS),
    ("save", ToolWords::WRITES),
    (
        "search",
        ToolWords::READS.and(ToolWords::LOOKS).and(ToolWords::ASKS),
    ),
    ("select", ToolWords::SETS),
    (
        "send",
        ToolWords::WRITES
            .and(ToolWords::WRITES_IN_PART)
            .and(ToolWords::TELLS),
    ),
    ("sessions", ToolWords::AGENTS),
    ("set", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("show", ToolWords::READS.and(ToolWords::LOOKS)),
    ("sleep", ToolWords::SLEEPS),
    ("spawn", ToolWords::TELLS),
    ("status", ToolWords::READS.and(ToolWords::STATUS)),
    ("stdin", ToolWords::WAITS),
    ("subagent", ToolWords::HANDS_OVER),
    ("task", ToolWords::HANDS_OVER),
    ("think", ToolWords::THINKS),
    ("thinking", ToolWords::THINKS),
    ("thought", ToolWords::THINKS),
    ("todo", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("todos", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("tree", ToolWords::LOOKS),
    ("tune", ToolWords::SETS.and(ToolWords::SETS_ONE)),
    ("type", ToolWords::SETS),
    (
        "update",
        ToolWords::WRITES
            .and(ToolWords::SETS)
            .and(ToolWords::SETS_ONE),
    ),
    ("upload", ToolWords::WRITES),
    ("view", ToolWords::READS.and(ToolWords::LOOKS)),
    ("wait", ToolWords::WAITS),
    ("watch", ToolWords::WAITS),
    ("worker", ToolWords::AGENTS),
    (
        "write",
        ToolWords::WRITES
            .and(ToolWords::SETS)
            .and(ToolWords::SETS_ONE),
    ),
];

static TABLE: Table<ToolWords, 256> = Table::of(&WORDS);

fn of_word(word: &str) -> ToolWords {
    TABLE.get(word.as_bytes()).unwrap_or_default()
}

/// Tools that run commands of shells that are not POSIX shells.
const FOREIGN_SHELLS: [&str; 2] = ["cmd", "powershell"];

/// Whether a tool runs shell commands.
pub(crate) fn is_shell(tool: &str) -> bool {
    const LONGEST: usize = 17;
    let mut letters = [0; LONGEST];
    let Some(letters) = letters.get_mut(..tool.len()) else {
        return false;
    };
    letters.copy_from_slice(tool.as_bytes());
    letters.make_ascii_lowercase();
    matches!(
        &*letters,
        b"bash"
            | b"bash_tool"
            | b"cmd"
            | b"exec"
            | b"exec_command"
            | b"execute_bash"
            | b"execute_command"
            | b"local_shell"
            | b"powershell"
            | b"run_command"
            | b"run_in_terminal"
            | b"run_shell_command"
            | b"run_terminal_cmd"
            | b"sh"
            | b"shell"
            | b"shell_command"
            | b"terminal"
            | b"unified_exec"
    )
}

/// Whether a tool runs commands of another kind of shell.
pub(crate) fn is_foreign_shell(tool: &str) -> bool {
    FOREIGN_SHELLS
        .iter()
        .any(|shell| shell.eq_ignore_ascii_case(tool))
}

/// Whether a program is a shell, which takes a script as its last argument.
pub(crate) fn is_shell_program(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    matches!(
        name,
        "bash" | "cmd" | "cmd.exe" | "powershell" | "powershell.exe" | "pwsh" | "sh" | "zsh"
    )
}

/// Programs that read a file whole or in part, and do nothing else.
pub(crate) const READERS: [&str; 10] = [
    "cat",
    "file",
    "head",
    "less",
    "md5sum",
    "more",
    "sha256sum",
    "stat",
    "tail",
    "wc",
];

/// The words of a tool's name: `read_file`, `ReadFile`, `fs__read-file` and `fs.read` all have `read`.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let start = bytes.iter().position(u8::is_ascii_alphanumeric)?;
        rest = &rest[start..];
        let bytes = &bytes[start..];
        let mut end = 1;
        while end < bytes.len() && bytes[end].is_ascii_alphanumeric() {
            // A capital after a small letter starts the next word.
            if bytes[end].is_ascii_uppercase() && bytes[end - 1].is_ascii_lowercase() {
                break;
            }
            end += 1;
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
