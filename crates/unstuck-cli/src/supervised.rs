//! A command that runs under this one, and gets the signals that this one gets.

use std::{
    io,
    process::{Command, ExitStatus},
};

/// Runs a command to its end. What is sent to this process alone, such as SIGTERM by a service manager, is sent on to the
/// command. Ctrl-C at a terminal reaches the command by itself, and this process waits for what it makes of it.
#[cfg(unix)]
pub(crate) fn run(command: Command) -> io::Result<ExitStatus> {
    use nix::sys::signal::Signal;
    use tokio::signal::unix::{SignalKind, signal};

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        // Set before the command starts, so that no signal is lost.
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = signal(SignalKind::hangup())?;
        let mut child = tokio::process::Command::from(command).spawn()?;
        loop {
            tokio::select! {
                ended = child.wait() => return ended,
                _ = interrupt.recv() => {}
                _ = terminate.recv() => send(&child, Signal::SIGTERM),
                _ = hangup.recv() => send(&child, Signal::SIGHUP),
            }
        }
    })
}

#[cfg(unix)]
fn send(child: &tokio::process::Child, signal: nix::sys::signal::Signal) {
    // There is no id once the command has ended.
    if let Some(id) = child.id().and_then(|id| i32::try_from(id).ok()) {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), signal);
    }
}

/// Runs a command to its end. Ctrl-C reaches the command by itself.
#[cfg(not(unix))]
pub(crate) fn run(mut command: Command) -> io::Result<ExitStatus> {
    let _ = ctrlc::set_handler(|| {});
    command.status()
}
