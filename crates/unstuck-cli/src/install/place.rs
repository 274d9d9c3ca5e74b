//! What there is around an install, on this machine.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy as _;
use unstuck_hosts::{HOOK_PROGRAM, Host, Invocation, Plan, Scope, Surroundings};
use unstuck_store::regular;
use unstuck_text::Shown;

use super::{Comparison, OwnCopy, Transient};

/// The name that people type.
const PROGRAM: &str = "unstuck";

/// Directories that count here.
pub(crate) struct Place {
    home: PathBuf,
    config: PathBuf,
    project: PathBuf,
    /// Where the copy of this program is kept.
    copy: OwnCopy,
}

impl Place {
    pub(crate) fn here() -> Result<Self> {
        let platform =
            etcetera::choose_base_strategy().context("no home directory; set HOME to one")?;
        let home = platform.home_dir().to_path_buf();
        let here = env::current_dir().context("cannot tell the current directory")?;
        // On Windows the data of programs may move with the user from machine to machine, and programs should not.
        let data = if cfg!(windows) {
            platform.cache_dir()
        } else {
            platform.data_dir()
        };
        Ok(Self {
            project: project(&here, &home),
            config: platform.config_dir(),
            copy: OwnCopy::in_data(&data),
            home,
        })
    }

    pub(crate) fn plan(&self, host: Host, scope: Scope, invocation: &Invocation) -> Plan {
        self.with(|around| unstuck_hosts::plan(host, scope, around, invocation))
    }

    /// Every file that may hold hooks of ours, whatever an install would choose now.
    pub(crate) fn everything(&self, host: Host, scope: Scope, invocation: &Invocation) -> Plan {
        self.with(|around| unstuck_hosts::everything(host, scope, around, invocation))
    }

    pub(crate) fn with<T>(&self, then: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        then(&Surroundings {
            home: &self.home,
            config: &self.config,
            project: &self.project,
            variable: &|name| env::var_os(name),
            read: &|path| regular::read_to_string(path).ok(),
        })
    }

    pub(crate) fn copy(&self) -> &OwnCopy {
        &self.copy
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// Whether a path is inside the project.
    pub(crate) fn is_in_project(&self, path: &Path) -> bool {
        let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        whole(path).starts_with(whole(&self.project))
    }

    /// A path as people like to read it, for printing only.
    pub(crate) fn short(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if !rest.as_os_str().is_empty() => {
                format!("~/{}", Shown::line(rest.display()))
            }
            _ => Shown::line(path.display()).to_string(),
        }
    }
}

/// How hosts are told to run the program for hooks.
pub(crate) fn invocation(place: &Place, scope: Scope, chosen: Option<&Path>) -> Result<Invocation> {
    match Programs::find(place, scope, chosen)? {
        Programs::Named(path) => Ok(Invocation::new(text(&path)?)),
        Programs::Found(path) => Ok(Invocation::new(text(&for_hooks(path))?)),
        Programs::Copied { source, .. } => {
            Ok(Invocation::new(text(&place.copy.for_hooks(&source))?))
        }
    }
}

/// How hosts are told to run the command itself, which does more than the program for hooks.
pub(crate) fn command(place: &Place, scope: Scope, chosen: Option<&Path>) -> Result<Invocation> {
    match Programs::find(place, scope, chosen)? {
        Programs::Named(path) | Programs::Found(path) => Ok(Invocation::new(text(&path)?)),
        Programs::Copied { .. } => Ok(Invocation::new(text(&place.copy.command())?)),
    }
}

/// How the copy that hosts are to run compares with this program; `None` if they run another one.
pub(crate) fn comparison(
    place: &Place,
    scope: Scope,
    chosen: Option<&Path>,
) -> Result<Option<Comparison>> {
    Ok(match Programs::find(place, scope, chosen)? {
        Programs::Copied { source, place: why } => Some(place.copy.compare(&source, why)),
        Programs::Named(_) | Programs::Found(_) => None,
    })
}

/// Where the programs are that hosts run.
enum Programs {
    /// As it is written in the entry: a path that was chosen, or a name on `PATH`.
    Named(PathBuf),
    /// The command lasts where it is.
    Found(PathBuf),
    /// The command disappears from where it is, so hosts run a copy.
    Copied { source: PathBuf, place: Transient },
}

impl Programs {
    fn find(place: &Place, scope: Scope, chosen: Option<&Path>) -> Result<Self> {
        if let Some(chosen) = chosen {
            let is_name = chosen.components().count() == 1;
            return Ok(Self::Named(if is_name {
                chosen.to_path_buf()
            } else {
                std::path::absolute(chosen).context("cannot tell the current directory")?
            }));
        }
        let this = env::current_exe().context("cannot tell where this program is")?;
        let whole = fs::canonicalize(&this).unwrap_or_else(|_| this.clone());
        let same = |path: &PathBuf| fs::canonicalize(path).is_ok_and(|path| path == whole);
        let on_path = find_on_path(PROGRAM).filter(same);
        if on_path.is_some() && scope == Scope::Project {
            // Each person has it somewhere else.
            return Ok(Self::Named(PROGRAM.into()));
        }
        if let Some(transient) = Transient::of(&whole, &place.home) {
            return Ok(Self::Copied {
                source: whole,
                place: transient,
            });
        }
        // Not what a link on PATH points to, which may be gone after an update.
        Ok(Self::Found(on_path.unwrap_or(this)))
    }
}

/// The program for hooks, where it lies beside the command and is of the same version; or the command itself.
pub(crate) fn for_hooks(command: PathBuf) -> PathBuf {
    hook_beside(&command).unwrap_or(command)
}

/// The program for hooks beside a command, if it is of the same version as this program.
pub(super) fn hook_beside(command: &Path) -> Option<PathBuf> {
    let name = format!("{HOOK_PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = command.with_file_name(name);
    let is_same_version = || version(&beside).as_deref() == Some(env!("CARGO_PKG_VERSION"));
    (is_program(&beside) && is_same_version()).then_some(beside)
}

/// The version that a program of ours says it has.
pub(crate) fn version(program: &Path) -> Option<String> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.trim().strip_prefix("unstuck ")?;
    Some(version.to_owned())
}

/// The first program of a name that a shell would find.
pub(crate) fn find_on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let names = [
        name.to_owned(),
        format!("{name}{}", env::consts::EXE_SUFFIX),
    ];
    env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .flat_map(|directory| names.clone().map(|name| directory.join(name)))
        .find(|path| is_program(path))
}

/// The program that a path or a name on `PATH` leads to.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    let is_name = !program.contains(['/', '\\']);
    if is_name {
        return find_on_path(program);
    }
    Some(PathBuf::from(program)).filter(|path| is_program(path))
}

pub(super) fn is_program(path: &Path) -> bool {
    let Ok(found) = fs::metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    found.is_file() && runs
}

fn text(path: &Path) -> Result<String> {
    match path.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => bail!(
            "{} cannot be written into a configuration file, it is not UTF-8; name another path with --binary",
            path.display()
        ),
    }
}

/// The root of the repository, or the current directory. A repository of dotfiles around all of home is not a project.
fn project(here: &Path, home: &Path) -> PathBuf {
    let roots = here.ancestors().take_while(|directory| *directory != home);
    let mut roots = roots.filter(|directory| directory.join(".git").exists());
    roots.next().unwrap_or(here).to_path_buf()
}
