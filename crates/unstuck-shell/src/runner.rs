//! Test runners: which commands run tests, and which of their options only change how results are shown.

use crate::{
    command::Core,
    invocation::{Invocation, What},
    programs::{Program, Shows, Tests, display},
    word::Word,
};

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
        What::Program => match invocation.known.tests {
            Tests::Never => false,
            Tests::Always => true,
            Tests::For(wanted) => {
                let operand = operands(&invocation, &[]).find(|word| !word.starts_with('+'));
                operand.is_some_and(|word| wanted.contains(&word))
            }
            Tests::IfOption(option) => invocation
                .arguments
                .iter()
                .any(|word| word.text().starts_with(option)),
            Tests::IfTask => {
                let skips = |word: &Word<'_>| {
                    matches!(
                        before_value(word.text()),
                        "-DskipTests" | "-Dmaven.test.skip"
                    )
                };
                !invocation.arguments.iter().any(skips)
                    && operands(&invocation, &TASKS_VALUED)
                        .any(|word| is_test_word(word) || matches!(word, "check" | "verify"))
            }
            Tests::IfRuns => {
                let mut operands = operands(&invocation, &RUNS_VALUED);
                let script = match operands.next().unwrap_or_default() {
                    "run" | "run-script" | "exec" | "x" | "dlx" => operands.next(),
                    "t" | "tst" => Some("test"),
                    first => Some(first),
                };
                script.is_some_and(|script| {
                    is_test_word(script) || Program::of(script).tests == Tests::Always
                })
            }
            Tests::IfFile => {
                let mut operands = operands(&invocation, &[]);
                let name = file_name(operands.next().unwrap_or_default());
                is_runner(name)
                    || (is_test_name(name) && name.contains('.'))
                    || (name == "artisan" && operands.next() == Some("test"))
            }
            // `sh test.sh`: a script, not a shell with a command in its arguments.
            Tests::IfScript => {
                let script = word(0);
                !script.starts_with('-') && is_test_name(file_name(script))
            }
            Tests::ByName if invocation.program.ends_with("manage.py") => word(0) == "test",
            // `./run_tests.sh`, `bin/test`
            Tests::ByName => {
                let name = file_name(invocation.program);
                let is_file = name.len() < invocation.program.len() || name.contains('.');
                is_file && is_test_name(name)
            }
        },
    }
}

fn is_runner(module: &str) -> bool {
    Program::of(module).tests == Tests::Always
}

/// Options of build tools whose value is not a task to run.
const TASKS_VALUED: [&str; 8] = [
    "-C",
    "-f",
    "-pl",
    "-P",
    "-p",
    "-x",
    "--exclude-task",
    "--tests",
];

/// Options of package managers that take a value.
const RUNS_VALUED: [&str; 8] = [
    "-C",
    "-F",
    "-w",
    "--cwd",
    "--dir",
    "--filter",
    "--prefix",
    "--workspace",
];

/// The words that are neither options nor values of options in `valued`.
fn operands<'c>(
    invocation: &Invocation<'c, '_>,
    valued: &'static [&'static str],
) -> impl Iterator<Item = &'c str> {
    let mut words = invocation.arguments.iter().map(Word::text);
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            if valued.contains(&word) {
                words.next();
            } else if !word.starts_with('-') {
                return Some(word);
            }
        }
    })
}

fn before_value(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

/// The name of a task or a script that runs tests.
fn is_test_word(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["test", "jest", "spec"]
        .iter()
        .any(|known| word.contains(known))
        && !["latest", "inspect", "manifest"]
            .iter()
            .any(|other| word.contains(other))
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
    // Most paths are short: a plain loop takes less than setting up a search.
    let slash = path.bytes().rposition(|byte| byte == b'/');
    slash.map_or(path, |at| &path[at + 1..])
}

/// The arguments of a runner without those that only change how a run is shown.
pub(crate) fn telling<'c, 's>(invocation: &Invocation<'c, 's>) -> Option<Vec<&'c Word<'s>>> {
    let words = invocation.arguments;
    let display = match invocation.what {
        What::Module(module) if module.text() == "unittest" => &display::UNITTEST,
        What::File(file) if is_django(file.text()) => &display::DJANGO,
        What::Program if is_django(invocation.program) => &display::DJANGO,
        What::Module(_) | What::File(_) => return None,
        _ => invocation.known.display?,
    };
    if !display.counts_behind(words.first().map_or("", Word::text)) {
        return None;
    }
    let mut telling = Vec::with_capacity(words.len());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_literal().map_or(Shows::No, |word| display.of(word)) {
            Shows::No => telling.push(word),
            Shows::Flag => {}
            Shows::Valued => {
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
