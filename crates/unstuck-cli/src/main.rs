//! The command `unstuck`.

mod args;
mod commands;
mod configuration;
mod control;
mod doctor;
mod install;
mod markdown;
mod notes;
mod output;
mod person;
mod program;
mod scan;
mod style;
mod supervised;
mod top;

use std::{env, ffi::OsString, process::ExitCode};

use clap_complete::CompleteEnv;

use crate::style::{ERROR, paint};

/// Scanning is a few small allocations for each line of gigabytes, and this one does them in half the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(words) = hook_words() {
        return unstuck_hook::main(&words);
    }
    // Answers a shell that asks for completions, and then ends the process.
    CompleteEnv::with_factory(commands::completions::visible)
        .var(commands::completions::VARIABLE)
        .complete();
    let words: Vec<_> = env::args_os().collect();
    match args::parse(&words).run() {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(2)
        }
    }
}

/// What stands behind `unstuck hook`, unless it asks for help. A hook runs before every call of an agent, and building
/// the whole command line costs more than answering it; nor may a mistyped word end with an exit code that blocks.
fn hook_words() -> Option<Vec<OsString>> {
    let mut words = env::args_os().skip(1);
    if words.next()? != "hook" {
        return None;
    }
    let words: Vec<_> = words.collect();
    let asks =
        |word: &OsString| word == "--help" || word == "-h" || word == "--version" || word == "-V";
    (!words.iter().any(asks)).then_some(words)
}

fn report(error: &anyhow::Error) {
    if let Some(errors) = configuration::mistakes(error) {
        let texts: Vec<_> = errors.diagnostics.iter().map(style::diagnostic).collect();
        anstream::eprintln!("{}", texts.join("\n\n"));
        return;
    }
    let error = unstuck_text::Shown::lines(format_args!("{error:#}")).to_string();
    // Foreign text in it starts no line of its own.
    let error = error.replace('\n', "\n  ").replace("\n  \n", "\n\n");
    anstream::eprintln!("{} {error}", paint(ERROR, "error:"));
}

/// The reader of the output has closed it (`unstuck check … | head`), which is not an error.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let error = cause.downcast_ref::<std::io::Error>();
        let json = cause.downcast_ref::<serde_json::Error>();
        error
            .map(std::io::Error::kind)
            .or(json.and_then(serde_json::Error::io_error_kind))
            == Some(std::io::ErrorKind::BrokenPipe)
    })
}
