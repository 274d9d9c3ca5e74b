//! Two threads carry messages; this one watches over them, the server's process and the policy file.

use std::{
    io::{self, Write},
    process::{Child, ChildStdin, ExitCode},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};

use super::{
    child::{ask_to_end, exit_code},
    policies::PolicyFile,
    relay::{Shared, back_to_server},
};

/// How often the process and the policy file are looked at.
const TICK: Duration = Duration::from_millis(100);

/// How long a server may take to end once its input has, and again once it was asked to.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long output may still come from a server that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Refusals that may wait for a server to read them.
const REFUSALS: usize = 64;

#[derive(Debug)]
enum News {
    /// The client sends no more.
    ClientEnded,
    /// The server sends no more, or nobody reads what it sends.
    ServerEnded,
    /// Somebody asked this process to end.
    Signal,
}

/// Carries messages until the server has ended, and gives its exit code.
pub(crate) fn run(
    mut child: Child,
    shared: Shared,
    mut policies: Option<PolicyFile>,
) -> Result<ExitCode> {
    let shared = Arc::new(shared);
    let input = child.stdin.take().context("the server has no input")?;
    let input = Arc::new(Mutex::new(Input(Some(input))));
    let output = child.stdout.take().context("the server has no output")?;
    let client = Arc::new(Mutex::new(io::stdout()));
    let (sender, news) = mpsc::channel();

    let tell = sender.clone();
    // A second handler cannot be set, and without one the server hears of signals when its input ends.
    let _ = ctrlc::set_handler(move || {
        let _ = tell.send(News::Signal);
    });
    let (tell, carrier, answers) = (sender.clone(), Arc::clone(&shared), Arc::clone(&client));
    let server = Arc::clone(&input);
    thread::spawn(move || {
        // Whatever went wrong, the pipe is closed, and that tells the server.
        let _ = carrier.client_to_server(io::stdin(), &server, &answers);
        server.lock().unwrap_or_else(PoisonError::into_inner).0 = None;
        let _ = tell.send(News::ClientEnded);
    });
    let (refused, refusals) = mpsc::sync_channel(REFUSALS);
    thread::spawn(move || back_to_server(&refusals, &input));
    let (tell, carrier) = (sender, Arc::clone(&shared));
    thread::spawn(move || {
        let _ = carrier.server_to_client(output, &client, &refused);
        let _ = tell.send(News::ServerEnded);
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
            }
            Err(RecvTimeoutError::Disconnected) => thread::sleep(tick),
        }
    };
    shared.close();
    Ok(exit_code(status))
}

/// What the server reads, until the client has no more for it.
struct Input(Option<ChildStdin>);

impl Write for Input {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Some(input) => input.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), ChildStdin::flush)
    }
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
    fn hurry(&mut self, child: &mut Child, shared: &Shared) {
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

/// Whether nobody reads what is written any more.
#[cfg(unix)]
fn client_is_gone() -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd as _;

    let out = io::stdout();
    // Nothing is waited for: that the other end is closed is told in any case.
    let mut asked = [PollFd::new(out.as_fd(), PollFlags::empty())];
    let told = poll(&mut asked, PollTimeout::ZERO).is_ok();
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
    told && asked[0]
        .revents()
        .is_some_and(|events| events.intersects(gone))
}

/// Nobody tells before something is written.
#[cfg(not(unix))]
fn client_is_gone() -> bool {
    false
}

fn reload(policies: &mut Option<PolicyFile>, shared: &Shared) {
    let Some(file) = policies else { return };
    match file.read_again() {
        Ok(None) => {}
        Ok(Some(policy)) => {
            shared.with_guard(|guard| guard.set_policy(policy));
            anstream::eprintln!("unstuck: read {}", file.path().display());
        }
        Err(error) => anstream::eprintln!("unstuck: {error:#}; the policies from before stay"),
    }
}
