//! Programs the tasks use and a fresh machine does not have.

use std::env;
use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::shell::{CmdExt as _, Shell};

/// A cargo subcommand from the registry.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// As in `cargo NAME`.
    name: &'static str,
    /// Features to leave out: what we do not use and what takes longest to compile.
    install_flags: &'static [&'static str],
}

/// Runs fuzz targets.
pub const FUZZ: Tool = Tool {
    name: "fuzz",
    install_flags: &[],
};

/// Runs tests, each in a process of its own.
pub const NEXTEST: Tool = Tool {
    name: "nextest",
    install_flags: &["--no-default-features", "--features", "default-no-update"],
};

/// Whether missing tools may be installed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Install {
    /// What is missing is installed.
    #[default]
    Missing,
    /// A step whose tools are missing is skipped.
    Never,
}

impl Install {
    /// Value of an option `--no-install`.
    pub fn unless(no_install: bool) -> Self {
        if no_install {
            Self::Never
        } else {
            Self::Missing
        }
    }
}

impl Tool {
    /// Whether the user has it, or it was installed before.
    pub fn is_present(self, shell: &Shell) -> bool {
        shell.cargo([self.name, "--version"]).succeeds()
    }

    /// Makes the tool available, or says why it is not.
    pub fn ensure(self, shell: &Shell, install: Install) -> Result<(), Missing> {
        if self.is_present(shell) {
            return Ok(());
        }
        let package = format!("cargo-{}", self.name);
        if install == Install::Never {
            return Err(Missing(format!("{package} is not installed")));
        }
        // Unoptimised: it takes a third of the time to build and is fast enough for what it does here.
        shell
            .cargo(["install", "--locked", "--debug", "--root"])
            .arg(shell.tools())
            .args(self.install_flags)
            .arg(&package)
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .run()
            .map_err(|error| Missing(format!("{package} cannot be installed: {error:#}")))
    }
}

/// A program from the registry, at a fixed version.
#[derive(Debug, Clone, Copy)]
pub struct Pinned {
    name: &'static str,
    version: &'static str,
    install_flags: &'static [&'static str],
}

/// Makes the book. Neither `PyPI` nor Debian stable has it, and the package of that name on npm is another program.
pub const MDBOOK: Pinned = Pinned {
    name: "mdbook",
    version: "0.5.4",
    install_flags: &["--no-default-features", "--features", "search"],
};

impl Pinned {
    /// Returns the program, and installs it first where that is allowed and needed.
    pub fn ensure(self, shell: &Shell, install: Install) -> Result<PathBuf, Missing> {
        let ours = shell.tools().join("bin").join(self.name);
        let has_version = |program: &PathBuf| {
            let version = shell.program(program).arg("--version").read();
            version.is_ok_and(|version| version.trim_end().ends_with(self.version))
        };
        let known = [PathBuf::from(self.name), ours.clone()];
        if let Some(program) = known.into_iter().find(has_version) {
            return Ok(program);
        }
        if install == Install::Never {
            return Err(Missing(format!(
                "{} {} is not installed",
                self.name, self.version
            )));
        }
        shell
            .cargo(["install", "--locked", "--debug", "--force", "--root"])
            .arg(shell.tools())
            .args(self.install_flags)
            .arg(format!("{}@{}", self.name, self.version))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .run()
            .map(|()| ours)
            .map_err(|error| Missing(format!("{} cannot be installed: {error:#}", self.name)))
    }
}

/// A program of the system, in a Debian package of the same name.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    name: &'static str,
}

/// The tests of `unstuck top` type and look in it.
pub const TMUX: Program = Program { name: "tmux" };

/// Tests of shared tallies start it.
pub const REDIS: Program = Program {
    name: "redis-server",
};

impl Program {
    /// Makes the program available, or says why it is not.
    pub fn ensure(self, shell: &Shell, install: Install) -> Result<(), Missing> {
        if find(&[self.name]).is_some() {
            return Ok(());
        }
        if install == Install::Never {
            return Err(Missing(format!("{} is not installed", self.name)));
        }
        apt(shell, &[self.name]).map_err(|error| Missing(format!("{error:#}")))
    }
}

/// Installs packages of the system.
pub fn apt(shell: &Shell, packages: &[&str]) -> Result<()> {
    let names = packages.join(" and ");
    if find(&["apt-get"]).is_none() {
        bail!("{names} cannot be installed here, where there is no apt-get; install it by hand");
    }
    let install = || -> Result<()> {
        let _alone = install_alone(shell)?;
        shell.program("apt-get").arg("update").run()?;
        shell
            .program("apt-get")
            .args(["install", "--yes", "--no-install-recommends"])
            .args(packages)
            .run()?;
        Ok(())
    };
    install().with_context(|| {
        format!("{names} cannot be installed; do it by hand, or leave this step out")
    })
}

/// Installs a target of the toolchain.
pub fn add_target(shell: &Shell, target: &str) -> Result<()> {
    let _alone = install_alone(shell)?;
    shell
        .program("rustup")
        .args(["target", "add", target])
        .run()
        .with_context(|| format!("the target {target} cannot be installed"))
}

/// Waits until no other task installs something for the whole system, and keeps others waiting until the file is closed:
/// `apt-get` and `rustup` fail where they run twice.
fn install_alone(shell: &Shell) -> Result<File> {
    let place = shell.root().join("target");
    fs::create_dir_all(&place)?;
    let file = File::create(place.join("installing.lock"))?;
    file.lock()
        .context("the lock for installing cannot be taken")?;
    Ok(file)
}

/// The first of these programs that is in `PATH`, with its place.
pub fn find(names: &[&str]) -> Option<String> {
    let path = env::var_os("PATH")?;
    let places: Vec<PathBuf> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| places.iter().map(move |place| place.join(name)))
        .find(|program| program.is_file())
        .map(|program| program.to_string_lossy().into_owned())
}

/// Why a tool is not there.
#[derive(Debug)]
pub struct Missing(pub String);
