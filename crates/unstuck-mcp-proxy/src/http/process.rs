//! The process of a server that speaks on standard input and output, for clients that come by HTTP.

use std::{
    collections::{BTreeMap, VecDeque},
    process::Child,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use unstuck_http::{Held, Loaded, Memory};
use unstuck_mcp::{Codec, Line, Lines, Message, Refusal, one_line};
use unstuck_session::sync::lock;
use unstuck_text::Notify;

use super::{
    exchange::ClientScope,
    queue::{ForClient, NotSent, QUEUE, Sender},
    reply::fault,
    server::Server,
};
use crate::child::ask_to_end;

/// Messages of a server that are kept until a client listens for them.
const EARLY: usize = 256;

/// Bytes of those messages.
const EARLY_BYTES: usize = 1 << 20;

/// Requests of one process that may wait for their answers. Each takes up to 6 KiB.
pub(super) const MOST_WAITING: usize = 1_024;

/// How long a process that belongs to one session waits for its client to read. A client that reads nothing is
/// disconnected earlier than that.
const SESSION_WAITS: Duration = Duration::from_mins(2);

/// How long the process that all clients share waits for one of them to read: not at all, since the others would wait
/// with it. A client that does not read as fast as the server writes loses its stream.
const COMMON_WAITS: Duration = Duration::ZERO;

/// How long a process waits for memory that other messages hold.
const MEMORY_WAITS: Duration = Duration::from_secs(5);

/// How long a server may take to end once its input has, and again once it was asked to.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a process that should end is looked at.
const TICK: Duration = Duration::from_millis(10);

/// Who talks to a process.
#[derive(Debug)]
pub(super) enum ChildMode {
    /// One session of the era of handshakes. Its messages pass as they are.
    Session(ClientScope),
    /// All clients of the stateless era. Their ids are replaced by numbers of their own.
    Common,
}

/// A running server.
pub(super) struct Process {
    pub(super) talk: ChildMode,
    input: Mutex<Option<SyncSender<Loaded>>>,
    /// Bytes that the process has not read yet.
    unread: Arc<AtomicUsize>,
    memory: Memory,
    notify: Notify,
    child: Mutex<Child>,
    pub(super) routes: Mutex<Routes>,
}

/// Where what a process says goes.
#[derive(Default)]
pub(super) struct Routes {
    /// By the id that the process knows, as it is compared.
    pub(super) waiting: BTreeMap<String, Route>,
    /// Who listens to what belongs to no request.
    pub(super) listener: Option<Sender>,
    early: VecDeque<Loaded>,
    pub(super) count: u64,
    pub(super) used: Option<Instant>,
    pub(super) ended: bool,
}

/// Why a request cannot wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotAdded {
    /// Another request with its id waits.
    IdInUse,
    /// Nothing more is answered by this process.
    Ended,
    /// [`MOST_WAITING`] requests wait.
    Full,
}

/// A request that waits for its answer.
pub(super) struct Route {
    pub(super) to: Sender,
    /// How the client spells its id and its progress token, of which neither is longer than 1 KiB.
    pub(super) id: Box<str>,
    pub(super) token: Option<Box<str>>,
    pub(super) whose: ClientScope,
    /// Which of several came first.
    pub(super) number: u64,
}

impl Process {
    /// Takes over a process that was just started.
    pub(super) fn take(
        server: &Arc<Server>,
        mut child: Child,
        talk: ChildMode,
    ) -> Result<Arc<Self>> {
        let stdin = child.stdin.take().context("the server has no input")?;
        let stdout = child.stdout.take().context("the server has no output")?;
        let (input, lines) = sync_channel(QUEUE);
        let routes = Routes {
            used: Some(Instant::now()),
            ..Routes::default()
        };
        let process = Arc::new(Self {
            talk,
            input: Mutex::new(Some(input)),
            unread: Arc::default(),
            memory: server.memory.clone(),
            notify: server.shared.notify().clone(),
            child: Mutex::new(child),
            routes: Mutex::new(routes),
        });
        let unread = Arc::clone(&process.unread);
        thread::spawn(move || write(&lines, stdin, &unread));
        let (listener, server) = (Arc::clone(&process), Arc::clone(server));
        thread::spawn(move || listener.listen(stdout, &server));
        Ok(process)
    }

    pub(super) fn routes(&self) -> MutexGuard<'_, Routes> {
        lock(&self.routes)
    }

    /// Passes on a message that the codec has read, as one line. False if too many messages, or bytes, wait for the process.
    pub(super) fn send(&self, mut message: Loaded) -> bool {
        message.bytes = one_line(message.bytes);
        let length = message.bytes.len();
        let input = lock(&self.input);
        let Some(input) = &*input else { return false };
        // The lock is held: nothing is added meanwhile.
        let unread = self.unread.load(Ordering::Acquire);
        if unread > 0 && unread.saturating_add(length) > self.memory.share() {
            return false;
        }
        self.unread.fetch_add(length, Ordering::AcqRel);
        let is_sent = input.try_send(message).is_ok();
        if !is_sent {
            self.unread.fetch_sub(length, Ordering::AcqRel);
        }
        is_sent
    }

    /// Passes a short message of the proxy's own on. A process that does not read does without it.
    pub(super) fn send_own(&self, message: Vec<u8>) {
        self.send(Loaded::own(message, &self.memory));
    }

    /// Memory for a message of the process; `None` if none was free for [`MEMORY_WAITS`].
    pub(super) fn hold(&self, bytes: usize) -> Option<Held> {
        let mut held = self.memory.nothing();
        grow(&mut held, bytes).then_some(held)
    }

    /// A message for a client. What there is no memory for is replaced by an error where the client waits for an answer.
    pub(super) fn load(&self, message: Vec<u8>, id: Option<&str>) -> Option<Loaded> {
        if let Some(held) = self.hold(message.len()) {
            return Some(Loaded {
                bytes: message,
                held,
            });
        }
        let text = "a message of the server was not passed on, because --max-memory is used up";
        self.notify.line(text);
        let why = "there is no memory for the server's answer; try again later";
        id.map(|id| Loaded::own(fault(Some(id), why), &self.memory))
    }

    /// Sends a message to a client, and waits for it to read what waits already.
    pub(super) fn deliver(&self, to: &Sender, heard: ForClient) -> Result<(), NotSent> {
        let patience = match self.talk {
            ChildMode::Session(_) => SESSION_WAITS,
            ChildMode::Common => COMMON_WAITS,
        };
        to.send(heard, patience)
    }

    /// Sends a message that belongs to no answer to the request that waits longest and can still be answered, else to
    /// the listener, else to the client that listens next.
    pub(super) fn tell(&self, message: Loaded) {
        let mut message = message;
        loop {
            let to = {
                let mut routes = self.routes();
                let Some(to) = routes.listener() else {
                    routes.keep(message);
                    return;
                };
                to
            };
            match self.deliver(&to, ForClient::Message(message)) {
                Ok(()) | Err(NotSent::Full(_)) => return,
                Err(NotSent::Closed(heard)) => message = heard.loaded(),
            }
        }
    }

    fn listen(&self, output: impl std::io::Read, server: &Server) {
        let mut lines = Lines::new(output, server.longest);
        let mut codec = Codec::with_limit(server.longest);
        let mut held = self.memory.nothing();
        loop {
            while !lines.has_line() && !lines.has_ended() {
                if lines.read_more().is_err() {
                    break;
                }
                hold_line(&mut lines, &mut held);
            }
            let Some(line) = lines.next_ready() else {
                break;
            };
            match line {
                Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Line::Whole(line) => self.take_line(codec.read_line(line), line, server),
                Line::TooLong { beginning, end } => {
                    self.take_line(Err(codec.too_long(beginning, end)), &[], server);
                }
                _ => {}
            }
            lines.release();
            held.shrink_to(lines.held());
        }
        let waiting = {
            let mut routes = self.routes();
            routes.ended = true;
            routes.listener = None;
            std::mem::take(&mut routes.waiting)
        };
        for route in waiting.into_values() {
            let why = fault(Some(&route.id), "the server has ended");
            let why = Loaded::own(why, &self.memory);
            // A client that is gone, or does not read, sees the end of its stream.
            let _ = route.to.try_send(ForClient::Answer(why));
            server.shared.close_scope(route.whose.scope());
        }
        if let ChildMode::Session(whose) = &self.talk {
            server.shared.close_scope(whose.scope());
        }
        see_out(&[self]);
    }

    fn take_line(&self, message: Result<Message<'_>, Refusal>, line: &[u8], server: &Server) {
        match &self.talk {
            ChildMode::Session(whose) => self.take_from_session_child(whose, message, line, server),
            ChildMode::Common => self.take_from_common_child(message, line, server),
        }
    }

    /// Tells the process that nothing follows.
    pub(super) fn close(&self) {
        lock(&self.input).take();
    }

    fn has_ended(&self) -> bool {
        let mut child = lock(&self.child);
        !matches!(child.try_wait(), Ok(None))
    }

    fn child(&self, work: impl FnOnce(&mut Child)) {
        work(&mut lock(&self.child));
    }
}

impl Routes {
    /// Adds a request. When there are too many, those whose client has gone make room: their answers reach no client.
    pub(super) fn add(&mut self, key: String, mut route: Route) -> Result<(), NotAdded> {
        if self.ended {
            return Err(NotAdded::Ended);
        }
        if self.waiting.contains_key(&key) {
            return Err(NotAdded::IdInUse);
        }
        if self.waiting.len() >= MOST_WAITING {
            self.waiting.retain(|_, route| !route.to.is_closed());
        }
        if self.waiting.len() >= MOST_WAITING {
            return Err(NotAdded::Full);
        }
        self.count += 1;
        route.number = self.count;
        self.used = Some(Instant::now());
        self.waiting.insert(key, route);
        Ok(())
    }

    /// Stream that gets messages which do not belong to an answer.
    fn listener(&self) -> Option<Sender> {
        let open = self.waiting.values().filter(|route| !route.to.is_closed());
        let to = open.min_by_key(|route| route.number);
        let to = to.map(|route| &route.to).or(self.listener.as_ref());
        to.filter(|to| !to.is_closed()).cloned()
    }

    /// Keeps a message until a client listens. Without a client that listens the protocol knows no way to deliver it, so
    /// what is beyond the bounds is dropped.
    fn keep(&mut self, message: Loaded) {
        let kept: usize = self.early.iter().map(|early| early.bytes.len()).sum();
        if self.early.len() < EARLY && kept.saturating_add(message.bytes.len()) <= EARLY_BYTES {
            self.early.push_back(message);
        }
    }

    /// From now on this client listens, and gets first what was kept.
    pub(super) fn listen(&mut self, listener: Sender) {
        for message in self.early.drain(..) {
            let _ = listener.try_send(ForClient::Message(message));
        }
        self.used = Some(Instant::now());
        self.listener = Some(listener);
    }

    /// Since when it has been idle.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let listens = self.listener.as_ref().is_some_and(|to| !to.is_closed());
        let waits = self.waiting.values().any(|route| !route.to.is_closed());
        if listens || waits {
            return None;
        }
        self.used
    }
}

/// Takes memory for a line that is being read. Without it the line is left out.
fn hold_line<R: std::io::Read>(lines: &mut Lines<R>, held: &mut Held) {
    let size = lines.held();
    if size <= held.bytes() {
        held.shrink_to(size);
    } else if !grow(held, size - held.bytes()) {
        lines.skip_line();
    }
}

/// Takes more memory; false if none was free for [`MEMORY_WAITS`].
fn grow(held: &mut Held, more: usize) -> bool {
    let began = Instant::now();
    while !held.grow(more) {
        if began.elapsed() > MEMORY_WAITS {
            return false;
        }
        thread::sleep(TICK);
    }
    true
}

fn write(lines: &Receiver<Loaded>, mut stdin: impl std::io::Write, unread: &AtomicUsize) {
    // When no more can be sent, or the process has closed its input, the pipe is closed.
    while let Ok(line) = lines.recv() {
        let written = stdin.write_all(&line.bytes).and_then(|()| stdin.flush());
        unread.fetch_sub(line.bytes.len(), Ordering::AcqRel);
        if written.is_err() {
            return;
        }
    }
}

/// Waits for processes to end, and sees to it that they do.
pub(super) fn see_out(processes: &[&Process]) {
    for process in processes {
        process.close();
    }
    if wait(processes) {
        return;
    }
    for process in processes {
        process.child(ask_to_end);
    }
    if wait(processes) {
        return;
    }
    for process in processes {
        process.child(|child| {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        });
    }
}

fn wait(processes: &[&Process]) -> bool {
    let start = Instant::now();
    loop {
        if processes.iter().all(|process| process.has_ended()) {
            return true;
        }
        if start.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(TICK);
    }
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
