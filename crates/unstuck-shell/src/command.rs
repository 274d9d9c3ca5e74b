//! The command within a command: what is left without the programs that only start another one.

use crate::{
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
    pub(crate) simple: &'c Simple<'s>,
}

impl<'c, 's> Core<'c, 's> {
    pub(crate) fn of(simple: &'c Simple<'s>) -> Self {
        let words = unwrap(&simple.words);
        Self {
            link: simple.link,
            program: words.first().map_or("", |word| program(word)),
            words,
            simple,
        }
    }

    pub(crate) fn redirects(&self) -> &'c [Redirect<'s>] {
        &self.simple.redirects
    }

    pub(crate) fn program(&self) -> &'c str {
        self.program
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

/// Drops programs that run another program and change nothing about what it does.
fn unwrap<'c, 's>(mut words: &'c [Word<'s>]) -> &'c [Word<'s>] {
    while let Some(inner) = inner(words) {
        words = inner;
    }
    words
}

/// Is it a program that runs another one?
pub(crate) fn starts_another(program: &str) -> bool {
    matches!(
        program,
        "builtin"
            | "bundle"
            | "bunx"
            | "chronic"
            | "command"
            | "doas"
            | "env"
            | "exec"
            | "hatch"
            | "ionice"
            | "nice"
            | "nohup"
            | "npx"
            | "pdm"
            | "pipenv"
            | "pnpm"
            | "poetry"
            | "rye"
            | "setsid"
            | "stdbuf"
            | "sudo"
            | "time"
            | "timeout"
            | "unbuffer"
            | "uv"
            | "xvfb-run"
    )
}

/// The words of the command that the first of these words runs.
fn inner<'c, 's>(words: &'c [Word<'s>]) -> Option<&'c [Word<'s>]> {
    let (first, rest) = words.split_first()?;
    let text = |at: usize| rest.get(at).and_then(Word::as_literal);
    let skipped = match base_name(first.as_literal()?) {
        // A question, not a run.
        "command" if text(0).is_some_and(|word| word.starts_with('-')) => return None,
        "builtin" | "chronic" | "command" | "exec" | "nohup" | "setsid" | "unbuffer" => {
            flags(rest, "")
        }
        "time" => flags(rest, "fo"),
        "stdbuf" => flags(rest, "ioe"),
        "nice" => flags(rest, "n"),
        "ionice" => flags(rest, "cn"),
        "xvfb-run" => flags(rest, "nsfe"),
        "timeout" => flags(rest, "ks") + 1,
        "sudo" | "doas" => {
            let skipped = flags(rest, "ugpCrthRDT");
            skipped + assignments(rest.get(skipped..)?)
        }
        "env" => {
            let skipped = flags(rest, "uCS");
            skipped + assignments(rest.get(skipped..)?)
        }
        "npx" | "bunx" => flags(rest, "p"),
        "poetry" | "pipenv" | "uv" | "hatch" | "pdm" | "rye" if text(0) == Some("run") => 1,
        "bundle" | "pnpm" if text(0) == Some("exec") => 1,
        _ => return None,
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
pub(crate) fn program<'w>(word: &'w Word<'_>) -> &'w str {
    let text = word.text();
    if word.as_literal().is_none() {
        return text;
    }
    let name = base_name(text);
    match name {
        "nodejs" => "node",
        "pip3" => "pip",
        "py.test" | "pytest-3" => "pytest",
        "egrep" | "fgrep" => "grep",
        "gsed" => "sed",
        _ if is_python(name) => "python",
        _ => name,
    }
}

/// `python`, `python3`, `python3.11`, `pypy3`.
fn is_python(name: &str) -> bool {
    let version = name
        .strip_prefix("python")
        .or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| {
        version
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// The last part of a program's path, where it lies where programs lie.
pub(crate) fn base_name(text: &str) -> &str {
    match text.rsplit_once('/') {
        Some((directory, name)) if directory.ends_with("bin") && !name.is_empty() => {
            let system = matches!(
                directory,
                "/bin" | "/sbin" | "/usr/bin" | "/usr/sbin" | "/usr/local/bin"
            );
            if system || is_python(name) || matches!(name, "pytest" | "pip" | "pip3") {
                name
            } else {
                text
            }
        }
        _ => text,
    }
}
