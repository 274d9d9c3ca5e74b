//! Attacks on the guard, each through the binary alone.
//!
//! The name of a test begins with the number of the attack it repeats. `UNSTUCK_BINARY` names the binary to attack:
//! every test here fails on a build that has the weakness. SECURITY.md lists the numbers.

#[cfg(unix)]
use std::{fs, time::Duration};

#[cfg(unix)]
#[path = "attacks/audit.rs"]
mod audit;
#[cfg(unix)]
#[path = "attacks/callers.rs"]
mod callers;
#[cfg(unix)]
#[path = "attacks/clock.rs"]
mod clock;
#[cfg(unix)]
#[path = "attacks/cost.rs"]
mod cost;
#[cfg(unix)]
#[path = "attacks/evidence.rs"]
mod evidence;
#[cfg(unix)]
#[path = "attacks/messages.rs"]
mod messages;
#[cfg(unix)]
#[path = "attacks/policy.rs"]
mod policy;
#[cfg(unix)]
#[path = "attacks/printed.rs"]
mod printed;
#[cfg(unix)]
#[path = "attacks/scan.rs"]
mod scan;
#[cfg(unix)]
#[path = "attacks/secrets.rs"]
mod secrets;
#[cfg(unix)]
#[path = "attacks/trust.rs"]
mod trust;

/// Reports that a test cannot run here. `cargo xtask attacks` reads the line and lists the test as not run.
#[cfg(unix)]
#[expect(
    clippy::print_stdout,
    reason = "the test runner records what this macro prints"
)]
fn skip(why: &str) {
    println!("skipped: {why}");
}

/// Processor time that a process has used so far.
#[cfg(unix)]
fn processor_time(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("it runs");
    let (_, fields) = stat.rsplit_once(')').expect("a name");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: u64 = fields[11..13]
        .iter()
        .map(|ticks| ticks.parse::<u64>().expect("a number"))
        .sum();
    // The kernel reports hundredths of a second.
    Duration::from_millis(ticks * 10)
}
