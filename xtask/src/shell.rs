//! Running other programs, with errors that say which command failed, where and how.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, anyhow, bail};

/// The place commands run in.
#[derive(Debug)]
pub(crate) struct Shell {
    root: PathBuf,
    /// `PATH` with the repository's own tools behind the user's.
    path: OsString,
}

impl Shell {
    pub(crate) fn at_repository_root() -> Result<Self> {
        // Set by `cargo run`; the value of compile time may be that of another checkout.
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .parent()
            .context("xtask has no directory above it")?
            .to_path_buf();
        let tools = tools_in(&root).join("bin");
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(env::split_paths(&inherited).chain([tools]))
            .context("PATH cannot be extended")?;
        Ok(Self { root, path })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where tools are installed that the user does not have.
    pub(crate) fn tools(&self) -> PathBuf {
        tools_in(&self.root)
    }

    pub(crate) fn cargo<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        self.program(cargo).args(args)
    }

    pub(crate) fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let program = program.as_ref();
        let mut inner = process::Command::new(program);
        inner.current_dir(&self.root).env("PATH", &self.path);
        let name = Path::new(program).file_name().unwrap_or(program);
        Command {
            inner,
            shown: name.to_string_lossy().into_owned(),
        }
    }
}

fn tools_in(root: &Path) -> PathBuf {
    root.join("target").join("tools")
}

/// A command about to run.
#[derive(Debug)]
pub(crate) struct Command {
    inner: process::Command,
    shown: String,
}

impl Command {
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        let arg = arg.as_ref();
        self.shown.push(' ');
        self.shown.push_str(&arg.to_string_lossy());
        self.inner.arg(arg);
        self
    }

    pub(crate) fn args<S: AsRef<OsStr>>(self, args: impl IntoIterator<Item = S>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.shown = format!("{name}={value:?} {}", self.shown);
        self.inner.env(name, value);
        self
    }

    /// Runs in the directory the task was called in, so that paths mean what the caller means.
    pub(crate) fn where_called(mut self) -> Self {
        if let Ok(directory) = env::current_dir() {
            self.inner.current_dir(directory);
        }
        self
    }

    /// Runs with the terminal of this process and passes its exit code on.
    pub(crate) fn exit_code(mut self) -> Result<ExitCode> {
        let status = self.inner.status().with_context(|| self.cannot_run())?;
        match status.code().map(u8::try_from) {
            Some(Ok(code)) => Ok(ExitCode::from(code)),
            _ => bail!("`{self}` failed: {status}"),
        }
    }

    /// Runs with the terminal of this process. Prints the command first.
    pub(crate) fn run(mut self) -> Result<()> {
        println!("$ {self}");
        io::stdout().flush()?;
        let status = self.inner.status().with_context(|| self.cannot_run())?;
        self.succeeded(status)
    }

    /// Runs silently and returns standard output. What was said on standard error is part of the error.
    pub(crate) fn read(mut self) -> Result<String> {
        let output = self
            .inner
            .stdin(Stdio::null())
            .output()
            .with_context(|| self.cannot_run())?;
        self.succeeded(output.status).map_err(|error| {
            let said = String::from_utf8_lossy(&output.stderr);
            anyhow!("{error:#}\n{}", said.trim_end())
        })?;
        String::from_utf8(output.stdout).with_context(|| format!("`{self}` wrote no UTF-8"))
    }

    /// Runs with the terminal's standard error and returns standard output.
    pub(crate) fn read_stdout(mut self) -> Result<String> {
        println!("$ {self}");
        io::stdout().flush()?;
        let output = self
            .inner
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| self.cannot_run())?;
        self.succeeded(output.status)?;
        String::from_utf8(output.stdout).with_context(|| format!("`{self}` wrote no UTF-8"))
    }

    /// Runs with the terminal's standard error and returns standard output, also if the command fails.
    pub(crate) fn stdout_of_any_end(mut self) -> Result<String> {
        println!("$ {self}");
        io::stdout().flush()?;
        let output = self
            .inner
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| self.cannot_run())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs, shows standard error as it comes, and returns it with the exit status, whatever that is.
    pub(crate) fn watch_stderr(mut self) -> Result<(ExitStatus, String)> {
        println!("$ {self}");
        io::stdout().flush()?;
        let mut child = self
            .inner
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| self.cannot_run())?;
        let pipe = child.stderr.take().context("no standard error to read")?;
        let mut seen = String::new();
        for line in BufReader::new(pipe).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            eprintln!("{line}");
            seen.push_str(&line);
            seen.push('\n');
        }
        Ok((child.wait()?, seen))
    }

    /// Runs silently and returns standard error with the exit status.
    pub(crate) fn read_stderr(mut self) -> Result<(ExitStatus, String)> {
        let output = self
            .inner
            .stdin(Stdio::null())
            .output()
            .with_context(|| self.cannot_run())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok((output.status, said))
    }

    /// Whether it runs and succeeds, silently.
    pub(crate) fn succeeds(mut self) -> bool {
        self.inner
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    fn succeeded(&self, status: ExitStatus) -> Result<()> {
        if status.success() {
            return Ok(());
        }
        let place = self.inner.get_current_dir().unwrap_or(Path::new("."));
        bail!("`{self}` in {} failed: {status}", place.display())
    }

    fn cannot_run(&self) -> String {
        format!("cannot run `{self}`")
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
