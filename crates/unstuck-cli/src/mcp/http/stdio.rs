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
use unstuck_session::sync::lock;

use super::{
    content::{EVENTS, JSON, media},
    exchange::{Exchange, Kind, Whose},
    headers::SESSION,
    memory::Loaded,
    peer::Peer,
    process::{Process, Talk, see_out},
    queue::queue,
    reply::{Reply, busy, empty, failed, refused, turned_away},
    server::{Era, Server, session_id},
    sessions::{Full, SessionLimits, Sessions},
    waiter::{BUSY, Waiter, check_token, events},
};
use crate::mcp::child;

/// A session that has done nothing but begin makes room after this long, when all places are taken.
const UNUSED: Duration = Duration::from_mins(1);

/// How to start a server.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) words: Vec<OsString>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) directory: Option<PathBuf>,
}

/// A server and its processes.
pub(super) struct Stdio {
    launch: Launch,
    patience: Duration,
    sessions: Mutex<Sessions<Arc<Process>>>,
    common: Mutex<Option<Arc<Process>>>,
}

impl Stdio {
    pub(super) fn new(launch: Launch, patience: Duration, limits: SessionLimits) -> Self {
        Self {
            launch,
            patience,
            sessions: Mutex::new(Sessions::new(limits)),
            common: Mutex::default(),
        }
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions<Arc<Process>>> {
        lock(&self.sessions)
    }

    pub(super) fn place(&self, id: &str, peer: Peer) -> Option<u32> {
        self.sessions().place(id, peer)
    }

    /// Ends sessions that have ended, or were not used for long.
    pub(super) fn sweep(&self) {
        let mut sessions = self.sessions();
        let idle = sessions.idle();
        let over = sessions.sweep(|session| is_over(&session.value, idle));
        drop(sessions);
        for (_, process) in over {
            end(process);
        }
    }

    /// Ends all processes.
    pub(super) fn stop(&self) -> Vec<Arc<Process>> {
        let mut all = self.sessions().drain();
        let mut common = lock(&self.common);
        all.extend(common.take());
        all
    }

    fn start(&self, server: &Arc<Server>, talk: Talk) -> Result<Arc<Process>> {
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

    fn common(&self, server: &Arc<Server>) -> Result<Arc<Process>> {
        let mut common = lock(&self.common);
        if let Some(process) = &*common
            && !process.routes().ended
        {
            return Ok(Arc::clone(process));
        }
        let process = self.start(server, Talk::Common)?;
        *common = Some(Arc::clone(&process));
        Ok(process)
    }

    /// Starts the process of a new session, if there is room for it.
    fn begin(&self, server: &Arc<Server>, peer: Peer) -> Result<Begun> {
        self.sweep();
        let id = new_id()?;
        let mut sessions = self.sessions();
        if let Err(full) = sessions.room(peer) {
            // Sessions that only began and then did nothing make room, and no others.
            let over = sessions.sweep(|session| is_abandoned(&session.value));
            let is_full = over.is_empty() || sessions.room(peer).is_err();
            for (_, process) in over {
                end(process);
            }
            if is_full {
                return Ok(Begun::Full(full));
            }
        }
        let process = self.start(server, Talk::Session(Whose::of_session(&id)))?;
        if let Err(full) = sessions.add(&id, peer, Arc::clone(&process)) {
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
        let process = self.sessions().get(id, Peer::of(head)).map(Arc::clone);
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
        era: Era,
        message: &[u8],
    ) -> Result<(), Box<Reply>> {
        let Some(id) = kind.id() else {
            return Ok(());
        };
        accepts(head)?;
        check_token(id, message)?;
        if era == Era::Handshake && !kind.begins_session(&head.headers) {
            self.session(head)?;
        }
        Ok(())
    }

    pub(super) async fn post(
        &self,
        head: &Parts,
        kind: &Kind,
        era: Era,
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
        let process = if era == Era::Stateless {
            self.common(&exchange.server)
        } else if kind.begins_session(&head.headers) {
            match self.begin(&exchange.server, Peer::of(head)) {
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
                anstream::eprintln!(
                    "unstuck: {}",
                    unstuck_text::Shown::line(format_args!("{error:#}"))
                );
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
            return super::service::not_allowed("POST");
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
            return super::service::not_allowed("POST");
        };
        let Some(process) = self.sessions().remove(id, Peer::of(head)) else {
            return refused(StatusCode::NOT_FOUND, "there is no such session");
        };
        end(process);
        empty(StatusCode::NO_CONTENT)
    }
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
