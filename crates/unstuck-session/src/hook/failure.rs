//! Answers to hooks that could not be judged.

use std::path::Path;

use unstuck::{Mode, message::MARKER};
use unstuck_config::Fail;
use unstuck_hosts::{Hook, Output, encode_allow, encode_failure, encode_unread_failure};

use super::HookRequest;
use crate::{configuration, fail::fail_from_environment, log::Log, state_dir::StateDir};

/// What is known of a hook that cannot be judged.
#[derive(Clone, Copy)]
pub(super) enum Known<'a> {
    /// It was read.
    Hook(&'a Hook),
    /// Its input, as far as it arrived.
    Input(&'a [u8]),
}

/// Answers a hook that could not be judged because unstuck itself failed, before its input was read.
pub fn failed(request: &HookRequest<'_>, state: Option<&StateDir>) -> Output {
    let mode = state.and_then(|state| state.mode().ok()?.mode());
    answer(request, Known::Input(b""), fail_mode(None, state, mode))
}

/// Answers a hook that could not be judged, and adds a line with the reason to the log.
pub(super) fn report(
    request: &HookRequest<'_>,
    known: Known<'_>,
    (state, mode): (&StateDir, Option<Mode>),
    why: &str,
) -> Output {
    let (who, host, directory) = match known {
        Known::Hook(hook) => (
            format!("{} {}", hook.host, hook.session),
            hook.host,
            hook.directory.as_deref().map(Path::new),
        ),
        Known::Input(_) => (request.host.to_string(), request.host, None),
    };
    let fail = fail_mode(directory, Some(state), mode);
    let output = answer(request, known, fail);
    let done = match fail {
        Fail::Closed if output != encode_allow(host) => "denied",
        _ => "allowed",
    };
    Log::of(state).line(&who, &format!("{done}: {why}"));
    output
}

fn answer(request: &HookRequest<'_>, known: Known<'_>, fail: Fail) -> Output {
    let text = format!(
        "{MARKER} This call did not run: the guard failed, and it is configured to deny calls that it cannot judge. Stop here and tell the user: `hook.log` in the state directory of unstuck and `unstuck doctor` say what is wrong."
    );
    match (fail, known) {
        (Fail::Open, Known::Hook(hook)) => encode_allow(hook.host),
        (Fail::Open, Known::Input(_)) => encode_allow(request.host),
        (Fail::Closed, Known::Hook(hook)) => encode_failure(hook, &text),
        (Fail::Closed, Known::Input(input)) => {
            encode_unread_failure(request.host, request.event, input, &text)
        }
    }
}

/// What the environment says, or else the settings. Only looked up when something has failed. A guard that only observes
/// denies nothing.
fn fail_mode(directory: Option<&Path>, state: Option<&StateDir>, mode: Option<Mode>) -> Fail {
    let configuration = configuration::of_failed_hook(directory, state).unwrap_or_default();
    if mode.unwrap_or(configuration.settings.mode) != Mode::Enforce {
        return Fail::Open;
    }
    // A word that is neither is ignored, as in all hooks.
    let fail = fail_from_environment().ok().flatten();
    fail.or(configuration.fail).unwrap_or(Fail::Open)
}
