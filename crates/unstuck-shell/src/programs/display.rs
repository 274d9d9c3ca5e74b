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
        // Most words are operands, and every option starts with a dash.
        if !word.starts_with('-') {
            return Shows::No;
        }
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

/// Cargo's own tests and nextest.
pub(super) static CARGO: Display = Display {
    valued: &["--color", "--test-threads"],
    flags: &[
        "--no-capture",
        "--success-output",
        "--failure-output",
        "--status-level",
        "--final-status-level",
        "--hide-progress-bar",
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
    flags: &["-v", "-count", "-failfast", "-json", "-fullpath"],
    ..NONE
};

pub(super) static MAKE: Display = Display {
    letters: "sw",
    counted: &["-j"],
    flags: &["--silent", "--quiet", "--no-print-directory", "--jobs"],
    ..NONE
};

pub(super) static NPM: Display = Display {
    valued: &["--loglevel", "--reporter"],
    flags: &[
        "-s",
        "--silent",
        "--quiet",
        "--loglevel",
        "--reporter",
        "--color",
        "--no-color",
        "--progress",
        "--no-progress",
        "--no-audit",
        "--no-fund",
    ],
    ..NONE
};

/// Jest, Vitest, AVA and Playwright.
pub(super) static JEST: Display = Display {
    valued: &["--reporter", "--reporters"],
    flags: &[
        "--verbose",
        "--silent",
        "--color",
        "--colors",
        "--no-color",
        "--no-colors",
        "--ci",
        "--watchAll",
        "--runInBand",
        "--reporter",
        "--reporters",
        "--quiet",
        "--bail",
        "--expand",
        "--no-coverage",
        "--noStackTrace",
        "--tap",
        "-i",
    ],
    ..NONE
};

pub(super) static MOCHA: Display = Display {
    valued: &["-R", "--reporter"],
    flags: &[
        "-b",
        "-c",
        "--bail",
        "--color",
        "--colors",
        "--no-color",
        "--no-colors",
        "--full-trace",
        "--reporter",
        "--diff",
        "--no-diff",
        "--inline-diffs",
    ],
    ..NONE
};

/// Type checkers and linters of JavaScript.
pub(super) static LINTER: Display = Display {
    valued: &["-f", "--format"],
    flags: &[
        "--pretty",
        "--color",
        "--no-color",
        "--format",
        "--no-warn-ignored",
    ],
    ..NONE
};

pub(super) static GRADLE: Display = Display {
    valued: &["--console", "--warning-mode"],
    letters: "qiwsSd",
    flags: &[
        "--quiet",
        "--info",
        "--warn",
        "--debug",
        "--stacktrace",
        "--full-stacktrace",
        "--console",
        "--warning-mode",
        "--no-daemon",
        "--daemon",
        "--scan",
        "--no-scan",
        "--continue",
    ],
    ..NONE
};

pub(super) static MAVEN: Display = Display {
    flags: &[
        "-q",
        "-X",
        "-e",
        "-B",
        "-ntp",
        "-V",
        "--quiet",
        "--debug",
        "--errors",
        "--batch-mode",
        "--no-transfer-progress",
        "--show-version",
        "--color",
        "--fail-at-end",
        "-fae",
        "-Dstyle.color",
        "-DtrimStackTrace",
        "-Dsurefire.printSummary",
        "-Dsurefire.useFile",
    ],
    ..NONE
};

pub(super) static DOTNET: Display = Display {
    behind: Some("test"),
    valued: &["-v", "--verbosity", "-l", "--logger"],
    prefixes: &["-v:", "--verbosity:", "-l:", "--logger:"],
    flags: &["--nologo", "--verbosity", "--logger", "-tl", "--tl"],
    ..NONE
};

pub(super) static RSPEC: Display = Display {
    valued: &["-f", "--format"],
    prefixes: &["-f"],
    flags: &[
        "-b",
        "-c",
        "--backtrace",
        "--color",
        "--colour",
        "--no-color",
        "--force-color",
        "--fail-fast",
        "--format",
        "--profile",
        "--no-profile",
    ],
    ..NONE
};

pub(super) static RAKE: Display = Display {
    flags: &[
        "-q",
        "-s",
        "-t",
        "-v",
        "--quiet",
        "--silent",
        "--trace",
        "--verbose",
        "--backtrace",
    ],
    ..NONE
};

/// `PHPUnit` and Pest.
pub(super) static PHPUNIT: Display = Display {
    prefixes: &["--display-", "--stop-on-"],
    flags: &[
        "-v",
        "--colors",
        "--compact",
        "--debug",
        "--no-coverage",
        "--no-progress",
        "--testdox",
        "--verbose",
    ],
    ..NONE
};

pub(super) static GOTESTSUM: Display = Display {
    valued: &["-f", "--format"],
    flags: &["--format", "--no-color", "--debug"],
    ..NONE
};
