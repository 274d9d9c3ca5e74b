//! Reads shell commands: what a command does, in one canonical form.
//!
//! An agent that repeats a command often spells it differently: `pytest -q`, `cd /repo && python -m pytest`,
//! `timeout 60 pytest 2>&1 | tail -5`. This crate parses the part of the shell language that such commands use, and
//! returns one canonical form for all of them, with the files that they read and write and the tests that they run.
//! [`understand`] returns `None` for anything it does not understand; the caller then compares the text.
//!
//! The crate runs nothing, reads no files and knows no environment. Time and memory are linear in the text, and the
//! depth of nesting is limited.
//!
//! ```
//! let spelled = |command| unstuck_shell::understand(command, None).map(|insight| insight.canonical);
//!
//! assert_eq!(spelled("timeout 60 python3 -m pytest -q a.py 2>&1 | tail -5"), spelled("pytest 'a.py'"));
//! assert_ne!(spelled("pytest a.py"), spelled("pytest b.py"));
//! ```

#![forbid(unsafe_code)]

mod canonical;
mod command;
mod decoration;
mod effect;
mod expansion;
mod flags;
mod invocation;
mod lexer;
mod parse;
mod path;
mod programs;
mod read;
mod restore;
mod runner;
mod script;
mod word;

use std::ops;

pub use effect::Effect;
pub use read::{Range, Read};
pub use restore::Restored;
pub use script::{Link, Script, Simple};
pub use word::Word;

use command::Core;
use decoration::Reduced;
use effect::{Effects, MAX_SHELLS};
use programs::Asks;

/// What is known of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Insight {
    /// One spelling for all commands that do the same; a script of its own, and its own canonical form.
    pub canonical: String,
    /// The file that is read, where that is all the command does.
    pub read: Option<Read>,
    /// What it does to the world.
    pub effect: Effect,
    /// The paths that it names as written or removed, as far as they are plain words; at most 16.
    pub written: Vec<String>,
    /// What it takes back to the state of the repository.
    pub restored: Option<Restored>,
    /// What it is for.
    pub purpose: Purpose,
    program: ops::Range<usize>,
}

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// It runs tests.
    Tests,
    /// It asks a question that may be answered with "no": exit code 1 and no output is an answer, not a failure.
    Asks,
    /// Anything else.
    Other,
}

impl Insight {
    /// The program that does the work, by the name it is known by.
    pub fn program(&self) -> &str {
        self.canonical.get(self.program.clone()).unwrap_or_default()
    }
}

/// Looks into a command that is run in a directory, where that is known. `None` where it is beyond this crate.
pub fn understand(command: &str, directory: Option<&str>) -> Option<Insight> {
    look(
        command,
        directory.filter(|directory| !directory.is_empty()),
        0,
    )
}

/// The canonical form alone.
pub fn canonical(command: &str) -> Option<String> {
    understand(command, None).map(|insight| insight.canonical)
}

/// Words as one command: what a program that takes them one by one is given.
pub fn join<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut command = String::new();
    for word in words {
        if command.is_empty() {
            Word::quoted(word).write_first(&mut command);
        } else {
            command.push(' ');
            word::quote(word, &mut command);
        }
    }
    command
}

fn look(command: &str, directory: Option<&str>, shells: usize) -> Option<Insight> {
    let script = Script::parse(command)?;
    let cores: Vec<_> = script.commands().map(Core::of).collect();
    let mut canonical = String::with_capacity(command.len() + 8);
    let mut read = None;
    if script.is_flat() {
        let reduced = decoration::reduce(&cores, script.background, directory);
        if let Some(text) = only_shell(&script, &reduced) {
            if shells >= MAX_SHELLS {
                return None;
            }
            return look(text, reduced.directory.as_deref(), shells + 1);
        }
        read = write_flat(&script, &reduced, &mut canonical);
    } else {
        if let Some(directory) = directory
            .map(path::normal)
            .filter(|directory| directory != ".")
        {
            canonical::write_directory(&directory, &mut canonical);
        }
        canonical::write_compound(&script, &mut canonical);
    }
    let effects = Effects::of(&cores, directory, shells);
    let start = match canonical.strip_prefix("cd ") {
        Some(rest) if read.is_none() => {
            // Directories are short: a plain loop takes less than setting up a search.
            let link = rest.as_bytes().windows(4).position(|next| next == b" && ");
            link.map_or(0, |at| at + 7)
        }
        _ => 0,
    };
    let program = &canonical[start..];
    let length = program.bytes().position(|byte| byte == b' ');
    let length = length.unwrap_or(program.len());
    Some(Insight {
        program: start..start + length,
        canonical,
        read,
        effect: effects.verdict(),
        written: effects.written,
        restored: restore::of(&cores),
        purpose: purpose(&cores),
    })
}

/// The script within, where all a script does is to start a shell with it.
fn only_shell<'c>(script: &Script<'_>, reduced: &Reduced<'c, '_>) -> Option<&'c str> {
    let [core] = reduced.cores.as_slice() else {
        return None;
    };
    let writes = core.redirects().iter().any(script::Redirect::writes);
    if writes || script.background {
        return None;
    }
    invocation::shell_script(core)
}

fn write_flat(script: &Script<'_>, reduced: &Reduced<'_, '_>, out: &mut String) -> Option<Read> {
    let directory = reduced.directory.as_deref();
    if !script.background
        && canonical::pipelines(&reduced.cores).count() == 1
        && let Some((path, range)) = canonical::read_of(&reduced.cores)
    {
        let path = path::join(directory, path);
        read::write(&path, range, out);
        return Some(Read {
            path: path.into_owned(),
            range,
        });
    }
    if let Some(directory) = directory {
        canonical::write_directory(directory, out);
    }
    canonical::write_list(&reduced.cores, out);
    if script.background {
        out.push_str(" &");
    }
    None
}

fn purpose(cores: &[Core<'_, '_>]) -> Purpose {
    if cores.iter().any(runner::runs_tests) {
        return Purpose::Tests;
    }
    let mut work = cores
        .iter()
        .rev()
        .filter(|core| !decoration::is_aside(core));
    match work.next() {
        Some(core) if asks(core) => Purpose::Asks,
        _ => Purpose::Other,
    }
}

/// Whether the exit code of a command is an answer.
fn asks(core: &Core<'_, '_>) -> bool {
    match core.known().asks {
        Asks::Never => false,
        Asks::Always => true,
        Asks::For(wanted) => {
            let first = core.arguments().first().map_or("", Word::text);
            wanted.contains(&first)
        }
    }
}

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
