//! Options that change how the results of a test run or a build are shown, and nothing else.

/// The options of one program.
#[derive(Debug)]
pub(crate) struct Display {
    /// They count behind this first word only.
    pub(super) behind: Option<&'static str>,
    /// Options whose value is the next word.
    pub(super) valued: &'static [&'static str],
    /// Short options that may be written together.
    pub(super) letters: &'static str,
    /// Whatever begins like these.
    pub(super) prefixes: &'static [&'static str],
    /// Options with a number right behind them: `-j4`.
    pub(super) counted: &'static [&'static str],
    /// Options without a value, or with one behind `=`.
    pub(super) flags: &'static [&'static str],
}

/// How many words an option that only changes the display takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// It changes more than the display.
    No,
    Flag,
    /// The next word is its value.
    Valued,
}

impl Display {
    /// Whether they count for a command with this first argument.
    pub(crate) fn counts_behind(&self, first: &str) -> bool {
        self.behind.is_none_or(|behind| behind == first)
    }

    pub(crate) fn of(&self, word: &str) -> Shows {
        let counts = |option: &&str| {
            word.strip_prefix(*option)
                .is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        if self.valued.contains(&word) {
            Shows::Valued
        } else if self.has_letters(word)
            || self.prefixes.iter().any(|prefix| word.starts_with(prefix))
            || self.counted.iter().any(counts)
            || self.flags.contains(&name)
        {
            Shows::Flag
        } else {
            Shows::No
        }
    }

    fn has_letters(&self, word: &str) -> bool {
        word.strip_prefix('-').is_some_and(|given| {
            !given.is_empty() && given.chars().all(|letter| self.letters.contains(letter))
        })
    }
}

const NONE: Display = Display {
    behind: None,
    valued: &[],
    letters: "",
    prefixes: &[],
    counted: &[],
    flags: &[],
};

pub(crate) static PYTEST: Display = Display {
    valued: &[
        "-p",
        "-n",
        "-W",
        "-r",
        "--tb",
        "--maxfail",
        "--durations",
        "--color",
        "--verbosity",
        "--capture",
    ],
    letters: "vqsxl",
    prefixes: &["-r", "-n", "-W", "-p", "--cov"],
    flags: &[
        "--tb",
        "--no-header",
        "--no-summary",
        "--color",
        "--disable-warnings",
        "--disable-pytest-warnings",
        "--maxfail",
        "--durations",
        "--capture",
        "--showlocals",
        "--cache-clear",
        "--exitfirst",
        "--verbose",
        "--quiet",
        "--verbosity",
        "--no-cov",
        "--full-trace",
    ],
    ..NONE
};

pub(crate) static UNITTEST: Display = Display {
    letters: "vqfb",
    flags: &["--verbose", "--quiet", "--failfast", "--buffer", "--locals"],
    ..NONE
};

pub(crate) static DJANGO: Display = Display {
    valued: &["-v", "--verbosity", "--parallel"],
    flags: &[
        "-v0",
        "-v1",
        "-v2",
        "-v3",
        "--verbosity",
        "--parallel",
        "--noinput",
        "--no-input",
        "--keepdb",
        "--failfast",
        "--traceback",
        "--no-color",
    ],
    ..NONE
};

pub(super) static CARGO: Display = Display {
    flags: &[
        "-q",
        "-v",
        "-vv",
        "--quiet",
        "--verbose",
        "--color",
        "--no-fail-fast",
        "--nocapture",
        "--show-output",
        "--test-threads",
    ],
    ..NONE
};

pub(super) static GO: Display = Display {
    behind: Some("test"),
    flags: &["-v", "-count", "-failfast"],
    ..NONE
};

pub(super) static MAKE: Display = Display {
    letters: "sw",
    counted: &["-j"],
    flags: &["--silent", "--quiet", "--no-print-directory", "--jobs"],
    ..NONE
};

pub(super) static NPM: Display = Display {
    flags: &["-s", "--silent", "--quiet"],
    ..NONE
};

pub(super) static JEST: Display = Display {
    flags: &[
        "--verbose",
        "--silent",
        "--colors",
        "--no-color",
        "--no-colors",
        "--ci",
        "--watchAll",
        "--runInBand",
        "--reporter",
    ],
    ..NONE
};
