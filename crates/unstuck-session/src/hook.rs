//! One hook of one call: bytes of the host in, bytes for the host out.
//!
//! This runs before and after every call of an agent, so it does nothing that this call does not need. When something
//! fails, the call is allowed or denied as `fail` says, and the log says why.

mod failure;
mod input;
mod judge;
mod settings;

use std::{
    fmt,
    io::{self, Read},
    panic::{self, AssertUnwindSafe},
};

use unstuck::Mode;
use unstuck_config::Fail;
use unstuck_hosts::{Answer, Happened, Hook, Host, Output, decode, encode, encode_allow};
use unstuck_store::{OpenStore, SessionStore as _};

use crate::{
    error::{Error, Result},
    fail::fault_of_a_test,
    log::Log,
    state_dir::StateDir,
};
use failure::{Known, report};
use input::Input;

pub use failure::failed;
pub use judge::judge;
pub use settings::{HookSettings, settings};

/// Name of the proxy that `unstuck run` put between the agent and its model. Hooks of the agent only record what the proxy
/// enforces, as long as it runs and sees requests of their session.
pub const PROXY_VARIABLE: &str = "UNSTUCK_PROXY";

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
            let why = format!("the hook input cannot be read: {error}");
            return report(request, Known::Input(b""), (state, mode), &why);
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
            let known = Known::Input(input.bytes());
            return report(request, known, (state, mode), &error.to_string());
        }
    };
    if hook.happened == Happened::Nothing {
        return encode_allow(hook.host);
    }
    let judged = store.map_err(Error::from).and_then(|store| {
        let mut settings = settings(&hook, mode, state, &log);
        let proxy = environment(PROXY_VARIABLE).filter(|name| !name.is_empty());
        if settings.settings.mode == Mode::Enforce
            && proxy.is_some_and(|proxy| {
                state.is_guarded_by_proxy(&proxy, &hook.session, crate::clock::now())
            })
        {
            settings.settings.mode = Mode::Observe;
        }
        // Whatever the work has half done is dropped with it; state is written as a whole or not at all.
        let judged = AssertUnwindSafe(|| answer_read(&hook, settings, &store, (&log, request)));
        panic::catch_unwind(judged)
            .unwrap_or_else(|_| Err(Error::Refused("there was a fault in unstuck".to_owned())))
    });
    match judged {
        Ok(answer) => encode(&hook, &answer),
        Err(error) => report(
            request,
            Known::Hook(&hook),
            (state, mode),
            &error.with_causes(),
        ),
    }
}

/// Judges a hook that was read.
fn answer_read(
    hook: &Hook,
    by: HookSettings,
    store: &OpenStore,
    (log, request): (&Log, &HookRequest<'_>),
) -> Result<Answer> {
    fault_of_a_test();
    if by.is_incomplete && by.fail == Fail::Closed {
        let why = "a configuration file cannot be used, and `fail` is `closed`";
        return Err(Error::Refused(why.to_owned()));
    }
    judge(hook, by, store, log, request.caller, request.halted)
}

impl fmt::Debug for HookRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookRequest")
            .field("host", &self.host)
            .field("event", &self.event)
            .finish_non_exhaustive()
    }
}
