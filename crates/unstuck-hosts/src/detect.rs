//! Who really called: some hosts run the hooks that were registered for another one.

use crate::{
    hosts::{
        Host,
        contract::{Environment, Recognition, Sender},
    },
    payload::Payload,
};

/// The host whose payload this is. What could be several hosts' is left to the name that was registered.
pub(crate) fn detect(payload: &Payload<'_>, named: Host, environment: Environment<'_>) -> Host {
    if named.spec().hooks.sender == Sender::OurPlugin {
        return named;
    }
    let mut found = (Recognition::Unknown, named);
    for host in Host::ALL {
        let recognition = (host.spec().hooks.recognises)(payload, environment);
        if recognition > found.0 {
            found = (recognition, host);
        }
    }
    found.1
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
