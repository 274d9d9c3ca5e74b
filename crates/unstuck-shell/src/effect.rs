//! What a command does to files, as far as its words tell.

use std::borrow::Cow;

use crate::{
    command::Core,
    invocation::{Invocation, What, shell_script},
    path::{self, Directory},
    programs::{ProgramEffect, Written},
    script::Script,
    word::Word,
};

/// Shells within shells that are looked into.
pub(crate) const MAX_SHELLS: usize = 4;

/// Paths that are kept of one command.
const MAX_WRITTEN: usize = 16;

/// What a command does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// It only looks.
    Reads,
    /// It changes files or a repository.
    Writes,
    /// It runs something of which nothing is known.
    Unknown,
}

/// What a single command does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Read,
    Write,
    /// It has no part in it: `cd`, `echo`.
    Nothing,
    Unknown,
}

/// Puts together what the commands of a script do.
#[derive(Default)]
pub(crate) struct Effects {
    reads: bool,
    writes: bool,
    unknown: bool,
    pub(crate) written: Vec<String>,
}

impl Effects {
    pub(crate) fn of(cores: &[Core<'_, '_>], directory: Option<&str>, shells: usize) -> Self {
        let mut effects = Self::default();
        let directory = directory.map(Directory::new);
        effects.add(cores, directory.as_ref(), shells);
        effects
    }

    fn add(&mut self, cores: &[Core<'_, '_>], directory: Option<&Directory>, shells: usize) {
        let mut directory = directory.map(Cow::Borrowed);
        for core in cores {
            if let ("cd", [target]) = (core.program(), core.arguments())
                && let Some(target) = target.as_literal()
            {
                match &mut directory {
                    Some(directory) => directory.to_mut().go(target),
                    None => directory = Some(Cow::Owned(Directory::new(target))),
                }
                continue;
            }
            self.command(core, directory.as_deref(), shells);
        }
    }

    pub(crate) fn verdict(&self) -> Effect {
        match (self.writes, self.unknown, self.reads) {
            (true, _, _) => Effect::Writes,
            (false, false, true) => Effect::Reads,
            _ => Effect::Unknown,
        }
    }

    fn command(&mut self, core: &Core<'_, '_>, directory: Option<&Directory>, shells: usize) {
        for redirect in core.redirects() {
            if redirect.writes() {
                self.write(&redirect.target, directory);
            }
        }
        let assigned = core.simple.assignments.iter().map(|(_, value)| value);
        self.unknown |= core.words.iter().chain(assigned).any(Word::substitutes);
        if let Some(text) = shell_script(core) {
            match Script::parse(text).filter(|_| shells < MAX_SHELLS) {
                Some(script) => {
                    let cores: Vec<_> = script.commands().map(Core::of).collect();
                    self.add(&cores, directory, shells + 1);
                }
                None => self.unknown = true,
            }
            return;
        }
        let invocation = Invocation::of(core);
        match does(&invocation) {
            Does::Nothing => {}
            Does::Read => self.reads = true,
            Does::Unknown => self.unknown = true,
            Does::Write => {
                self.writes = true;
                self.operands(core, &invocation, directory);
            }
        }
    }

    /// The paths that a writing command names.
    fn operands(
        &mut self,
        core: &Core<'_, '_>,
        invocation: &Invocation<'_, '_>,
        directory: Option<&Directory>,
    ) {
        let mut paths = invocation.arguments.iter().filter(|word| !word.is_flag());
        let written = match invocation.known.effect {
            ProgramEffect::Writes(written) => written,
            ProgramEffect::Edits | ProgramEffect::EditsOrRuns => Written::AllButScript,
            _ => Written::None,
        };
        match written {
            Written::None => {}
            Written::All => {
                for path in paths {
                    self.write(path, directory);
                }
            }
            Written::Last => {
                if let Some(path) = paths.next_back() {
                    self.write(path, directory);
                }
            }
            Written::AllButFirst => {
                for path in paths.skip(1) {
                    self.write(path, directory);
                }
            }
            Written::AllButScript => {
                let is_script = |word: &Word<'_>| matches!(word.text(), "-e" | "-f");
                let mut words = invocation.arguments.iter();
                // The first operand is the script, unless it was given with an option.
                let mut scripts = usize::from(!invocation.arguments.iter().any(is_script));
                while let Some(word) = words.next() {
                    if is_script(word) {
                        words.next();
                    } else if !word.is_flag() {
                        match scripts {
                            0 => self.write(word, directory),
                            _ => scripts -= 1,
                        }
                    }
                }
            }
            Written::Patch => {
                let text = core
                    .input_text()
                    .or_else(|| invocation.arguments.first()?.as_literal());
                for line in text.unwrap_or_default().lines() {
                    let path = ["*** Update File: ", "*** Add File: ", "*** Delete File: "]
                        .iter()
                        .find_map(|mark| line.strip_prefix(mark));
                    if let Some(path) = path {
                        self.written(path, directory);
                    }
                }
            }
        }
    }

    fn write(&mut self, target: &Word<'_>, directory: Option<&Directory>) {
        self.writes = true;
        if let Some(path) = target.as_literal() {
            self.written(path, directory);
        }
    }

    fn written(&mut self, path: &str, directory: Option<&Directory>) {
        if !path.is_empty() && self.written.len() < MAX_WRITTEN {
            let directory = directory.map(Directory::text);
            let path = path::join(directory.as_deref(), path);
            self.written.push(path.into_owned());
        }
    }
}

fn does(invocation: &Invocation<'_, '_>) -> Does {
    if !matches!(invocation.what, What::Program) {
        return Does::Unknown;
    }
    let words = invocation.arguments;
    let has = |wanted: &str| words.iter().any(|word| word.text() == wanted);
    match invocation.known.effect {
        ProgramEffect::Unknown => Does::Unknown,
        ProgramEffect::Nothing => Does::Nothing,
        ProgramEffect::Writes(_) => Does::Write,
        ProgramEffect::WritesFor(wanted) => {
            let mut operands = words.iter().filter(|word| !word.is_flag()).map(Word::text);
            let (first, second) = (operands.next().unwrap_or_default(), operands.next());
            let is_wanted = |wanted: &&str| {
                wanted.strip_prefix(first).is_some_and(|rest| {
                    // One word never holds two.
                    !first.contains(' ')
                        && (rest.is_empty()
                            || (rest.strip_prefix(' ') == second && second.is_some()))
                })
            };
            if wanted.iter().any(is_wanted) {
                Does::Write
            } else {
                Does::Unknown
            }
        }
        ProgramEffect::Finds if has("-delete") => Does::Write,
        ProgramEffect::Finds if has("-exec") || has("-execdir") || has("-ok") => Does::Unknown,
        ProgramEffect::Finds | ProgramEffect::Reads => Does::Read,
        ProgramEffect::Edits => {
            let in_place = |word: &Word<'_>| {
                word.text().starts_with("-i") || word.text().starts_with("--in-place")
            };
            if words.iter().any(in_place) {
                Does::Write
            } else {
                Does::Read
            }
        }
        ProgramEffect::EditsOrRuns => {
            let in_place = |word: &Word<'_>| word.is_flag() && word.text().contains('i');
            if words.iter().any(in_place) {
                Does::Write
            } else {
                Does::Unknown
            }
        }
    }
}
