//! What stands around the work: directories, settings, separators between outputs, pagers.

use crate::{
    canonical::{pipelines, work},
    command::Core,
    path::Directory,
    programs::{Decorates, Pages},
    script::{Link, Redirect},
    word::Word,
};

/// A list of pipelines without decoration.
pub(crate) struct Reduced<'c, 's> {
    /// Where the work is done, if the script goes there first.
    pub(crate) directory: Option<String>,
    pub(crate) cores: Vec<Core<'c, 's>>,
}

/// What a command is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part<'c> {
    Work,
    /// Goes to a directory.
    Goes(&'c str),
    /// Sets something up, or only speaks.
    Decoration,
}

/// Takes a script without keywords apart. A script that is decoration throughout is left as it is.
pub(crate) fn reduce<'c, 's>(
    cores: &[Core<'c, 's>],
    background: bool,
    directory: Option<&str>,
) -> Reduced<'c, 's> {
    let mut cores: Vec<_> = if cores.iter().any(|core| core.link == Link::Pipe) {
        let works = pipelines(cores).map(|pipeline| work(pipeline).0);
        works.flatten().copied().collect()
    } else {
        cores.to_vec()
    };
    let mut directory = directory.map(Directory::new);
    let count = cores.len();
    let part_at =
        |cores: &[Core<'c, 's>], at| part(&cores[at], stands_alone(cores, at, background));
    if count > 1 && (0..count).any(|at| part_at(&cores, at) == Part::Work) {
        // Commands move to the front of those that are looked at next.
        let mut kept = 0;
        for at in 0..count {
            match part_at(&cores, at) {
                Part::Decoration => {}
                Part::Goes(target) if kept == 0 => match &mut directory {
                    Some(directory) => directory.go(target),
                    None => directory = Some(Directory::new(target)),
                },
                _ => {
                    cores[kept] = cores[at];
                    kept += 1;
                }
            }
        }
        cores.truncate(kept);
    }
    if let Some(first) = cores.first_mut() {
        first.link = Link::Start;
    }
    Reduced {
        directory: directory
            .map(|directory| directory.text().into_owned())
            .filter(|directory| directory != "."),
        cores,
    }
}

/// Is the command a pipeline of its own that the script waits for, with nothing going on beside it?
fn stands_alone(cores: &[Core<'_, '_>], at: usize, background: bool) -> bool {
    let next = cores.get(at + 1).map(|core| core.link);
    let beside = |link: Link| matches!(link, Link::Pipe | Link::Background);
    !beside(cores[at].link) && !next.map_or(background, beside)
}

fn part<'c>(core: &Core<'c, '_>, alone: bool) -> Part<'c> {
    if !alone || core.redirects().iter().any(Redirect::writes) {
        return Part::Work;
    }
    let words = core.arguments();
    let first = words.first().map_or("", Word::text);
    let decorates = match core.known().decorates {
        Decorates::Never => false,
        Decorates::Always => true,
        Decorates::Goes => {
            if let [target] = words
                && let Some(target) = target.as_literal()
                && !target.is_empty()
                && !target.starts_with('-')
            {
                return Part::Goes(target);
            }
            false
        }
        Decorates::Assigns => {
            core.words.is_empty()
                && !core.simple.assignments.is_empty()
                && !core.redirects().iter().any(Redirect::matters)
                && !core
                    .simple
                    .assignments
                    .iter()
                    .any(|(_, value)| value.substitutes())
        }
        Decorates::Waits => !words.iter().any(Word::substitutes),
        Decorates::Speaks => words.iter().all(says_nothing_new),
        Decorates::SetsUp => !words.is_empty() && !words.iter().any(Word::substitutes),
        Decorates::SetsOptions => first.starts_with(['-', '+']),
        Decorates::Sources => {
            first.contains("activate")
                || first.ends_with("rc")
                || first.ends_with("profile")
                || first.ends_with("env")
        }
        Decorates::Activates => first == "activate",
    };
    if decorates {
        Part::Decoration
    } else {
        Part::Work
    }
}

/// A fixed word, or the exit code of what ran before.
fn says_nothing_new(word: &Word<'_>) -> bool {
    word.as_literal().is_some()
        || (!word.substitutes()
            && word.text().matches('$').count() == word.text().matches("$?").count())
}

/// Does the last command of a pipeline only pass on, or cut, what it is given?
pub(crate) fn is_pager(core: &Core<'_, '_>) -> bool {
    if core.redirects().iter().any(Redirect::matters) {
        return false;
    }
    let words = core.arguments();
    match core.known().pages {
        Pages::No => false,
        Pages::Always => true,
        Pages::WithoutOperands => words.iter().all(Word::is_flag),
        Pages::WithCount => words.iter().all(|word| {
            let text = word.text();
            let digits = text.trim_start_matches(['-', '+', 'n', 'c']);
            let counts = digits.bytes().all(|byte| byte.is_ascii_digit());
            counts && !text.is_empty() || text.starts_with("--lines") || text.starts_with("--bytes")
        }),
    }
}

/// Does the command come after the work and say nothing about it?
pub(crate) fn is_aside(core: &Core<'_, '_>) -> bool {
    part(core, core.link != Link::Pipe) == Part::Decoration
}
