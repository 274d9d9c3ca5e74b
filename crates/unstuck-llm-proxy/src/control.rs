//! How commands reach a running proxy: `unstuck mode`, `unstuck reset`, and what `sessions`, `status` and `top` list.
//!
//! A thread looks at a few small files several times a second. Requests cost nothing more.

use std::{
    sync::{
        Arc,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use unstuck::Mode;
use unstuck_session::{
    HeldCaller, ProxyKind, ProxySession, ProxyStatus, Registration, ResetRequest, StateDir,
    SwitchReader, clock, mode_name,
};
use unstuck_text::{Notify, Shown};

use crate::guard::{Guard, Session};

/// How often the files are looked at.
const TICK: Duration = Duration::from_millis(250);

/// How often the status is written while nothing but counts changes.
const COUNTS: Duration = Duration::from_secs(2);

/// Where a proxy takes its mode from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeSource {
    /// The environment, which does not change any more.
    Environment,
    /// The switch, or else this mode of the configuration.
    Switch {
        /// Mode of the configuration.
        configured: Mode,
    },
}

/// The connection between a running proxy and the commands of its user. It ends when this is dropped.
pub struct Control {
    id: Option<String>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Control {
    /// Registers this process. A proxy that cannot be registered runs as well, and says so once.
    pub fn start(guard: Arc<Guard>, home: StateDir, source: ModeSource, notify: &Notify) -> Self {
        let registration = match home.register_proxy_of(ProxyKind::Llm) {
            Ok(registration) => registration,
            Err(error) => {
                notify.line(format_args!(
                    "the commands `reset`, `mode` and `sessions` do not reach this proxy: {}",
                    Shown::line(error.with_causes())
                ));
                return Self {
                    id: None,
                    stop: None,
                    thread: None,
                };
            }
        };
        let id = registration.id().to_owned();
        let (stop, stopped) = channel();
        let mut watch = Watch {
            guard,
            home,
            source,
            switch: SwitchReader::default(),
            registration,
            notify: notify.clone(),
            started: clock::now(),
            written: None,
        };
        watch.look();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                watch.look();
            }
        });
        Self {
            id: Some(id),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// The name under which the proxy is registered.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Watch {
    guard: Arc<Guard>,
    home: StateDir,
    source: ModeSource,
    switch: SwitchReader,
    registration: Registration,
    notify: Notify,
    started: i64,
    written: Option<Written>,
}

/// What was written last.
struct Written {
    at: Instant,
    mode: Mode,
    changes: u64,
    sessions: usize,
}

impl Watch {
    fn look(&mut self) {
        if let ModeSource::Switch { configured } = self.source {
            let mode = self.switch.mode(&self.home).unwrap_or(configured);
            let before = self.guard.set_mode(mode);
            if before != mode {
                let (before, mode) = (mode_name(before), mode_name(mode));
                self.notify
                    .line(format_args!("mode {mode} in place of {before}"));
            }
        }
        if let Some(request) = self.registration.request() {
            let count = match &request {
                ResetRequest::Everything => self.guard.reset_all(),
                ResetRequest::Session { session, .. } => self.guard.reset(session),
            };
            self.notify
                .line(format_args!("{count} agents were reset by `unstuck reset`"));
            self.registration.done();
        }
        self.write();
    }

    fn write(&mut self) {
        let mode = self.guard.settings().mode;
        let changes = self.guard.changes();
        let sessions = self.guard.sessions();
        let is_current = self.written.as_ref().is_some_and(|written| {
            let same = (written.mode, written.changes, written.sessions)
                == (mode, changes, sessions.len());
            same && written.at.elapsed() < COUNTS
        });
        if is_current {
            return;
        }
        let held = sessions.iter().filter(|it| it.halted.is_some());
        let status = ProxyStatus {
            servers: self.guard.apis(),
            mode: mode_name(mode).to_owned(),
            started: self.started,
            written: clock::now(),
            calls: sessions.iter().map(|it| it.tally.requests).sum(),
            held: held.map(caller).collect(),
            sessions: sessions.iter().map(session).collect(),
            ..ProxyStatus::of(self.registration.id())
        };
        // What cannot be written now is written with the next look.
        let _ = self.registration.write(status);
        self.written = Some(Written {
            at: Instant::now(),
            mode,
            changes,
            sessions: sessions.len(),
        });
    }
}

fn caller(session: &Session) -> HeldCaller {
    HeldCaller {
        server: session.form.name().to_owned(),
        session: session.session.to_string(),
        agent: session.agent.to_string(),
        halted: session.halted.is_some(),
        rule: session
            .halted
            .map(|rule| rule.to_string())
            .unwrap_or_default(),
        denials: session.tally.denials,
        last: session.last,
    }
}

fn session(session: &Session) -> ProxySession {
    ProxySession {
        api: session.form.name().to_owned(),
        session: session.session.to_string(),
        agent: session.agent.to_string(),
        is_named: session.is_named,
        first: session.first,
        last: session.last,
        answered: session.answered,
        requests: session.tally.requests,
        nudges: session.tally.nudges,
        denials: session.tally.denials,
        halted: session.halted.map(|rule| rule.to_string()),
        tokens: session.spent.tokens,
        micros: session.spent.micros,
    }
}
