//! What only people may do.
//!
//! An agent that is denied a call could otherwise lift the denial by itself: the text of the denial names the command.
//! These checks recognise an agent that runs a command as agents do. An agent with all rights of its user that means to
//! get past them can; a separate account or the host's own rules for commands stop that one.

use std::env;

use anyhow::{Result, bail};
use unstuck_hosts::Host;

/// Returns an error unless a person seems to run this command: no agent's variable is set, there is a controlling
/// terminal, and (on Linux) no agent is among the processes that started it.
pub(crate) fn ensure() -> Result<()> {
    check("")
}

/// The same, for a command that a setting can stand in for: the refusal ends with it.
pub(crate) fn ensure_or(setting: &str) -> Result<()> {
    check(&format!(". Without one, {setting}"))
}

fn check(end: &str) -> Result<()> {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    for host in Host::ALL {
        if let Some(variable) = host.variables().iter().find(|name| set(name)) {
            let agent = host.title();
            refuse(
                &format!("{variable} says that {agent} runs this command"),
                end,
            )?;
        }
    }
    if !has_terminal() {
        refuse("this command has no controlling terminal", end)?;
    }
    #[cfg(target_os = "linux")]
    if let Some(agent) = ancestry::agent() {
        refuse(&format!("the process `{agent}` started this command"), end)?;
    }
    Ok(())
}

fn refuse(why: &str, end: &str) -> Result<()> {
    bail!(
        "refused: this is for a person to decide, and {why}; run it yourself, in a terminal of your own (in a container: with a terminal, `docker exec -it`){end}"
    );
}

/// Whether there is a terminal that a person could type in, wherever standard input comes from.
fn has_terminal() -> bool {
    let console = if cfg!(windows) { "CONIN$" } else { "/dev/tty" };
    std::fs::File::open(console).is_ok()
}

#[cfg(target_os = "linux")]
mod ancestry {
    use unstuck_hosts::Host;

    /// Processes above this one that are looked at.
    const DEEPEST: usize = 64;

    /// The nearest agent among the processes that started this one.
    pub(super) fn agent() -> Option<&'static str> {
        let mut process = "self".to_owned();
        for _ in 0..DEEPEST {
            // A process may give itself a name that is not text.
            let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
            let stat = String::from_utf8_lossy(&stat);
            let (name, parent) = read(&stat)?;
            let mut agents = Host::ALL.into_iter().flat_map(Host::processes);
            if let Some(agent) = agents.find(|agent| **agent == name) {
                return Some(agent);
            }
            parent.clone_into(&mut process);
        }
        None
    }

    /// The name and the parent in a line like `7 (bash) S 6 …`. A name may hold parentheses and spaces.
    pub(super) fn read(stat: &str) -> Option<(&str, &str)> {
        let (start, rest) = stat.rsplit_once(')')?;
        let (_, name) = start.split_once('(')?;
        let parent = rest.split_ascii_whitespace().nth(1)?;
        Some((name, parent))
    }

    #[cfg(test)]
    #[test]
    fn names_and_parents_are_read() {
        assert_eq!(read("7 (bash) S 6 7 7 0 -1"), Some(("bash", "6")));
        assert_eq!(read("7 (a) (b) S 12 7"), Some(("a) (b", "12")));
        assert_eq!(read("7"), None);
    }
}
