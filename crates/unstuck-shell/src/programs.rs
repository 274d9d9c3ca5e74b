//! Everything that is known about programs by name: one row per program in [`table`].
//!
//! The other modules ask for a property of a row and never compare names, so a program is added in one place.

pub(crate) mod display;
mod table;

pub(crate) use display::{Display, Shows};

/// What is known about a program. A program without a row has the defaults of [`UNKNOWN`].
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    /// Whether a copy of it in any `bin` directory is the same program.
    pub(crate) anywhere: bool,
    pub(crate) effect: ProgramEffect,
    pub(crate) options: Options,
    pub(crate) order: Order,
    pub(crate) prints: Prints,
    pub(crate) pages: Pages,
    pub(crate) asks: Asks,
    pub(crate) wraps: Wraps,
    pub(crate) interprets: Interprets,
    pub(crate) decorates: Decorates,
    pub(crate) tests: Tests,
    /// The options that change how results are shown and nothing else.
    pub(crate) display: Option<&'static Display>,
}

/// What a program does to files.
#[derive(Debug)]
pub(crate) enum ProgramEffect {
    Unknown,
    /// It neither reads nor writes files: `cd`, `echo`.
    Nothing,
    Reads,
    Writes(Written),
    /// It writes if its first operand is one of these, or its first two are.
    WritesFor(&'static [&'static str]),
    /// It reads, unless an option tells it to delete or to run something.
    Finds,
    /// It prints the changed text, unless an option tells it to change the file.
    Edits,
    /// It runs code, unless an option tells it to change files in place.
    EditsOrRuns,
}

/// Which operands of a writing program are the paths that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    None,
    All,
    Last,
    AllButFirst,
    /// All but the script, which is the first one or the value of `-e`.
    AllButScript,
    /// Those that a patch names.
    Patch,
}

/// How a program takes its options.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) short: Short,
    /// Short options that take a value.
    pub(crate) valued: &'static str,
    /// Long options that take a value in the next word.
    pub(crate) long: &'static [&'static str],
}

/// What a short option of more than one character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Short {
    /// Not known: every word is kept as it is.
    Unknown,
    /// Several options: `-la` is `-l -a`.
    Bundle,
    /// The same, but `-20` is `-n 20`.
    BundleOrLines,
    /// One option.
    Single,
}

/// Whether the place of an option among the words has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Free,
    Matters,
}

/// Which lines of a file a program prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prints {
    No,
    /// All of them.
    Whole,
    Head,
    Tail,
    Sed,
    Awk,
}

/// Whether the last program of a pipeline only passes on, or cuts, what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pages {
    No,
    Always,
    /// If it names no file.
    WithoutOperands,
    /// If all it is given is a number of lines or bytes.
    WithCount,
}

/// Whether exit code 1 without output is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    Never,
    Always,
    /// If its first argument is one of these.
    For(&'static [&'static str]),
}

/// How the command that a program runs is found among its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wraps {
    No,
    /// Behind its options, of which short ones of these letters take a value.
    BehindOptions(&'static str),
    /// The same, unless it has options: then it asks whether a program exists.
    UnlessOptions,
    /// Behind its options and one more word.
    BehindOptionsAndWord(&'static str),
    /// Behind its options and assignments of variables.
    BehindAssignments(&'static str),
    /// Behind this sub-command.
    Behind(&'static str),
}

/// What language a program runs code in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interprets {
    Nothing,
    Python,
    Node,
    Shell,
}

/// When a command is set-up or output handling around the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decorates {
    Never,
    Always,
    /// It goes to a directory.
    Goes,
    /// If it assigns variables and runs nothing.
    Assigns,
    /// If its words run nothing.
    Waits,
    /// If it prints fixed words or the exit code of what ran before.
    Speaks,
    /// If it has words, and they run nothing.
    SetsUp,
    /// If its first word is an option.
    SetsOptions,
    /// If it reads the settings of an environment.
    Sources,
    /// If its first word is `activate`.
    Activates,
}

/// When a program runs tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tests {
    /// If its path ends in the name of a test.
    ByName,
    Never,
    Always,
    /// If its first operand is one of these.
    For(&'static [&'static str]),
    /// If it has this option.
    IfOption(&'static str),
    /// If one of its operands is a task that is named like tests, or that checks everything.
    IfTask,
    /// If it runs a script or a program that is named like tests: `npm test`, `npm run test:unit`.
    IfRuns,
    /// If its first operand is a file that is named like a test, or a runner.
    IfFile,
    /// If the script that it runs is named like a test.
    IfScript,
}

/// The row of a program without one.
pub(crate) static UNKNOWN: Program = Program::named("");

impl Program {
    /// Looks up a program by the name it is known by.
    pub(crate) fn of(name: &str) -> &'static Self {
        table::row(name).unwrap_or(&UNKNOWN)
    }

    /// The name that a program is known by.
    pub(crate) fn known_name(name: &str) -> &str {
        let alias = table::ALIASES.iter().find(|(alias, _)| *alias == name);
        match alias {
            Some((_, known)) => known,
            None if is_python(name) => "python",
            None => name,
        }
    }

    /// Whether it runs the command that its words name.
    pub(crate) fn starts_another(&self) -> bool {
        self.wraps != Wraps::No
    }

    const fn named(name: &'static str) -> Self {
        Self {
            name,
            anywhere: false,
            effect: ProgramEffect::Unknown,
            options: Options {
                short: Short::Unknown,
                valued: "",
                long: &[],
            },
            order: Order::Free,
            prints: Prints::No,
            pages: Pages::No,
            asks: Asks::Never,
            wraps: Wraps::No,
            interprets: Interprets::Nothing,
            decorates: Decorates::Never,
            tests: Tests::ByName,
            display: None,
        }
    }

    const fn anywhere(mut self) -> Self {
        self.anywhere = true;
        self
    }

    const fn effect(mut self, effect: ProgramEffect) -> Self {
        self.effect = effect;
        self
    }

    const fn reads(self) -> Self {
        self.effect(ProgramEffect::Reads)
    }

    const fn writes(self, written: Written) -> Self {
        self.effect(ProgramEffect::Writes(written))
    }

    const fn options(self, short: Short, valued: &'static str) -> Self {
        self.long_options(short, valued, &[])
    }

    const fn long_options(
        mut self,
        short: Short,
        valued: &'static str,
        long: &'static [&'static str],
    ) -> Self {
        self.options = Options {
            short,
            valued,
            long,
        };
        self
    }

    const fn ordered(mut self) -> Self {
        self.order = Order::Matters;
        self
    }

    const fn prints(mut self, prints: Prints) -> Self {
        self.prints = prints;
        self
    }

    const fn pages(mut self, pages: Pages) -> Self {
        self.pages = pages;
        self
    }

    const fn asks(mut self, asks: Asks) -> Self {
        self.asks = asks;
        self
    }

    const fn wraps(mut self, wraps: Wraps) -> Self {
        self.wraps = wraps;
        self
    }

    const fn interprets(mut self, interprets: Interprets) -> Self {
        self.interprets = interprets;
        self
    }

    const fn decorates(mut self, decorates: Decorates) -> Self {
        self.decorates = decorates;
        self
    }

    const fn tests(mut self, tests: Tests) -> Self {
        self.tests = tests;
        self
    }

    const fn display(mut self, display: &'static Display) -> Self {
        self.display = Some(display);
        self
    }
}

/// `python`, `python3`, `python3.11`, `pypy3`.
pub(crate) fn is_python(name: &str) -> bool {
    let version = name
        .strip_prefix("python")
        .or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| {
        version
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;
