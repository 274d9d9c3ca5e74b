//! One hook of one call: bytes of the host in, bytes for the host out.
//!
//! This runs before and after every call of an agent, so it does nothing that this call does not need. A failure does
//! not stop the agent: the call is allowed, and the log says why.

mod input;
mod judge;
mod settings;

use std::{
    fmt,
    io::{self, Read},
};

use unstuck::Mode;
use unstuck_hosts::{Happened, Host, Output, decode, encode, encode_allow};
use unstuck_store::SessionStore as _;

use crate::{error::Error, log::Log, state_dir::StateDir};
use input::Input;

pub use judge::judge;
pub use settings::settings;

/// A hook that a host has sent.
#[derive(Clone, Copy)]
pub struct HookRequest<'a> {
    /// The host that the hook was installed for.
    pub host: Host,
    /// The event, where the host does not name it in the input.
    pub event: Option<&'a str>,
    /// Looks up a variable of the environment.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// Describes the process that sent the hook, for the log.
    pub caller: &'a dyn Fn() -> String,
    /// Is called when an agent is halted, once for each halt.
    pub halted: &'a dyn Fn(&Halted<'_>),
}

/// An agent that was halted by a hook. Nothing in it comes from the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Halted<'a> {
    /// The host that runs the agent.
    pub host: Host,
    /// Name of the rule.
    pub rule: &'a str,
    /// Number of occurrences, the first one included.
    pub repeats: u32,
}

/// Reads the input of a hook and answers it, with the settings and the state of its agent. The input is read to its end
/// in any case, because a host may fail when its pipe is closed early.
pub fn answer(request: &HookRequest<'_>, mut input: impl Read, state: &StateDir) -> Output {
    let named = request.host;
    let log = Log::of(state);
    let mode = match state.mode() {
        Ok(from) => from.mode(),
        Err(error) => {
            log.line(named.name(), &format!("ignored: {}", error.with_causes()));
            None
        }
    };
    if mode == Some(Mode::Off) {
        let _ = io::copy(&mut input, &mut io::sink());
        return encode_allow(named);
    }
    // Without a store there is nothing to compare digests with either.
    let store = state.store().unlock();
    let key = store
        .as_ref()
        .map_or([0; 32], |store| store.derive_key("evidence"));
    let input = match input::read(input, &key) {
        Ok(input) => input,
        Err(error) => {
            let why = format!("allowed: the hook input cannot be read: {error}");
            log.line(named.name(), &why);
            return encode_allow(named);
        }
    };
    if let Input::Outline { bytes, .. } = &input {
        let what =
            format!("the hook input has {bytes} bytes: its long parts are compared by digests");
        log.line(named.name(), &what);
    }
    let environment = request.environment;
    let hook = match decode(named, request.event, input.bytes(), &key, &environment) {
        Ok(hook) => hook,
        Err(error) => {
            log.line(named.name(), &format!("allowed: {error}"));
            return encode_allow(named);
        }
    };
    if hook.happened == Happened::Nothing {
        return encode_allow(hook.host);
    }
    let judged = store.map_err(Error::from).and_then(|store| {
        let settings = settings(&hook, mode, state, &log);
        judge(
            &hook,
            settings,
            &store,
            &log,
            request.caller,
            request.halted,
        )
    });
    match judged {
        Ok(answer) => encode(&hook, &answer),
        Err(error) => {
            let who = format!("{} {}", hook.host, hook.session);
            log.line(&who, &format!("allowed: {}", error.with_causes()));
            encode_allow(hook.host)
        }
    }
}

impl fmt::Debug for HookRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookRequest")
            .field("host", &self.host)
            .field("event", &self.event)
            .finish_non_exhaustive()
    }
}
