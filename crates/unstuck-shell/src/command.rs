//! The command within a command: what is left without the programs that only start another one.

use crate::{
    programs::{Program, Wraps, is_python},
    script::{Link, Redirect, Simple},
    word::Word,
};

/// A simple command without what is around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<'c, 's> {
    pub(crate) link: Link,
    /// The program and its arguments; empty where a command only assigns or redirects.
    pub(crate) words: &'c [Word<'s>],
    /// The program's name as it is known, wherever it lies.
    program: &'c str,
    known: &'static Program,
    pub(crate) simple: &'c Simple<'s>,
}

impl<'c, 's> Core<'c, 's> {
    pub(crate) fn of(simple: &'c Simple<'s>) -> Self {
        let mut words = simple.words.as_slice();
        loop {
            let program = words.first().map_or("", |word| program(word));
            let known = Program::of(program);
            // Programs that run another one and change nothing about what it does are dropped.
            let Some(inner) = inner(known, words) else {
                return Self {
                    link: simple.link,
                    words,
                    program,
                    known,
                    simple,
                };
            };
            words = inner;
        }
    }

    pub(crate) fn redirects(&self) -> &'c [Redirect<'s>] {
        &self.simple.redirects
    }

    pub(crate) fn program(&self) -> &'c str {
        self.program
    }

    /// What is known about the program.
    pub(crate) fn known(&self) -> &'static Program {
        self.known
    }

    pub(crate) fn arguments(&self) -> &'c [Word<'s>] {
        self.words.get(1..).unwrap_or_default()
    }

    /// The text that is given to it as input.
    pub(crate) fn input_text(&self) -> Option<&'c str> {
        use crate::script::RedirectKind::Text;
        let mut texts = self
            .redirects()
            .iter()
            .filter(|redirect| redirect.kind == Text);
        let text = texts.next()?;
        if texts.next().is_some() {
            return None;
        }
        text.target.as_literal()
    }
}

/// The words of the command that the first of these words runs. `known` is what is known about that program.
fn inner<'c, 's>(known: &Program, words: &'c [Word<'s>]) -> Option<&'c [Word<'s>]> {
    let (first, rest) = words.split_first()?;
    first.as_literal()?;
    let text = |at: usize| rest.get(at).and_then(Word::as_literal);
    let skipped = match known.wraps {
        Wraps::No => return None,
        // A question, not a run.
        Wraps::UnlessOptions if text(0).is_some_and(|word| word.starts_with('-')) => return None,
        Wraps::UnlessOptions => 0,
        Wraps::BehindOptions(valued) => flags(rest, valued),
        Wraps::BehindOptionsAndWord(valued) => flags(rest, valued) + 1,
        Wraps::BehindAssignments(valued) => {
            let skipped = flags(rest, valued);
            skipped + assignments(rest.get(skipped..)?)
        }
        Wraps::Behind(sub_command) => {
            if text(0) != Some(sub_command) {
                return None;
            }
            1
        }
    };
    let inner = rest.get(skipped..).filter(|inner| !inner.is_empty())?;
    // `uv run --with x`: options of the launcher that are not known here.
    (!inner[0].is_flag()).then_some(inner)
}

/// How many of these words are options, with the values that options of these letters take.
fn flags(words: &[Word<'_>], valued: &str) -> usize {
    let mut skipped = 0;
    while let Some(word) = words.get(skipped).filter(|word| word.is_flag()) {
        skipped += 1;
        let text = word.text();
        if text == "--" {
            break;
        }
        let letter = text.strip_prefix('-').filter(|letters| letters.len() == 1);
        if letter.is_some_and(|letter| valued.contains(letter)) {
            skipped += 1;
        }
    }
    skipped
}

/// How many of these words are assignments.
fn assignments(words: &[Word<'_>]) -> usize {
    let is_assignment = |word: &&Word<'_>| {
        let name = word.text().split_once('=').map_or("", |(name, _)| name);
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    words.iter().take_while(is_assignment).count()
}

/// A program by the name it is known by.
fn program<'w>(word: &'w Word<'_>) -> &'w str {
    match word.as_literal() {
        Some(text) => Program::known_name(base_name(path_of_program(text))),
        None => word.text(),
    }
}

/// A program's path without a leading `./`, unless no slash would be left: that would be another program.
fn path_of_program(path: &str) -> &str {
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix("./") {
        if shorter.starts_with(['/', '-']) || !shorter.contains('/') {
            break;
        }
        rest = shorter;
    }
    rest
}

/// The last part of a program's path, where it lies where programs lie.
fn base_name(text: &str) -> &str {
    // A name is short: a plain loop takes less than setting up a search.
    let slash = text.bytes().rposition(|byte| byte == b'/');
    match slash.map(|at| (&text[..at], &text[at + 1..])) {
        Some((directory, name)) if directory.ends_with("bin") && !name.is_empty() => {
            let system = matches!(
                directory,
                "/bin" | "/sbin" | "/usr/bin" | "/usr/sbin" | "/usr/local/bin"
            );
            if system || is_python(name) || is_anywhere(name) {
                name
            } else {
                text
            }
        }
        _ => text,
    }
}

fn is_anywhere(name: &str) -> bool {
    Program::of(Program::known_name(name)).anywhere
}
