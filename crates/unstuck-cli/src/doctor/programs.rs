//! The programs that hooks name: whether they are there, last, and are this version.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use unstuck_hosts::{Host, OwnCommand, Scope};
use unstuck_text::Shown;

use super::{About, Finding, Health, examine::Registered};
use crate::{
    install::{Place, Unfit, find_on_path, find_program, for_hooks, is_newer, version},
    program,
};

/// The name that people type.
const PROGRAM: &str = "unstuck";

/// What may be done with a program that a hook names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// It is this very program.
    This(PathBuf),
    /// It is the `unstuck` that a shell finds, outside the project.
    OnPath(PathBuf),
    /// It is the copy that an install made in the user's data directory.
    Copy(PathBuf),
    /// It is there, but is not run: it may be anything.
    Other(PathBuf),
    /// It is not there, or cannot be run.
    Missing,
}

impl Program {
    fn of(command: &OwnCommand, place: &Place) -> Self {
        let Some(path) = find_program(&command.program) else {
            return Self::Missing;
        };
        let whole = |path: &Path| fs::canonicalize(path).ok();
        let same = |other: Option<PathBuf>| {
            other.is_some_and(|other| whole(&path).is_some() && whole(&other) == whole(&path))
        };
        // The program for hooks belongs to the command that it lies beside.
        let or_beside = |command: Option<PathBuf>| {
            same(command.clone()) || command.is_some_and(|command| same(Some(for_hooks(command))))
        };
        if or_beside(env::current_exe().ok()) {
            Self::This(path)
        } else if or_beside(find_on_path(PROGRAM)) && !place.is_in_project(&path) {
            Self::OnPath(path)
        } else if place.copy().holds(&path)
            && fs::symlink_metadata(&path).is_ok_and(|found| found.is_file())
        {
            Self::Copy(path)
        } else {
            Self::Other(path)
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::This(path) | Self::OnPath(path) | Self::Copy(path) | Self::Other(path) => {
                Some(path)
            }
            Self::Missing => None,
        }
    }
}

/// Our hooks with their programs, by the scope of the file they are in.
pub(super) fn programs<'a>(
    host: Host,
    registered: &'a [Registered],
    place: &'a Place,
) -> impl Iterator<Item = (Scope, &'a str, OwnCommand, Program)> {
    let commands = registered.iter().flat_map(|one| {
        let commands = one.commands.iter();
        commands.map(|(event, command)| (one.scope, event.as_str(), command))
    });
    commands.filter_map(move |(scope, event, command)| {
        let command = OwnCommand::parse(command, host)?;
        let program = Program::of(&command, place);
        Some((scope, event, command, program))
    })
}

/// Whether the programs are where the hooks look for them, and stay there. Only the user's own `unstuck` and its copy are
/// asked for their versions.
pub(super) fn reachable(host: Host, registered: &[Registered], place: &Place) -> Finding {
    let again = program::command(&format!("install {host}"));
    let mut names = BTreeSet::new();
    let mut open = None;
    for (scope, _, command, program) in programs(host, registered, place) {
        if let Some(finding) = unfit(&command, &program, scope, &again, place) {
            if finding.health == Health::Bad {
                return finding;
            }
            open.get_or_insert(finding);
        }
        match program {
            Program::Missing => {
                let program = Shown::line(&command.program);
                let seen = format!("{program} is not there, or cannot be run");
                return Finding::new(About::Reachable, Health::Bad, seen).todo(again);
            }
            Program::OnPath(path) | Program::Copy(path)
                if scope == Scope::User && names.insert(command.program.clone()) =>
            {
                if let Some(finding) = other_version(&path, &again, place) {
                    open.get_or_insert(finding);
                }
            }
            Program::Other(path) if scope == Scope::User => {
                let path = Shown::line(path.display());
                let seen = format!("{path} is another program than this one");
                let finding = Finding::new(About::Reachable, Health::Open, seen);
                let todo = format!("to have the hooks run this one: {again}");
                open.get_or_insert(finding.todo(todo));
            }
            _ => {
                names.insert(command.program);
            }
        }
    }
    open.unwrap_or_else(|| {
        let names: Vec<_> = names.into_iter().collect();
        let names = names.join(", ");
        let seen = Shown::line(names).to_string();
        Finding::new(About::Reachable, Health::Good, seen)
    })
}

/// A program that disappears, or that only starts another one. A name is looked up each time, so only what it leads to now
/// counts; in a project's file it leads to another program for each person.
fn unfit(
    command: &OwnCommand,
    program: &Program,
    scope: Scope,
    again: &str,
    place: &Place,
) -> Option<Finding> {
    let path = program.path().filter(|path| !place.copy().holds(path))?;
    let is_name = !command.program.contains(['/', '\\']);
    let unfit = Unfit::of(path, place.home())?;
    let is_launcher = matches!(unfit, Unfit::Launcher(_));
    if is_name && !is_launcher {
        return None;
    }
    let seen = format!("{} {unfit}", Shown::line(path.display()));
    let (health, todo) = match scope {
        Scope::User => (
            Health::Bad,
            format!("to register the program itself, at a place that lasts: {again}"),
        ),
        Scope::Project => (
            Health::Open,
            format!("each hook waits for it; to register the program itself for yourself: {again}"),
        ),
    };
    Some(Finding::new(About::Reachable, health, seen).todo(todo))
}

/// What there is to say about a program whose version is not this one's.
fn other_version(path: &Path, again: &str, place: &Place) -> Option<Finding> {
    let this = env!("CARGO_PKG_VERSION");
    let what = if place.copy().holds(path) {
        format!("{}, the copy that agents run,", place.short(path))
    } else {
        Shown::line(path.display()).to_string()
    };
    match version(path) {
        Some(version) if version == this => None,
        Some(version) if place.copy().holds(path) && is_newer(&version, this) => {
            let seen = format!(
                "{what} is version {}, newer than this one",
                Shown::line(version)
            );
            Some(Finding::new(About::Reachable, Health::Note, seen))
        }
        Some(version) => {
            let seen = format!("{what} is version {}", Shown::line(version));
            let todo = format!("this is {this}; to have the hooks run it: {again}");
            Some(Finding::new(About::Reachable, Health::Open, seen).todo(todo))
        }
        None => {
            let seen = format!("{what} does not print its version");
            Some(Finding::new(About::Reachable, Health::Bad, seen).todo(again))
        }
    }
}
