//! How commands reach a running proxy: `unstuck mode`, `unstuck reset`, and what `unstuck sessions` lists.
//!
//! The thread that watches over the server looks at a few small files several times a second. Calls cost nothing more.

use std::time::{Duration, Instant};

use anyhow::Result;
use unstuck::Mode;
use unstuck_mcp::Held;
use unstuck_session::{
    HeldCaller, ProxyStatus, Registration, ResetRequest, StateDir, SwitchReader, clock, mode_name,
};
use unstuck_text::{Notify, Shown};

use super::guard_handle::SharedGuard;

/// How often the files are looked at.
const TICK: Duration = Duration::from_millis(250);

/// How often the number of calls is written, while nothing else changes.
const CALLS: Duration = Duration::from_secs(5);

/// What a mode was set by, in the audit.
const BY_SWITCH: &str = "unstuck mode";
const BY_CONFIGURATION: &str = "configuration";

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

/// The connection between a running proxy and the commands of its user.
pub struct Control {
    home: Option<StateDir>,
    source: ModeSource,
    switch: SwitchReader,
    registration: Option<Registration>,
    servers: Vec<String>,
    notify: Notify,
    started: i64,
    looked: Option<Instant>,
    written: Option<Written>,
}

/// What was written last.
struct Written {
    at: Instant,
    mode: Mode,
    changes: u64,
    calls: u64,
}

impl Control {
    /// Registers this process. A proxy that cannot be registered runs as well, and says so once.
    pub fn new(
        home: Result<StateDir>,
        source: ModeSource,
        servers: Vec<String>,
        notify: Notify,
    ) -> Self {
        let registered = home.and_then(|home| {
            let registration = home.register_proxy()?;
            Ok((home, registration))
        });
        let registered = registered.map_err(|error| {
            notify.line(format_args!(
                "the commands `reset`, `mode` and `sessions` do not reach this proxy: {}",
                Shown::line(format_args!("{error:#}"))
            ));
        });
        let (home, registration) = registered.ok().unzip();
        Self {
            home,
            source,
            switch: SwitchReader::default(),
            registration,
            servers,
            notify,
            started: clock::now(),
            looked: None,
            written: None,
        }
    }

    /// Applies what commands asked for since the last look, unless that was a moment ago.
    pub fn look<'a>(&mut self, servers: impl Iterator<Item = (&'a str, &'a SharedGuard)> + Clone) {
        if self.looked.is_some_and(|then| then.elapsed() < TICK) {
            return;
        }
        self.looked = Some(Instant::now());
        let mode = self.switch(servers.clone());
        self.reset(servers.clone());
        self.write(mode, servers);
    }

    fn switch<'a>(
        &mut self,
        servers: impl Iterator<Item = (&'a str, &'a SharedGuard)>,
    ) -> Option<Mode> {
        let asked = match self.source {
            ModeSource::Environment => None,
            ModeSource::Switch { configured } => {
                let home = self.home.as_ref();
                Some(match home.and_then(|home| self.switch.mode(home)) {
                    Some(mode) => (mode, BY_SWITCH),
                    None => (configured, BY_CONFIGURATION),
                })
            }
        };
        let mut in_effect = None;
        for (name, shared) in servers {
            let now = shared.now();
            let (before, after) = shared.with_guard(|guard| {
                let before = guard.mode();
                if let Some((mode, by)) = asked {
                    guard.set_mode(mode, by, now);
                }
                (before, guard.mode())
            });
            if before != after {
                shared.catch_up();
                let (before, after) = (mode_name(before), mode_name(after));
                let name = Shown::line(name);
                self.notify
                    .line(format_args!("{name}: mode {after} in place of {before}"));
            }
            in_effect = Some(after);
        }
        in_effect
    }

    fn reset<'a>(&self, servers: impl Iterator<Item = (&'a str, &'a SharedGuard)> + Clone) {
        let Some(registration) = &self.registration else {
            return;
        };
        let Some(request) = registration.request() else {
            return;
        };
        let (server, session) = match &request {
            ResetRequest::Everything => (None, None),
            ResetRequest::Session { server, session } => (Some(&**server), Some(&**session)),
        };
        // The servers share what they hold against their callers, so it is cleared once and recorded by each.
        let mut cleared = None;
        let is_named = |name: &str| server.is_none_or(|server| server == name);
        let named = servers.clone().filter(|(name, _)| is_named(name));
        let others = servers.filter(|(name, _)| !is_named(name));
        for (name, shared) in named.chain(others) {
            let now = shared.now();
            let was_reset = shared.with_guard(|guard| match cleared {
                None if is_named(name) => {
                    cleared = Some(guard.reset(session, now));
                    true
                }
                Some(cleared) if session.is_none_or(|session| guard.holds(session)) => {
                    guard.note_reset(session, cleared, now);
                    true
                }
                _ => false,
            });
            if !was_reset {
                continue;
            }
            shared.catch_up();
            // The audit names it; a trusted name may hold anything.
            let what = session.map_or("everything", |_| "one session");
            self.notify
                .line(format_args!("{}: {what} was reset", Shown::line(name)));
        }
        registration.done();
    }

    fn write<'a>(
        &mut self,
        mode: Option<Mode>,
        servers: impl Iterator<Item = (&'a str, &'a SharedGuard)> + Clone,
    ) {
        let (Some(registration), Some(mode)) = (&self.registration, mode) else {
            return;
        };
        let (mut changes, mut calls) = (0, 0);
        for (_, shared) in servers.clone() {
            let (changed, called) =
                shared.with_guard(|guard| (guard.held_changes(), guard.calls()));
            changes += changed;
            calls += called;
        }
        let is_current = self.written.as_ref().is_some_and(|written| {
            let same = (written.mode, written.changes) == (mode, changes);
            same && (written.calls == calls || written.at.elapsed() < CALLS)
        });
        if is_current {
            return;
        }
        let held = servers.flat_map(|(name, shared)| {
            let held = shared.with_guard(|guard| guard.held().to_vec());
            held.into_iter().map(move |held| describe(name, &held))
        });
        let status = ProxyStatus {
            servers: self.servers.clone(),
            mode: mode_name(mode).to_owned(),
            started: self.started,
            written: clock::now(),
            calls,
            held: held.collect(),
            ..ProxyStatus::of(registration.id())
        };
        // What cannot be written now is written when something changes again.
        let _ = registration.write(status);
        self.written = Some(Written {
            at: Instant::now(),
            mode,
            changes,
            calls,
        });
    }
}

fn describe(server: &str, held: &Held) -> HeldCaller {
    HeldCaller {
        server: server.to_owned(),
        session: held.session.to_string(),
        agent: held.agent.to_string(),
        halted: held.halted,
        rule: held.rule.map(|rule| rule.to_string()).unwrap_or_default(),
        denials: held.denials,
        last: held.last.milliseconds(),
    }
}
