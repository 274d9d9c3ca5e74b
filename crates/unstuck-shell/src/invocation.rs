//! What is run: a program, a module, a script, or a piece of code on the command line.

use crate::{
    command::Core,
    programs::{Interprets, Program},
    word::Word,
};

/// A command as far as it is clear what it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Invocation<'c, 's> {
    pub(crate) program: &'c str,
    /// What is known about the program.
    pub(crate) known: &'static Program,
    pub(crate) what: What<'c, 's>,
    /// What is left of the words.
    pub(crate) arguments: &'c [Word<'s>],
}

/// What an interpreter runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What<'c, 's> {
    /// The program itself.
    Program,
    /// `python -m module`
    Module(&'c Word<'s>),
    /// `python file.py`
    File(&'c Word<'s>),
    /// `python -c code`, `node -e code`
    Code(&'static str, &'c Word<'s>),
    /// The same, as its input.
    Input(&'static str, &'c str),
}

impl<'c, 's> Invocation<'c, 's> {
    pub(crate) fn of(core: &Core<'c, 's>) -> Self {
        let arguments = core.arguments();
        let program = core.program();
        let found = match core.known().interprets {
            Interprets::Python => python(core, arguments),
            Interprets::Node => node(core, arguments),
            Interprets::Nothing | Interprets::Shell => None,
        };
        found.unwrap_or(Self {
            program,
            known: core.known(),
            what: What::Program,
            arguments,
        })
    }
}

fn python<'c, 's>(core: &Core<'c, 's>, words: &'c [Word<'s>]) -> Option<Invocation<'c, 's>> {
    let invocation = |what, from: usize| Invocation {
        program: "python",
        known: core.known(),
        what,
        arguments: words.get(from..).unwrap_or_default(),
    };
    let mut at = 0;
    loop {
        let Some(word) = words.get(at) else {
            return Some(invocation(What::Input("-c", core.input_text()?), at));
        };
        let Some(letters) = word.as_literal().and_then(|text| text.strip_prefix('-')) else {
            return Some(invocation(What::File(word), at + 1));
        };
        match letters {
            "" => return Some(invocation(What::Input("-c", core.input_text()?), at + 1)),
            "W" | "X" => at += 2,
            _ if letters.starts_with(['W', 'X']) => at += 1,
            _ => {
                let last = letters.chars().next_back()?;
                let others = &letters[..letters.len() - last.len_utf8()];
                // How it runs, not what.
                let quiet = |letter: char| "uBEsSIOqvdb".contains(letter);
                if !others.is_ascii() || !others.chars().all(quiet) {
                    return None;
                }
                match last {
                    'c' => return Some(invocation(What::Code("-c", words.get(at + 1)?), at + 2)),
                    'm' => {
                        let module = words.get(at + 1)?;
                        let tool = match module.as_literal() {
                            Some("pytest" | "py.test") => Some("pytest"),
                            Some("pip") => Some("pip"),
                            Some("tox") => Some("tox"),
                            _ => None,
                        };
                        return Some(match tool {
                            Some(program) => Invocation {
                                program,
                                known: Program::of(program),
                                ..invocation(What::Program, at + 2)
                            },
                            None => invocation(What::Module(module), at + 2),
                        });
                    }
                    last if quiet(last) => at += 1,
                    _ => return None,
                }
            }
        }
    }
}

fn node<'c, 's>(core: &Core<'c, 's>, words: &'c [Word<'s>]) -> Option<Invocation<'c, 's>> {
    let invocation = |what, from: usize| Invocation {
        program: "node",
        known: core.known(),
        what,
        arguments: words.get(from..).unwrap_or_default(),
    };
    let Some(first) = words.first() else {
        return Some(invocation(What::Input("-e", core.input_text()?), 0));
    };
    match first.as_literal()? {
        "-" => Some(invocation(What::Input("-e", core.input_text()?), 1)),
        "-e" | "--eval" => Some(invocation(What::Code("-e", words.get(1)?), 2)),
        "-p" | "--print" | "-pe" => Some(invocation(What::Code("-p", words.get(1)?), 2)),
        text if !text.starts_with('-') => Some(invocation(What::File(first), 1)),
        _ => None,
    }
}

/// The script that a shell runs, where it runs nothing else.
pub(crate) fn shell_script<'c>(core: &Core<'c, '_>) -> Option<&'c str> {
    if core.known().interprets != Interprets::Shell {
        return None;
    }
    let words = core.arguments();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let letters = word.as_literal()?.strip_prefix('-')?;
        at += 1;
        match letters {
            "-login" | "-norc" | "-noprofile" => {}
            _ if letters.starts_with('-') || letters.is_empty() => return None,
            _ if letters.ends_with('o') => at += 1,
            _ if letters.contains('c') => {
                // More words would be arguments of the script.
                return (words.len() == at + 1).then(|| words[at].as_literal())?;
            }
            _ => {}
        }
    }
    core.input_text()
}

/// Appends code without what a reader of it would not miss: blank lines, comments on lines of their own, trailing blanks.
pub(crate) fn write_code(code: &str, program: &str, out: &mut String) {
    let comment = if program == "node" { "//" } else { "#" };
    let mut tidy = String::with_capacity(code.len());
    for line in code.lines() {
        let line = line.trim_end();
        let content = line.trim_start();
        if content.is_empty() || content.starts_with(comment) {
            continue;
        }
        if !tidy.is_empty() {
            tidy.push('\n');
        }
        tidy.push_str(line);
    }
    crate::word::quote(&tidy, out);
}
