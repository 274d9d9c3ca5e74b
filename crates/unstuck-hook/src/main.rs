//! `unstuck-hook HOST [EVENT]`: answers one hook, as `unstuck hook` does.
//!
//! A hook runs before and after every call of an agent. A small program starts in a fraction of the time that the
//! whole command takes: most of that time goes into loading a large program.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    process::ExitCode,
};

/// That of musl returns memory to the system with every large value that is dropped, and asks for it again.
#[cfg(all(target_os = "linux", target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

const HELP: &str = "\
Answers one hook of an agent, as `unstuck hook` does, and starts faster.

Usage: unstuck-hook HOST [EVENT]

It reads the hook's input from standard input and writes the answer to standard output. `unstuck install` registers it,
and `unstuck hook --help` says which hosts there are.
";

fn main() -> ExitCode {
    let mut words: Vec<OsString> = env::args_os().skip(1).collect();
    // The command line of a hook is the same for both programs: `unstuck-hook hook HOST`.
    if words.first().is_some_and(|word| word == "hook") {
        words.remove(0);
    }
    let asks = |long: &str, short: &str| words.iter().any(|word| word == long || word == short);
    if asks("--help", "-h") {
        return print(HELP);
    }
    if asks("--version", "-V") {
        return print(concat!("unstuck ", env!("CARGO_PKG_VERSION"), "\n"));
    }
    unstuck_hook::main(&words)
}

fn print(text: &str) -> ExitCode {
    // A reader that has closed its end has seen enough.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}
