//! Test runners: which commands run tests, and which of their options only change how results are shown.

use crate::{
    command::Core,
    invocation::{Invocation, What},
    word::Word,
};

/// How many words an option that only changes the show takes away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    No,
    Flag,
    /// The next word is its value.
    Valued,
}

/// Does the command run tests? Reading a file called `tests.py` does not.
pub(crate) fn runs_tests(core: &Core<'_, '_>) -> bool {
    let invocation = Invocation::of(core);
    let word = |at: usize| invocation.arguments.get(at).map_or("", Word::text);
    match invocation.what {
        What::Module(module) => {
            let module = module.text();
            is_runner(module) || is_test_name(module) || (module == "django" && word(0) == "test")
        }
        What::File(file) => {
            let name = file_name(file.text());
            is_test_name(name) || (name == "manage.py" && word(0) == "test")
        }
        What::Code(..) | What::Input(..) => false,
        What::Program => match invocation.program {
            "test" | "[" | "[[" | "" => false,
            program if is_runner(program) => true,
            "bazel" | "bun" | "cargo" | "deno" | "dotnet" | "go" | "gradle" | "gradlew"
            | "./gradlew" | "make" | "mix" | "mvn" | "./mvnw" | "node" | "npm" | "pnpm"
            | "rake" | "sbt" | "swift" | "yarn" | "zig" => invocation
                .arguments
                .iter()
                .any(|word| is_test_word(word.text())),
            // `sh test.sh`: a script, not a shell with a command in its arguments.
            "bash" | "dash" | "sh" | "zsh" => {
                let script = word(0);
                !script.starts_with('-') && is_test_name(file_name(script))
            }
            program if program.ends_with("manage.py") => word(0) == "test",
            program => {
                let name = file_name(program);
                // `./run_tests.sh`, `bin/test`
                name.len() < program.len() && is_test_name(name)
                    || (name.contains('.') && is_test_name(name))
            }
        },
    }
}

fn is_runner(program: &str) -> bool {
    matches!(
        program,
        "ctest"
            | "jest"
            | "mocha"
            | "nosetests"
            | "phpunit"
            | "pytest"
            | "rspec"
            | "tox"
            | "trial"
            | "unittest"
            | "vitest"
            | "ava"
    )
}

fn is_test_word(word: &str) -> bool {
    word.contains("test") || word.contains("jest") || word.contains("spec")
}

/// `test_x.py`, `x_test.go`, `runtests.py`, `MyTest`, but not `latest`.
fn is_test_name(name: &str) -> bool {
    name.contains("Test")
        || name.match_indices("test").any(|(at, word)| {
            let before = name[..at].bytes().next_back();
            let after = name[at + word.len()..].bytes().next();
            !before.is_some_and(|byte| byte.is_ascii_alphabetic()) || after == Some(b's')
        })
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The arguments of a runner without those that only change how a run is shown.
pub(crate) fn telling<'c, 's>(invocation: &Invocation<'c, 's>) -> Option<Vec<&'c Word<'s>>> {
    let words = invocation.arguments;
    let show: fn(&str) -> Show = match (invocation.program, invocation.what) {
        ("pytest", _) => of_pytest,
        ("python", What::Module(module)) if module.text() == "unittest" => of_unittest,
        ("python", What::File(file)) if is_django(file.text()) => of_django,
        (program, What::Program) if is_django(program) => of_django,
        ("cargo", _) => of_cargo,
        ("go", _) if words.first().is_some_and(|word| word.text() == "test") => of_go,
        ("make", _) => of_make,
        ("npm" | "pnpm" | "yarn" | "bun", _) => of_npm,
        ("jest" | "vitest" | "mocha", _) => of_jest,
        _ => return None,
    };
    let mut telling = Vec::with_capacity(words.len());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_literal().map_or(Show::No, show) {
            Show::No => telling.push(word),
            Show::Flag => {}
            Show::Valued => {
                words.next();
            }
        }
    }
    // `cargo test -- --nocapture`
    while telling.last().is_some_and(|word| word.text() == "--") {
        telling.pop();
    }
    if let ("npm" | "pnpm" | "yarn" | "bun", [run, script, ..]) =
        (invocation.program, telling.as_slice())
        && matches!(run.text(), "run" | "run-script")
        && script.text() == "test"
    {
        telling.remove(0);
    }
    Some(telling)
}

fn is_django(program: &str) -> bool {
    matches!(file_name(program), "runtests.py" | "manage.py")
}

fn letters_of(word: &str, letters: &str) -> bool {
    word.strip_prefix('-').is_some_and(|given| {
        !given.is_empty() && given.chars().all(|letter| letters.contains(letter))
    })
}

fn before_value(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

fn of_pytest(word: &str) -> Show {
    match word {
        "-p" | "-n" | "-W" | "-r" | "--tb" | "--maxfail" | "--durations" | "--color"
        | "--verbosity" | "--capture" => Show::Valued,
        _ if letters_of(word, "vqsxl") => Show::Flag,
        _ if word.starts_with("-r")
            || word.starts_with("-n")
            || word.starts_with("-W")
            || word.starts_with("-p") =>
        {
            Show::Flag
        }
        _ if word.starts_with("--cov") => Show::Flag,
        _ => match before_value(word) {
            "--tb"
            | "--no-header"
            | "--no-summary"
            | "--color"
            | "--disable-warnings"
            | "--disable-pytest-warnings"
            | "--maxfail"
            | "--durations"
            | "--capture"
            | "--showlocals"
            | "--cache-clear"
            | "--exitfirst"
            | "--verbose"
            | "--quiet"
            | "--verbosity"
            | "--no-cov"
            | "--full-trace" => Show::Flag,
            _ => Show::No,
        },
    }
}

fn of_unittest(word: &str) -> Show {
    if letters_of(word, "vqfb")
        || matches!(
            word,
            "--verbose" | "--quiet" | "--failfast" | "--buffer" | "--locals"
        )
    {
        Show::Flag
    } else {
        Show::No
    }
}

fn of_django(word: &str) -> Show {
    match word {
        "-v" | "--verbosity" | "--parallel" => Show::Valued,
        _ => match before_value(word) {
            "-v0" | "-v1" | "-v2" | "-v3" | "--verbosity" | "--parallel" | "--noinput"
            | "--no-input" | "--keepdb" | "--failfast" | "--traceback" | "--no-color" => Show::Flag,
            _ => Show::No,
        },
    }
}

fn of_cargo(word: &str) -> Show {
    match before_value(word) {
        "-q" | "-v" | "-vv" | "--quiet" | "--verbose" | "--color" | "--no-fail-fast"
        | "--nocapture" | "--show-output" | "--test-threads" => Show::Flag,
        _ => Show::No,
    }
}

fn of_go(word: &str) -> Show {
    match before_value(word) {
        "-v" | "-count" | "-failfast" => Show::Flag,
        _ => Show::No,
    }
}

fn of_make(word: &str) -> Show {
    let jobs = word
        .strip_prefix("-j")
        .is_some_and(|count| count.bytes().all(|byte| byte.is_ascii_digit()));
    if jobs
        || letters_of(word, "sw")
        || matches!(
            before_value(word),
            "--silent" | "--quiet" | "--no-print-directory" | "--jobs"
        )
    {
        Show::Flag
    } else {
        Show::No
    }
}

fn of_npm(word: &str) -> Show {
    match word {
        "-s" | "--silent" | "--quiet" => Show::Flag,
        _ => Show::No,
    }
}

fn of_jest(word: &str) -> Show {
    match before_value(word) {
        "--verbose" | "--silent" | "--colors" | "--no-color" | "--no-colors" | "--ci"
        | "--watchAll" | "--runInBand" | "--reporter" => Show::Flag,
        _ => Show::No,
    }
}
