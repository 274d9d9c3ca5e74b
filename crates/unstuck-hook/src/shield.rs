//! A panic is a fault like any other: the call is allowed or denied as `fail` says, and the log says why.

use std::panic::{self, AssertUnwindSafe};

use unstuck_hosts::{Host, Output};
use unstuck_session::Log;

/// Runs the work, and what answers in its place if it panics.
pub(super) fn run(
    log: &Log,
    host: Host,
    work: impl FnOnce() -> Output,
    otherwise: impl FnOnce() -> Output,
) -> Output {
    let quiet = log.clone();
    // Hosts show what is written to standard error.
    panic::set_hook(Box::new(move |panic| {
        quiet.line(host.name(), &format!("a fault in unstuck: {panic}"));
    }));
    // Whatever the work has half done is dropped with it; state is written as a whole or not at all.
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| otherwise())
}

#[cfg(test)]
#[path = "shield_tests.rs"]
mod tests;
