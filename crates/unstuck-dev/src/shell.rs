//! Commands at the root of the repository.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};
use xshell::Cmd;

/// Variable of cargo: a compiler that takes the place of rustc for the packages of the workspace. `.ci/run` sets it to
/// `clippy-driver`, so that what the tests run is checked by clippy while it is compiled.
const WORKSPACE_COMPILER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// Runs commands at the root of the repository, with the tools under `target/tools` behind those of the user.
#[derive(Debug)]
pub struct Shell {
    inner: xshell::Shell,
    root: PathBuf,
}

impl Shell {
    /// Returns the shell of the checkout that `cargo` was called in.
    pub fn at_repository_root() -> Result<Self> {
        let inner = xshell::Shell::new()?;
        // Set by `cargo run`; the value of compile time may be that of another checkout.
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .ancestors()
            .find(|directory| directory.join("Cargo.lock").is_file())
            .context("no directory above this package has a Cargo.lock")?
            .to_path_buf();
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path =
            env::join_paths(env::split_paths(&inherited).chain([tools_in(&root).join("bin")]))
                .context("PATH cannot be extended")?;
        inner.change_dir(&root);
        inner.set_var("PATH", path);
        Ok(Self { inner, root })
    }

    /// Root of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Directory of the tools that the user does not have.
    pub fn tools(&self) -> PathBuf {
        tools_in(&self.root)
    }

    /// Command of the cargo that runs this task.
    pub fn cargo<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Cmd<'_> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        self.program(cargo).args(args)
    }

    /// The same for the development build, which the steps of the tests share. In it a compiler for the workspace that
    /// the variable of cargo names takes the place of rustc. Builds that are optimised, measured or shipped are made by
    /// rustc in any case.
    pub fn development_cargo<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Cmd<'_> {
        let cargo = self.cargo(args);
        match env::var_os(WORKSPACE_COMPILER) {
            Some(compiler) => cargo.env(WORKSPACE_COMPILER, compiler),
            None => cargo,
        }
    }

    /// Whether clippy compiles the development build.
    pub fn clippy_compiles(&self) -> bool {
        let compiler = env::var_os(WORKSPACE_COMPILER).map(PathBuf::from);
        compiler.is_some_and(|path| path.file_stem() == Some(OsStr::new("clippy-driver")))
    }

    /// Command of a program, by its path or its name.
    pub fn program(&self, program: impl AsRef<OsStr>) -> Cmd<'_> {
        let command = self.inner.cmd(Path::new(program.as_ref()));
        command.env_remove(WORKSPACE_COMPILER)
    }
}

fn tools_in(root: &Path) -> PathBuf {
    root.join("target").join("tools")
}

/// Further ways to run a command.
pub trait CmdExt {
    /// Whether it runs and succeeds, silently.
    fn succeeds(self) -> bool;

    /// Prints the command, runs it, and returns standard output; standard error is that of this process.
    fn read_shown(self) -> Result<String>;

    /// Runs silently. Returns how it ended, and standard error.
    fn read_errors(self) -> Result<(ExitStatus, String)>;

    /// Runs in the directory that the task was called in, so that paths mean what the caller means, and returns the exit
    /// code.
    fn run_where_called(self) -> Result<ExitCode>;
}

impl CmdExt for Cmd<'_> {
    fn succeeds(self) -> bool {
        process::Command::from(self)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    fn read_shown(self) -> Result<String> {
        println!("$ {self}");
        Ok(self.read()?)
    }

    fn read_errors(self) -> Result<(ExitStatus, String)> {
        let output = self.quiet().ignore_status().output()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok((output.status, errors))
    }

    fn run_where_called(self) -> Result<ExitCode> {
        let shown = self.to_string();
        let mut command = process::Command::from(self);
        if let Ok(directory) = env::current_dir() {
            command.current_dir(directory);
        }
        let status = command
            .status()
            .with_context(|| format!("cannot run `{shown}`"))?;
        match status.code().map(u8::try_from) {
            Some(Ok(code)) => Ok(ExitCode::from(code)),
            _ => bail!("`{shown}` failed: {status}"),
        }
    }
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
