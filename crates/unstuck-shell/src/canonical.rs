//! Writes the canonical form: the same text for all commands that do the same work.

use crate::{
    command::Core,
    decoration::is_pager,
    flags,
    invocation::{Invocation, What, write_code},
    read::{self, Range},
    runner,
    script::{Link, Redirect, RedirectKind, Role, Script, Simple, Token},
    word::{Word, quote},
};

/// Appends the way to a directory.
pub(crate) fn write_directory(directory: &str, out: &mut String) {
    out.push_str("cd ");
    quote(directory, out);
    out.push_str(" && ");
}

/// Appends a list of pipelines.
pub(crate) fn write_list(cores: &[Core<'_, '_>], out: &mut String) {
    for (at, pipeline) in pipelines(cores).enumerate() {
        if at > 0 {
            write_link(pipeline[0].link, out);
        }
        write_pipeline(pipeline, out);
    }
}

/// The pipelines of a list.
pub(crate) fn pipelines<'r, 'c, 's>(
    cores: &'r [Core<'c, 's>],
) -> impl Iterator<Item = &'r [Core<'c, 's>]> {
    cores.chunk_by(|_, next| next.link == Link::Pipe)
}

fn write_link(link: Link, out: &mut String) {
    out.push(' ');
    out.push_str(link.as_str());
    out.push(' ');
}

/// A pipeline without the pagers at its end, unless they make it a read of some lines.
pub(crate) fn work<'r, 'c, 's>(
    pipeline: &'r [Core<'c, 's>],
) -> (&'r [Core<'c, 's>], Option<(&'c str, Range)>) {
    let read = read::of_pipeline(pipeline);
    let read_end = read.map_or(0, |read| read.commands);
    let mut rest = pipeline;
    while rest.len() > read_end
        && let Some((last, before)) = rest.split_last()
        && !before.is_empty()
        && is_pager(last)
    {
        rest = before;
    }
    let read = read.filter(|_| rest.len() == read_end);
    (rest, read.map(|read| (read.path, read.range)))
}

/// The file that a pipeline reads, where that is all it does.
pub(crate) fn read_of<'c>(pipeline: &[Core<'c, '_>]) -> Option<(&'c str, Range)> {
    work(pipeline).1
}

fn write_pipeline(pipeline: &[Core<'_, '_>], out: &mut String) {
    let (pipeline, read) = work(pipeline);
    if let Some((path, range)) = read {
        return read::write(&crate::path::normal(path), range, out);
    }
    for (at, core) in pipeline.iter().enumerate() {
        if at > 0 {
            write_link(Link::Pipe, out);
        }
        write_command(core, out);
    }
}

/// Appends a script with keywords: every command in its place.
pub(crate) fn write_compound(script: &Script<'_>, out: &mut String) {
    let tokens = script.tokens.as_slice();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        // A `;` at the end, or before a `)`, has no effect.
        if *token == Token::Link(Link::Then) && matches!(next, None | Some(Token::Keyword(")"))) {
            continue;
        }
        if at > 0 {
            out.push(' ');
        }
        match token {
            Token::Keyword(keyword) => out.push_str(keyword),
            Token::Link(link) => out.push_str(link.as_str()),
            Token::Command(index) => {
                if let Some(simple) = script.commands.get(*index) {
                    write_simple(simple, out);
                }
            }
        }
    }
}

fn write_simple(simple: &Simple<'_>, out: &mut String) {
    match simple.role {
        Role::Command => write_command(&Core::of(simple), out),
        Role::Header => {
            for (at, word) in simple.words.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                word.write(out);
            }
        }
    }
}

fn write_command(core: &Core<'_, '_>, out: &mut String) {
    let start = out.len();
    if core.words.is_empty() {
        for (at, (name, value)) in core.simple.assignments.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            out.push_str(name);
            out.push('=');
            if !value.text().is_empty() {
                value.write(out);
            }
        }
        write_redirects(core.redirects(), Texts::Stay, start, out);
        return;
    }
    let invocation = Invocation::of(core);
    write_program(core, &invocation, out);
    let mut texts = Texts::Stay;
    match invocation.what {
        What::Program => {}
        What::Module(module) => {
            out.push_str(" -m ");
            module.write(out);
        }
        What::File(file) => {
            out.push(' ');
            file.write_path(out);
        }
        What::Code(option, code) => {
            out.push(' ');
            out.push_str(option);
            out.push(' ');
            match code.as_literal() {
                Some(code) => write_code(code, invocation.program, out),
                None => code.write(out),
            }
        }
        What::Input(option, code) => {
            texts = Texts::Spent;
            out.push(' ');
            out.push_str(option);
            out.push(' ');
            write_code(code, invocation.program, out);
        }
    }
    match runner::telling(&invocation) {
        Some(telling) => flags::write(invocation.known, telling.iter().copied(), out),
        None => flags::write(invocation.known, invocation.arguments.iter(), out),
    }
    write_redirects(core.redirects(), texts, start, out);
}

/// Appends the program's name, as the first word of a command.
fn write_program(core: &Core<'_, '_>, invocation: &Invocation<'_, '_>, out: &mut String) {
    match core.words.first() {
        Some(first) if first.as_literal().is_none() => first.write_first(out),
        _ => Word::quoted(invocation.program).write_first(out),
    }
}

/// Whether texts given as input are still to be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Texts {
    Stay,
    Spent,
}

/// Appends the redirections of input and output, input first. Redirections of messages are left out.
fn write_redirects(redirects: &[Redirect<'_>], texts: Texts, start: usize, out: &mut String) {
    let inputs = redirects.iter().filter(|redirect| match redirect.kind {
        RedirectKind::Input => true,
        RedirectKind::Text => texts == Texts::Stay,
        _ => false,
    });
    let outputs = redirects.iter().filter(|redirect| redirect.writes());
    for redirect in inputs.chain(outputs) {
        if out.len() > start {
            out.push(' ');
        }
        let (default, operator) = match redirect.kind {
            RedirectKind::Input => (0, "< "),
            RedirectKind::Text => (0, "<<< "),
            RedirectKind::Output => (1, "> "),
            RedirectKind::Append => (1, ">> "),
            RedirectKind::Both | RedirectKind::Duplicate => (1, "&> "),
        };
        if let Some(descriptor) = redirect.descriptor.filter(|given| *given != default)
            && !operator.starts_with('&')
        {
            out.push(char::from(b'0' + descriptor));
        }
        out.push_str(operator);
        match redirect.kind {
            RedirectKind::Text => redirect.target.write(out),
            _ => redirect.target.write_path(out),
        }
    }
}
