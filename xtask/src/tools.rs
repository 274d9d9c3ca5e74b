//! Programs the tasks use and a fresh machine does not have.

use anyhow::Result;

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

/// Why a tool is not there.
#[derive(Debug)]
pub(crate) struct Missing(pub(crate) String);
