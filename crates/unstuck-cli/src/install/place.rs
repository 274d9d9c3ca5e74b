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

/// The name that people type.
const PROGRAM: &str = "unstuck";

/// Directories that count here.
pub(crate) struct Place {
    home: PathBuf,
    config: PathBuf,
    project: PathBuf,
}

impl Place {
    pub(crate) fn here() -> Result<Self> {
        let platform =
            etcetera::choose_base_strategy().context("no home directory; set HOME to one")?;
        let home = platform.home_dir().to_path_buf();
        let here = env::current_dir().context("cannot tell the current directory")?;
        Ok(Self {
            project: project(&here, &home),
            config: platform.config_dir(),
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

/// The command line by which hosts run this program.
pub(crate) fn invocation(scope: Scope, chosen: Option<&Path>) -> Result<Invocation> {
    if let Some(chosen) = chosen {
        let is_name = chosen.components().count() == 1;
        let path = if is_name {
            chosen.to_path_buf()
        } else {
            std::path::absolute(chosen).context("cannot tell the current directory")?
        };
        return Ok(Invocation::new(text(&path)?));
    }
    let this = env::current_exe().context("cannot tell where this program is")?;
    let on_path = find_on_path(PROGRAM);
    let same = |path: &PathBuf| fs::canonicalize(path).ok() == fs::canonicalize(&this).ok();
    match on_path.filter(same) {
        // Everyone has it somewhere else.
        Some(_) if scope == Scope::Project => Ok(Invocation::new(PROGRAM)),
        // Not what the link points to, which may be gone after an update.
        Some(path) => Ok(Invocation::new(text(&for_hooks(path))?)),
        None => Ok(Invocation::new(text(&for_hooks(this))?)),
    }
}

/// The command line by which hosts run the command itself, which does more than the small program for hooks.
pub(crate) fn command(scope: Scope) -> Result<Invocation> {
    let this = env::current_exe().context("cannot tell where this program is")?;
    let same = |path: &PathBuf| fs::canonicalize(path).ok() == fs::canonicalize(&this).ok();
    match find_on_path(PROGRAM).filter(same) {
        Some(_) if scope == Scope::Project => Ok(Invocation::new(PROGRAM)),
        Some(path) => Ok(Invocation::new(text(&path)?)),
        None => Ok(Invocation::new(text(&this)?)),
    }
}

/// The small program for hooks, where it lies beside the command and is of the same version; or the command itself.
pub(crate) fn for_hooks(command: PathBuf) -> PathBuf {
    let name = format!("{HOOK_PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = command.with_file_name(name);
    let is_same_version = || version(&beside).as_deref() == Some(env!("CARGO_PKG_VERSION"));
    if is_program(&beside) && is_same_version() {
        beside
    } else {
        command
    }
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

fn is_program(path: &Path) -> bool {
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
