//! Commands through the whole crate.

#![allow(clippy::unwrap_used, reason = "what may fail here fails the test")]

mod different;
mod effects;
mod hostile;
mod properties;
mod reads;
mod same;

use unstuck_shell::{Insight, canonical, understand};

fn insight(command: &str) -> Insight {
    understand(command, None).unwrap_or_else(|| panic!("not understood: {command}"))
}

/// The one spelling of a command.
fn spelled(command: &str) -> String {
    insight(command).canonical
}

/// All of these do the same.
fn same(commands: &[&str]) {
    for command in commands {
        assert_eq!(spelled(command), spelled(commands[0]), "{command}");
    }
}

/// No two of these do the same.
fn different(commands: &[&str]) {
    for (at, one) in commands.iter().enumerate() {
        for other in &commands[at + 1..] {
            assert_ne!(spelled(one), spelled(other), "{one} and {other}");
        }
    }
}

/// Compared as they are written.
fn raw(commands: &[&str]) {
    for command in commands {
        assert_eq!(canonical(command), None, "{command}");
    }
}
