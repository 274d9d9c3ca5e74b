//! Words in the names of tools, and tools that run a shell.

use std::ops::BitOr;

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
        words(tool).map(of_word).fold(Self::default(), Self::bitor)
    }

    /// Whether the name has all of these properties.
    pub(crate) fn say(self, said: Self) -> bool {
        self.0 & said.0 == said.0
    }
}

impl BitOr for ToolWords {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn of_word(word: &str) -> ToolWords {
    const LONGEST: usize = 9;
    let mut letters = [0; LONGEST];
    let Some(letters) = letters.get_mut(..word.len()) else {
        return ToolWords::default();
    };
    letters.copy_from_slice(word.as_bytes());
    letters.make_ascii_lowercase();
    match &*letters {
        b"append" | b"insert" => ToolWords::WRITES | ToolWords::WRITES_IN_PART,
        b"send" => ToolWords::WRITES | ToolWords::WRITES_IN_PART | ToolWords::TELLS,
        b"apply" | b"commit" | b"create" | b"delete" | b"mkdir" | b"move" | b"patch"
        | b"remove" | b"rename" | b"save" | b"upload" => ToolWords::WRITES,
        b"edit" | b"replace" => ToolWords::WRITES | ToolWords::SETS,
        b"update" | b"write" => ToolWords::WRITES | ToolWords::SETS | ToolWords::SETS_ONE,
        b"adjust" | b"change" | b"plan" | b"rewrite" | b"set" | b"todo" | b"todos" | b"tune" => {
            ToolWords::SETS | ToolWords::SETS_ONE
        }
        b"assign" | b"choose" | b"configure" | b"enter" | b"fill" | b"input" | b"modify"
        | b"put" | b"select" | b"type" => ToolWords::SETS,
        b"find" | b"glob" | b"grep" | b"list" | b"load" | b"look" | b"open" | b"read" | b"show"
        | b"view" => ToolWords::READS | ToolWords::LOOKS,
        b"query" | b"search" => ToolWords::READS | ToolWords::LOOKS | ToolWords::ASKS,
        b"lookup" => ToolWords::ASKS,
        b"ask" => ToolWords::TELLS | ToolWords::ASKS,
        b"cat" | b"ls" | b"tree" => ToolWords::LOOKS,
        b"fetch" | b"get" | b"inspect" => ToolWords::READS,
        b"think" | b"thinking" | b"thought" => ToolWords::THINKS,
        b"status" => ToolWords::READS | ToolWords::STATUS,
        b"progress" => ToolWords::STATUS,
        b"git" => ToolWords::GIT,
        b"await" | b"poll" | b"stdin" | b"wait" | b"watch" => ToolWords::WAITS,
        b"sleep" => ToolWords::SLEEPS,
        b"delegate" | b"dispatch" | b"handoff" | b"subagent" | b"task" => ToolWords::HANDS_OVER,
        b"agent" | b"agents" | b"sessions" | b"worker" => ToolWords::AGENTS,
        b"call" | b"message" | b"run" | b"spawn" => ToolWords::TELLS,
        _ => ToolWords::default(),
    }
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
