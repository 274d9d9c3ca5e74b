//! Another thread carries messages; this one watches over it, the server's process, the policy file and what commands ask
//! for.

use std::{
    io, iter,
    process::{Child, ChildStdin, ChildStdout, ExitCode},
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};

use super::{
    child::{ask_to_end, exit_code},
    control::Control,
    guard_handle::SharedGuard,
    policy_file::PolicyFile,
};

/// How often the process and the policy file are looked at.
const TICK: Duration = Duration::from_millis(100);

/// How long a server may take to end once its input has, and again once it was asked to.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long output may still come from a server that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What happens while messages are carried.
#[derive(Debug)]
pub(super) enum News {
    /// The client sends no more.
    ClientEnded,
    /// The server sends no more, or the client no longer reads.
    ServerEnded,
    /// A signal asked this process to end.
    Signal,
}

/// Carries messages until the server has ended, and gives its exit code.
pub fn run(
    mut child: Child,
    (name, shared): (&str, SharedGuard),
    mut policies: Option<PolicyFile>,
    mut reach: Control,
) -> Result<ExitCode> {
    let shared = Arc::new(shared);
    let input = child.stdin.take().context("the server has no input")?;
    let output = child.stdout.take().context("the server has no output")?;
    let (sender, news) = mpsc::channel();

    let tell = sender.clone();
    // A second handler cannot be set, and without one the server learns of signals when its input ends.
    let _ = ctrlc::set_handler(move || {
        let _ = tell.send(News::Signal);
    });
    let carried = Arc::clone(&shared);
    thread::spawn(move || {
        let tell = |news| drop(sender.send(news));
        carry(&carried, (input, output), &tell);
    });

    let mut end = End::default();
    let status = loop {
        let ended = child.try_wait().context("cannot watch the server")?;
        if let Some(status) = ended
            && (end.output || end.exit.get_or_insert_with(Instant::now).elapsed() > LAST_WORDS)
        {
            break status;
        }
        end.hurry(&mut child, &shared);
        let tick = if end.output { TICK / 50 } else { TICK };
        match news.recv_timeout(tick) {
            Ok(News::ClientEnded) => end.input = Some(Instant::now()),
            Ok(News::ServerEnded) => end.output = true,
            Ok(News::Signal) => {
                ask_to_end(&mut child);
                end.asked.get_or_insert_with(Instant::now);
            }
            Err(RecvTimeoutError::Timeout) => {
                shared.catch_up();
                reload(&mut policies, &shared);
                reach.look(iter::once((name, &*shared)));
            }
            Err(RecvTimeoutError::Disconnected) => thread::sleep(tick),
        }
    };
    shared.close();
    Ok(exit_code(status))
}

/// Carries messages between the client and the server.
#[cfg(unix)]
fn carry(shared: &SharedGuard, server: (ChildStdin, ChildStdout), tell: &(impl Fn(News) + Sync)) {
    use std::{fs::File, os::fd::AsFd as _};

    // The streams themselves: those of the library keep what they have read to themselves.
    let client = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    let answers = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    match (client, answers) {
        (Ok(client), Ok(answers)) => {
            super::relay::carry(shared, (client, answers), server, tell);
        }
        _ => super::threads::carry(shared, (io::stdin(), io::stdout()), server, tell),
    }
}

#[cfg(not(unix))]
fn carry(shared: &SharedGuard, server: (ChildStdin, ChildStdout), tell: &(impl Fn(News) + Sync)) {
    super::threads::carry(shared, (io::stdin(), io::stdout()), server, tell);
}

/// How far the end has come.
#[derive(Default)]
struct End {
    /// When the client sent its last.
    input: Option<Instant>,
    /// Whether the server sends no more.
    output: bool,
    /// When the server was asked to end.
    asked: Option<Instant>,
    /// When the server's process was seen to have ended.
    exit: Option<Instant>,
}

impl End {
    /// Sees to it that a server that has nothing left to do ends.
    fn hurry(&mut self, child: &mut Child, shared: &SharedGuard) {
        let since = |then: Option<Instant>| then.is_some_and(|then| then.elapsed() > PATIENCE);
        if since(self.asked) {
            // It may have ended by itself.
            let _ = child.kill();
            return;
        }
        if self.output {
            self.input.get_or_insert_with(Instant::now);
        } else if self.input.is_some()
            && shared.with_guard(|guard| guard.waiting()) > 0
            && !client_is_gone()
        {
            // It still works on something that the client wants to know.
            self.input = Some(Instant::now());
        }
        if self.asked.is_none() && since(self.input) {
            ask_to_end(child);
            self.asked = Some(Instant::now());
        }
    }
}

/// Whether the reader of a pipe has closed it.
#[cfg(unix)]
fn client_is_gone() -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd as _;

    let out = io::stdout();
    // No event is asked for: a closed other end is reported in any case.
    let mut asked = [PollFd::new(out.as_fd(), PollFlags::empty())];
    let told = poll(&mut asked, PollTimeout::ZERO).is_ok();
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
    told && asked[0]
        .revents()
        .is_some_and(|events| events.intersects(gone))
}

/// This system reports it only when something is written.
#[cfg(not(unix))]
fn client_is_gone() -> bool {
    false
}

fn reload(policies: &mut Option<PolicyFile>, shared: &SharedGuard) {
    if let Some(file) = policies {
        file.refresh(shared.notify(), |policy| {
            shared.with_guard(|guard| guard.set_policy(policy));
        });
    }
}
