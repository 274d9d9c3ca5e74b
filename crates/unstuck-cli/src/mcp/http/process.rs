//! The process of a server that speaks on standard input and output, for clients that come by HTTP.

use std::{
    collections::{BTreeMap, VecDeque},
    process::Child,
    sync::{
        Arc, Mutex, MutexGuard,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use tokio::sync::mpsc;
use unstuck_mcp::{Codec, Line, Lines, Message, Refusal, one_line};

use super::{exchange::Whose, reply::fault, server::Server};
use crate::lock::lock;
use crate::mcp::child::ask_to_end;

/// Messages that may wait for the process, and for a client.
pub(super) const QUEUE: usize = 1_024;

/// What a server says before anybody listens is kept, up to so many messages.
const EARLY: usize = 256;

/// How long a server may take to end once its input has, and again once it was asked to.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a process that should end is looked at.
const TICK: Duration = Duration::from_millis(10);

/// What a client hears.
#[derive(Debug)]
pub(super) enum Heard {
    /// The answer; nothing follows.
    Answer(Vec<u8>),
    /// Something else on the way to it.
    Message(Vec<u8>),
}

/// Who talks to a process.
#[derive(Debug)]
pub(super) enum Talk {
    /// One session of the era of handshakes. Its messages pass as they are.
    Session(Whose),
    /// All clients of the stateless era. Their ids are replaced by numbers of their own.
    Common,
}

/// A running server.
pub(super) struct Process {
    pub(super) talk: Talk,
    input: Mutex<Option<SyncSender<Vec<u8>>>>,
    child: Mutex<Child>,
    pub(super) routes: Mutex<Routes>,
}

/// Where what a process says goes.
#[derive(Default)]
pub(super) struct Routes {
    /// By the id that the process knows, as it is compared.
    pub(super) waiting: BTreeMap<String, Route>,
    /// Who listens to what belongs to no request.
    pub(super) listener: Option<mpsc::Sender<Heard>>,
    early: VecDeque<Vec<u8>>,
    pub(super) count: u64,
    pub(super) used: Option<Instant>,
    pub(super) ended: bool,
}

/// A request that waits for its answer.
pub(super) struct Route {
    pub(super) to: mpsc::Sender<Heard>,
    /// How the client spells its id and its progress token.
    pub(super) id: Box<str>,
    pub(super) token: Option<Box<str>>,
    pub(super) whose: Whose,
    /// Which of several came first.
    pub(super) number: u64,
}

impl Process {
    /// Takes over a process that was just started.
    pub(super) fn take(server: &Arc<Server>, mut child: Child, talk: Talk) -> Result<Arc<Self>> {
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
            child: Mutex::new(child),
            routes: Mutex::new(routes),
        });
        thread::spawn(move || write(&lines, stdin));
        let (listener, server) = (Arc::clone(&process), Arc::clone(server));
        thread::spawn(move || listener.listen(stdout, &server));
        Ok(process)
    }

    pub(super) fn routes(&self) -> MutexGuard<'_, Routes> {
        lock(&self.routes)
    }

    /// Passes on a message that the codec has read, as one line. False if the process takes no more.
    pub(super) fn send(&self, message: Vec<u8>) -> bool {
        let message = one_line(message);
        let input = lock(&self.input);
        input
            .as_ref()
            .is_some_and(|input| input.try_send(message).is_ok())
    }

    fn listen(&self, output: impl std::io::Read, server: &Server) {
        let mut lines = Lines::new(output, server.longest);
        let mut codec = Codec::with_limit(server.longest);
        while let Ok(Some(line)) = lines.next_line() {
            match line {
                Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Line::Whole(line) => self.hear(codec.read_line(line), line, server),
                Line::TooLong { beginning, end } => {
                    self.hear(Err(codec.too_long(beginning, end)), &[], server);
                }
                _ => {}
            }
        }
        let waiting = {
            let mut routes = self.routes();
            routes.ended = true;
            routes.listener = None;
            std::mem::take(&mut routes.waiting)
        };
        for route in waiting.into_values() {
            let why = fault(Some(&route.id), "the server has ended");
            // Whoever is gone does not want to know.
            let _ = route.to.try_send(Heard::Answer(why));
            server.shared.close_scope(route.whose.scope());
        }
        if let Talk::Session(whose) = &self.talk {
            server.shared.close_scope(whose.scope());
        }
        see_out(&[self]);
    }

    fn hear(&self, message: Result<Message<'_>, Refusal>, line: &[u8], server: &Server) {
        match &self.talk {
            Talk::Session(whose) => self.hear_session(whose, message, line, server),
            Talk::Common => self.hear_common(message, line, server),
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
    /// Adds a request, unless another with its id waits.
    pub(super) fn add(&mut self, key: String, mut route: Route) -> bool {
        if self.ended || self.waiting.contains_key(&key) {
            return false;
        }
        self.count += 1;
        route.number = self.count;
        self.used = Some(Instant::now());
        self.waiting.insert(key, route);
        true
    }

    /// Sends what belongs to no answer to whoever it fits best: the request that waits longest and can still be told,
    /// else the listener, else whoever listens next.
    pub(super) fn tell(&mut self, message: Vec<u8>) {
        let open = self.waiting.values().filter(|route| !route.to.is_closed());
        let to = open.min_by_key(|route| route.number);
        let to = to.map(|route| &route.to).or(self.listener.as_ref());
        let unheard = match to {
            Some(to) => match to.try_send(Heard::Message(message)) {
                Ok(()) => return,
                Err(error) => error.into_inner(),
            },
            None => Heard::Message(message),
        };
        if let Heard::Message(message) = unheard
            && self.early.len() < EARLY
        {
            self.early.push_back(message);
        }
    }

    /// From now on this one listens, and hears first what nobody heard.
    pub(super) fn listen(&mut self, listener: mpsc::Sender<Heard>) {
        for message in self.early.drain(..) {
            let _ = listener.try_send(Heard::Message(message));
        }
        self.used = Some(Instant::now());
        self.listener = Some(listener);
    }

    /// Since when nobody has wanted anything.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let listens = self.listener.as_ref().is_some_and(|to| !to.is_closed());
        let waits = self.waiting.values().any(|route| !route.to.is_closed());
        if listens || waits {
            return None;
        }
        self.used
    }
}

fn write(lines: &Receiver<Vec<u8>>, mut stdin: impl std::io::Write) {
    // When nobody can send any more, or the process reads no more, its input is closed.
    while let Ok(line) = lines.recv() {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
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
