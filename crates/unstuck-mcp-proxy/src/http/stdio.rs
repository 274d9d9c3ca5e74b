//! A server that is a process of this machine, for clients that come by HTTP.
//!
//! In the era of handshakes a connection is a session, so every session has a process of its own: what it knows and asks
//! is for one client. In the stateless era all clients share one, for what a server remembers in one call it may need in
//! the next; their ids would be equal, and are replaced.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
    thread,
    time::Duration,
};

use anyhow::Result;
use hyper::{
    StatusCode,
    header::{ACCEPT, HeaderValue},
    http::request::Parts,
};
use tokio::task::spawn_blocking;
use unstuck_http::{EVENTS, JSON, Loaded, Peer, Reply, empty, media, not_allowed};
use unstuck_session::sync::lock;

use super::{
    clients::Membership,
    exchange::{ClientScope, Exchange, Kind},
    headers::SESSION,
    process::{ChildMode, Process, see_out},
    queue::queue,
    reply::{busy, failed, refused, turned_away},
    server::{ProtocolGeneration, Server, session_id},
    sessions::{Full, SessionLimits, Sessions},
    visitors::Visitor,
    waiter::{BUSY, Waiter, check_token, events},
};
use crate::child;

/// A session that has done nothing but begin makes room after this long, when all places are taken.
const UNUSED: Duration = Duration::from_mins(1);

/// How to start a server.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program and its arguments.
    pub words: Vec<OsString>,
    /// Variables that are set beside those of this process.
    pub environment: Vec<(String, String)>,
    /// Its working directory, if it is not that of this process.
    pub directory: Option<PathBuf>,
}

/// A server and its processes.
pub(super) struct Stdio {
    launch: Launch,
    patience: Duration,
    sessions: Mutex<Sessions<Running>>,
    common: Mutex<Option<Arc<Process>>>,
    /// Held while a process is started, so that limits hold and clients that share a process start one.
    starting: Mutex<()>,
}

/// The process of a session, and the client that it belongs to.
struct Running {
    process: Arc<Process>,
    client: Membership,
}

impl Stdio {
    pub(super) fn new(launch: Launch, patience: Duration, limits: SessionLimits) -> Self {
        Self {
            launch,
            patience,
            sessions: Mutex::new(Sessions::new(limits)),
            common: Mutex::default(),
            starting: Mutex::default(),
        }
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions<Running>> {
        lock(&self.sessions)
    }

    /// Whose the messages of a session are, if this peer began it.
    pub(super) fn whose(&self, id: &str, peer: Peer) -> Option<ClientScope> {
        let mut sessions = self.sessions();
        let session = sessions.session(id, peer)?;
        let place = (peer, session.place);
        Some(ClientScope::of_session_at(id, &session.value.client, place))
    }

    /// Ends sessions that have ended, or were not used for long.
    pub(super) fn sweep(&self) {
        let mut sessions = self.sessions();
        let idle = sessions.idle();
        let over = sessions.sweep(|session| is_over(&session.value.process, idle));
        drop(sessions);
        for (_, running) in over {
            end(running.process);
        }
    }

    /// Ends all processes.
    pub(super) fn stop(&self) -> Vec<Arc<Process>> {
        let all = self.sessions().drain().into_iter();
        let mut all: Vec<_> = all.map(|running| running.process).collect();
        let mut common = lock(&self.common);
        all.extend(common.take());
        all
    }

    fn start(&self, server: &Arc<Server>, talk: ChildMode) -> Result<Arc<Process>> {
        let mut command = child::command(&self.launch.words)?;
        command.envs(
            self.launch
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        );
        child::without_secrets(&mut command);
        if let Some(directory) = &self.launch.directory {
            command.current_dir(directory);
        }
        Process::take(server, child::spawn(command)?, talk)
    }

    /// The process that clients without sessions share, if it runs.
    fn running_common(&self) -> Option<Arc<Process>> {
        let common = lock(&self.common).clone();
        common.filter(|process| !process.routes().ended)
    }

    /// The process that clients without sessions share. Blocks while it starts.
    fn start_common(&self, server: &Arc<Server>) -> Result<Arc<Process>> {
        let _starting = lock(&self.starting);
        if let Some(process) = self.running_common() {
            return Ok(process);
        }
        let process = self.start(server, ChildMode::Common)?;
        *lock(&self.common) = Some(Arc::clone(&process));
        Ok(process)
    }

    async fn common(&self, server: &Arc<Server>) -> Result<Arc<Process>> {
        if let Some(process) = self.running_common() {
            return Ok(process);
        }
        let server = Arc::clone(server);
        spawn_blocking(move || server.stdio()?.start_common(&server)).await?
    }

    /// Starts the process of a new session, if there is room for it. Blocks while it starts.
    fn begin(&self, server: &Arc<Server>, visitor: &Visitor, peer: Peer) -> Result<Begun> {
        let _starting = lock(&self.starting);
        self.sweep();
        let id = new_id()?;
        let mut sessions = self.sessions();
        if let Err(full) = sessions.room(peer) {
            // Sessions that only began and then did nothing make room, and no others.
            let over = sessions.sweep(|session| is_abandoned(&session.value.process));
            let is_full = over.is_empty() || sessions.room(peer).is_err();
            for (_, running) in over {
                end(running.process);
            }
            if is_full {
                return Ok(Begun::Full(full));
            }
        }
        drop(sessions);
        let process = self.start(server, ChildMode::Session(ClientScope::of_session(&id)))?;
        let running = Running {
            process: Arc::clone(&process),
            client: server.join(visitor, &id),
        };
        if let Err(full) = self.sessions().add(&id, peer, running) {
            end(process);
            return Ok(Begun::Full(full));
        }
        Ok(Begun::Session(id, process))
    }

    fn session(&self, head: &Parts) -> Result<Arc<Process>, Box<Reply>> {
        let Some(id) = session_id(&head.headers) else {
            let why = "the header Mcp-Session-Id is missing";
            return Err(turned_away(StatusCode::BAD_REQUEST, why));
        };
        let process = self
            .sessions()
            .get(id, Peer::of(head))
            .map(Running::process);
        match process {
            Some(process) if !process.routes().ended => Ok(process),
            _ => Err(turned_away(
                StatusCode::NOT_FOUND,
                "there is no such session",
            )),
        }
    }

    /// Whether a message has a session to go to, or needs none, and can be answered.
    pub(super) fn admit(
        &self,
        head: &Parts,
        kind: &Kind,
        era: ProtocolGeneration,
        message: &[u8],
    ) -> Result<(), Box<Reply>> {
        let Some(id) = kind.id() else {
            return Ok(());
        };
        accepts(head)?;
        check_token(id, message)?;
        if era == ProtocolGeneration::Handshake && !kind.begins_session(&head.headers) {
            self.session(head)?;
        }
        Ok(())
    }

    pub(super) async fn post(
        &self,
        head: &Parts,
        kind: &Kind,
        era: ProtocolGeneration,
        message: Loaded,
        mut exchange: Exchange,
    ) -> Reply {
        let Some(id) = kind.id() else {
            return match self.session(head) {
                Ok(process) if process.send(message) => empty(StatusCode::ACCEPTED),
                Ok(_) => busy(None, BUSY),
                // Without a session there is no request of the server that this could answer.
                Err(_) if session_id(&head.headers).is_none() => empty(StatusCode::ACCEPTED),
                Err(why) => *why,
            };
        };
        let mut begun = None;
        let process = if era == ProtocolGeneration::Stateless {
            self.common(&exchange.server).await
        } else if kind.begins_session(&head.headers) {
            match begin(&exchange, Peer::of(head)).await {
                Ok(Begun::Session(id, process)) => {
                    begun = Some(id);
                    Ok(process)
                }
                Ok(Begun::Full(full)) => {
                    return failed(StatusCode::SERVICE_UNAVAILABLE, Some(&id.raw), &full.why());
                }
                Err(error) => Err(error),
            }
        } else {
            match self.session(head) {
                Ok(process) => Ok(process),
                Err(why) => {
                    exchange.server_is_done();
                    return *why;
                }
            }
        };
        let process = match process {
            Ok(process) => process,
            Err(error) => {
                let error = format!("{error:#}");
                let notify = exchange.server.shared.notify();
                notify.line(unstuck_text::Shown::line(error));
                exchange.server_is_done();
                let why = "the server cannot be started";
                return failed(StatusCode::BAD_GATEWAY, Some(&id.raw), why);
            }
        };
        let waiter = match Waiter::add(process, id, message, exchange) {
            Ok(waiter) => waiter,
            Err(why) => return *why,
        };
        let mut reply = waiter.reply(self.patience, &id.raw).await;
        if let Some(session) = begun
            && let Ok(session) = HeaderValue::try_from(session)
        {
            reply.headers_mut().insert(SESSION, session);
        }
        reply
    }

    pub(super) fn get(&self, server: &Server, head: &Parts) -> Reply {
        if session_id(&head.headers).is_none() {
            return not_allowed("POST");
        }
        let process = match accepts(head).and_then(|()| self.session(head)) {
            Ok(process) => process,
            Err(why) => return *why,
        };
        let (sender, heard) = queue(server.memory.share());
        process.routes().listen(sender);
        events(heard, None, None)
    }

    pub(super) fn delete(&self, head: &Parts) -> Reply {
        let Some(id) = session_id(&head.headers) else {
            return not_allowed("POST");
        };
        let running = self.sessions().remove(id, Peer::of(head));
        let Some(Running { process, .. }) = running else {
            return refused(StatusCode::NOT_FOUND, "there is no such session");
        };
        end(process);
        empty(StatusCode::NO_CONTENT)
    }
}

impl Running {
    fn process(&self) -> Arc<Process> {
        Arc::clone(&self.process)
    }
}

/// Begins a session off the threads that carry messages: starting a process may take long.
async fn begin(exchange: &Exchange, peer: Peer) -> Result<Begun> {
    let server = Arc::clone(&exchange.server);
    let visitor = exchange.whose.visitor().cloned();
    let visitor = visitor.unwrap_or_else(|| Visitor::unnamed(peer));
    // A client that goes meanwhile leaves a session that did nothing but begin.
    spawn_blocking(move || server.stdio()?.begin(&server, &visitor, peer)).await?
}

/// What became of a request for a new session.
enum Begun {
    Session(String, Arc<Process>),
    Full(Full),
}

/// Whether a session's process has ended, or was not used for this long.
fn is_over(process: &Process, idle: Duration) -> bool {
    let routes = process.routes();
    let since = routes.idle_since();
    routes.ended || since.is_some_and(|since| since.elapsed() > idle)
}

/// Whether a session began a while ago and has done nothing since.
fn is_abandoned(process: &Process) -> bool {
    let only_began = process.routes().count <= 1;
    is_over(process, if only_began { UNUSED } else { Duration::MAX })
}

/// Ends a process without waiting for it.
fn end(process: Arc<Process>) {
    thread::spawn(move || see_out(&[&process]));
}

/// An id that cannot be guessed.
fn new_id() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(u128::from_le_bytes(bytes)).map(|number| format!("{number:032x}"))
}

/// Clients must take both kinds of answers, for which it will be shows only later.
fn accepts(head: &Parts) -> Result<(), Box<Reply>> {
    let accepted = head.headers.get_all(ACCEPT).iter();
    let accepted: Vec<_> = accepted.filter_map(|value| value.to_str().ok()).collect();
    let takes = |mime: &str| {
        accepted.iter().flat_map(|list| list.split(',')).any(|one| {
            let one = media(one);
            let family = mime.split('/').next().unwrap_or_default();
            one.eq_ignore_ascii_case(mime) || one == "*/*" || one == format!("{family}/*")
        })
    };
    let fits = takes(EVENTS) && (head.method == hyper::Method::GET || takes(JSON));
    if fits {
        return Ok(());
    }
    let why = "Accept must name application/json and text/event-stream";
    Err(turned_away(StatusCode::NOT_ACCEPTABLE, why))
}
