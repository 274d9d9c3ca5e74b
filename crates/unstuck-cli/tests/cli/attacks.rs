//! Attacks on the guard, each through the binary alone.
//!
//! The name of a test begins with the number of the attack it repeats. `UNSTUCK_BINARY` names the binary to attack:
//! every test here fails on a build that has the weakness. SECURITY.md lists the numbers.

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
#[path = "attacks/scan.rs"]
mod scan;
#[cfg(unix)]
#[path = "attacks/secrets.rs"]
mod secrets;
#[cfg(unix)]
#[path = "attacks/trust.rs"]
mod trust;
