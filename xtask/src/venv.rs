//! Virtual environments of Python for tools and tests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use unstuck_dev::{Install, Shell, apt};

/// A virtual environment with packages from `PyPI` at fixed versions.
#[derive(Debug)]
pub(crate) struct Venv {
    place: PathBuf,
}

impl Venv {
    /// The environment at `place` with these packages; made where it is missing or has others.
    pub(crate) fn with(
        shell: &Shell,
        place: &Path,
        packages: &[&str],
        install: Install,
    ) -> Result<Self> {
        let venv = Self {
            place: place.to_owned(),
        };
        let stamp = place.join("installed");
        let wanted = packages.join("\n");
        if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(venv);
        }
        if install == Install::Never {
            bail!("{} from PyPI are not installed", packages.join(", "));
        }
        venv.make(shell)?;
        if !packages.is_empty() {
            venv.pip(shell, packages)
                .with_context(|| format!("{} cannot be installed", packages.join(", ")))?;
        }
        fs::write(&stamp, &wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
        Ok(venv)
    }

    /// Installs packages, or files of packages.
    pub(crate) fn pip(&self, shell: &Shell, packages: &[&str]) -> Result<()> {
        let pip = shell.program(self.program("python")).args(["-m", "pip"]);
        pip.args(["install", "--quiet", "--disable-pip-version-check"])
            .args(packages)
            .run()?;
        Ok(())
    }

    /// A program of the environment.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let directory = if cfg!(windows) { "Scripts" } else { "bin" };
        self.place.join(directory).join(name)
    }

    fn make(&self, shell: &Shell) -> Result<()> {
        let make = || {
            let venv = shell.program("python3").args(["-m", "venv", "--clear"]);
            venv.arg(&self.place).run()
        };
        if let Err(error) = make() {
            // Debian has it in a package of its own.
            apt(shell, &["python3-venv"]).with_context(|| format!("{error:#}"))?;
            make()?;
        }
        Ok(())
    }
}
