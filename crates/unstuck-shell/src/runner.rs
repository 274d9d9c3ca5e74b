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
            Tests::IfSaid => invocation
                .arguments
                .iter()
                .any(|word| is_test_word(word.text())),
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
