//! The server's process.

use std::{
    env,
    ffi::OsString,
    process::{Child, Command, ExitCode, ExitStatus, Stdio},
};

use anyhow::{Context as _, Result};

use super::TOKEN_VARIABLE;

/// Starts the server. Its words are arguments and nothing else: no shell ever reads them.
pub fn start(words: &[OsString]) -> Result<Child> {
    spawn(command(words)?)
}

/// The command that starts the server.
pub(super) fn command(words: &[OsString]) -> Result<Command> {
    let [program, arguments @ ..] = words else {
        anyhow::bail!("no command to run; give it after `--`");
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    without_secrets(&mut command);
    Ok(command)
}

/// Removes this program's secrets from the environment of a child: variables `UNSTUCK_…` whose name is that of a secret.
pub(super) fn without_secrets(command: &mut Command) {
    // Only those that are there: a removal sorts the environment, and servers may show its order.
    for (name, _) in env::vars_os() {
        let shown = name.to_string_lossy();
        let is_secret = shown == TOKEN_VARIABLE || unstuck_text::names_a_secret(&shown);
        if shown.starts_with("UNSTUCK_") && is_secret {
            command.env_remove(&name);
        }
    }
}

pub(super) fn spawn(mut command: Command) -> Result<Child> {
    command
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))
}

/// Asks the server to end.
#[cfg(unix)]
pub(super) fn ask_to_end(child: &mut Child) {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    if let Ok(id) = i32::try_from(child.id()) {
        // It may have ended by itself.
        let _ = kill(Pid::from_raw(id), Signal::SIGTERM);
    }
}

/// Ends the server; there is no way to ask.
#[cfg(not(unix))]
pub(super) fn ask_to_end(child: &mut Child) {
    let _ = child.kill();
}

/// The server's exit code, or 128 and the signal that ended it, as shells say it.
pub(super) fn exit_code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX));
        }
    }
    let code = status.code().unwrap_or(1);
    // Only Windows has more codes than fit.
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
