//! Programs the tasks use and a fresh machine does not have.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::shell::Shell;

/// A cargo subcommand from the registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    /// As in `cargo NAME`.
    name: &'static str,
    /// Features to leave out: what we do not use and what takes longest to compile.
    install_flags: &'static [&'static str],
}

pub(crate) const DENY: Tool = Tool {
    name: "deny",
    install_flags: &[],
};

pub(crate) const FUZZ: Tool = Tool {
    name: "fuzz",
    install_flags: &[],
};

pub(crate) const NEXTEST: Tool = Tool {
    name: "nextest",
    install_flags: &["--no-default-features", "--features", "default-no-update"],
};

/// Whether missing tools may be installed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Install {
    #[default]
    Missing,
    Never,
}

impl Tool {
    pub(crate) fn is_present(self, shell: &Shell) -> bool {
        shell.cargo([self.name, "--version"]).succeeds()
    }

    /// Makes the tool available, or says why it is not.
    pub(crate) fn ensure(self, shell: &Shell, install: Install) -> Result<(), Missing> {
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

/// A program of the system, in a Debian package of the same name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program {
    name: &'static str,
}

/// The tests of `unstuck top` type and look in it.
pub(crate) const TMUX: Program = Program { name: "tmux" };

impl Program {
    /// Makes the program available, or says why it is not.
    pub(crate) fn ensure(self, shell: &Shell, install: Install) -> Result<(), Missing> {
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
pub(crate) fn apt(shell: &Shell, packages: &[&str]) -> Result<()> {
    let names = packages.join(" and ");
    if find(&["apt-get"]).is_none() {
        bail!("{names} cannot be installed here, where there is no apt-get; install it by hand");
    }
    let install = || {
        shell.program("apt-get").arg("update").run()?;
        shell
            .program("apt-get")
            .args(["install", "--yes", "--no-install-recommends"])
            .args(packages)
            .run()
    };
    install().with_context(|| {
        format!("{names} cannot be installed; do it by hand, or leave this step out")
    })
}

/// The first of these programs that is in `PATH`, with its place.
pub(crate) fn find(names: &[&str]) -> Option<String> {
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
pub(crate) struct Missing(pub(crate) String);
