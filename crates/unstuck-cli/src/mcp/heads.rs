//! Heads of the audit, sent to a second place.
//!
//! The chain has no key, so a program that may write the log and its head file can rewrite both. It cannot rewrite heads
//! that were sent elsewhere before. A thread of its own sends them: a slow or failing target never delays a call.

use std::{
    ffi::OsString,
    fs::OpenOptions,
    io::{self, Write as _},
    path::PathBuf,
    process::{Command, Stdio},
    str::FromStr,
    sync::{Arc, Condvar, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::json;
use unstuck_mcp::{AuditFile, Head};
use unstuck_session::{clock, sync::lock};
use unstuck_text::Shown;

use super::child::without_secrets;

/// A command may run this long.
const LONGEST_COMMAND: Duration = Duration::from_secs(5);

/// The last head is waited for this long when the proxy ends.
const LONGEST_END: Duration = Duration::from_secs(6);

/// Socket of the system's log.
#[cfg(unix)]
const SYSLOG: [&str; 2] = ["/dev/log", "/var/run/syslog"];

/// Facility `authpriv`, severity `notice`.
#[cfg(unix)]
const PRIORITY: u8 = 10 * 8 + 5;

/// Place to which heads are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeadTarget {
    /// A file, to which lines are appended.
    File(PathBuf),
    /// The log of the system.
    Syslog,
    /// A program and its arguments, which gets the head on its standard input.
    Command(Vec<OsString>),
}

impl FromStr for HeadTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("file:").filter(|path| !path.is_empty()) {
            return Ok(Self::File(path.into()));
        }
        if text == "syslog" && cfg!(unix) {
            return Ok(Self::Syslog);
        }
        if let Some(command) = text.strip_prefix("command:") {
            let words: Vec<OsString> = command.split_whitespace().map(Into::into).collect();
            if !words.is_empty() {
                return Ok(Self::Command(words));
            }
        }
        Err("write `file:PATH`, `syslog` or `command:PROGRAM ARGUMENTS`".to_owned())
    }
}

/// How often heads are sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadPace {
    /// A head is sent at the latest after this time.
    pub(crate) interval: Duration,
    /// A head is sent after so many lines.
    pub(crate) lines: u64,
}

/// Sends heads from a thread of its own.
pub(super) struct HeadSender {
    slot: Arc<(Mutex<Slot>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Slot {
    /// The newest head, and the number of the last full file.
    newest: Option<(Head, u32)>,
    /// The head that was last sent to the targets, whether or not one took it.
    tried: Option<(Head, u32)>,
    /// The head that at least one target took last.
    sent: Option<(Head, u32)>,
    is_over: bool,
}

impl Slot {
    fn is_news(&self) -> bool {
        self.newest != self.sent
    }

    /// Whether the newest head is sent without waiting for the interval.
    fn is_due(&self, lines: u64) -> bool {
        match (self.newest, self.tried) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some((newest, files)), Some((tried, tried_files))) => {
                files != tried_files || newest.line.saturating_sub(tried.line) >= lines
            }
        }
    }
}

impl HeadSender {
    /// Starts the thread. `None` without targets.
    pub(super) fn start(
        audit: &AuditFile,
        targets: Vec<HeadTarget>,
        pace: HeadPace,
    ) -> Option<Self> {
        if targets.is_empty() {
            return None;
        }
        let slot = Arc::new((Mutex::new(Slot::default()), Condvar::new()));
        let path = std::path::absolute(audit.path()).unwrap_or_else(|_| audit.path().to_owned());
        let shared = Arc::clone(&slot);
        let thread = thread::spawn(move || {
            let targets = targets.into_iter().map(Target::new).collect();
            send_all(&shared, &path.to_string_lossy(), targets, pace);
        });
        let sender = Self {
            slot,
            thread: Some(thread),
        };
        sender.note(audit);
        Some(sender)
    }

    /// Takes note of the newest head.
    pub(super) fn note(&self, audit: &AuditFile) {
        let (slot, changed) = &*self.slot;
        let mut slot = lock(slot);
        let newest = (audit.head(), audit.full_files());
        if newest.0.line > 0 && slot.newest != Some(newest) {
            slot.newest = Some(newest);
            changed.notify_one();
        }
    }

    /// Sends the last head.
    pub(super) fn end(&mut self) {
        let (slot, changed) = &*self.slot;
        lock(slot).is_over = true;
        changed.notify_one();
        let Some(thread) = self.thread.take() else {
            return;
        };
        let start = Instant::now();
        while !thread.is_finished() && start.elapsed() < LONGEST_END {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Sends the newest head when it is due. A head that no target took is sent again after the interval, and at the end.
fn send_all(slot: &(Mutex<Slot>, Condvar), path: &str, mut targets: Vec<Target>, pace: HeadPace) {
    let (slot, changed) = slot;
    let mut sent_at = Instant::now();
    loop {
        let mut state = lock(slot);
        while !state.is_over && !state.is_due(pace.lines) {
            let left = pace.interval.saturating_sub(sent_at.elapsed());
            if left.is_zero() {
                if state.is_news() {
                    break;
                }
                sent_at = Instant::now();
                continue;
            }
            state = changed
                .wait_timeout(state, left)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
        let newest = state.newest.filter(|_| state.is_news());
        state.tried = state.newest;
        let is_over = state.is_over;
        drop(state);
        if let Some((head, files)) = newest {
            let (number, hash) = (head.line, head.to_string());
            let hash = hash.split(' ').next_back().unwrap_or_default();
            let line = json!({"at": clock::now(), "file": path, "line": number, "hash": hash});
            let mut is_sent = false;
            for target in &mut targets {
                is_sent |= target.send(&line.to_string());
            }
            if is_sent {
                lock(slot).sent = Some((head, files));
            }
            sent_at = Instant::now();
        }
        if is_over {
            break;
        }
    }
    for target in targets {
        target.report();
    }
}

/// A target, and how often it failed.
struct Target {
    place: HeadTarget,
    failures: u64,
}

impl Target {
    fn new(place: HeadTarget) -> Self {
        Self { place, failures: 0 }
    }

    fn name(&self) -> String {
        match &self.place {
            HeadTarget::File(path) => path.display().to_string(),
            HeadTarget::Syslog => "syslog".to_owned(),
            HeadTarget::Command(words) => words[0].to_string_lossy().into_owned(),
        }
    }

    /// Returns whether the target took the head.
    fn send(&mut self, line: &str) -> bool {
        let sent = match &self.place {
            HeadTarget::File(path) => append(path, line),
            HeadTarget::Syslog => syslog(line),
            HeadTarget::Command(words) => run(words, line),
        };
        let Err(error) = sent else {
            return true;
        };
        self.failures += 1;
        if self.failures == 1 {
            anstream::eprintln!(
                "unstuck: a head of the audit was not sent to {}: {}",
                Shown::line(self.name()),
                Shown::line(error)
            );
        }
        false
    }

    fn report(&self) {
        if self.failures > 1 {
            let (name, failures) = (Shown::line(self.name()), self.failures);
            anstream::eprintln!("unstuck: {failures} heads of the audit were not sent to {name}");
        }
    }
}

fn append(path: &PathBuf, line: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        use nix::fcntl::OFlag;

        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        options.mode(0o600).custom_flags(flags.bits());
    }
    let mut file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()
}

#[cfg(unix)]
fn syslog(line: &str) -> io::Result<()> {
    let socket = std::os::unix::net::UnixDatagram::unbound()?;
    socket.set_nonblocking(true)?;
    let id = std::process::id();
    let message = format!("<{PRIORITY}>unstuck[{id}]: audit head {line}");
    let mut sent = Err(io::ErrorKind::NotFound.into());
    for path in SYSLOG {
        sent = socket.send_to(message.as_bytes(), path).map(|_| ());
        if sent.is_ok() {
            break;
        }
    }
    sent
}

#[cfg(not(unix))]
fn syslog(_: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Runs a program with the head on its standard input. No shell reads the words.
fn run(words: &[OsString], line: &str) -> io::Result<()> {
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    without_secrets(&mut command);
    let mut child = command.spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A pipe takes a line of this length at once, and a program that does not read it is not an error.
        let _ = input.write_all(format!("{line}\n").as_bytes());
    }
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(());
            }
            return Err(io::Error::other(format!("it ended with {status}")));
        }
        if start.elapsed() > LONGEST_COMMAND {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!(
                "it did not end within {} s",
                LONGEST_COMMAND.as_secs()
            )));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
#[path = "heads_tests.rs"]
mod tests;
