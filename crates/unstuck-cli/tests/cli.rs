//! The command as its users run it.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

#[path = "cli/check.rs"]
mod check;
#[path = "cli/config.rs"]
mod config;
#[path = "cli/likeness.rs"]
mod likeness;
#[path = "cli/print.rs"]
mod print;
#[path = "cli/rules.rs"]
mod rules;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/tune.rs"]
mod tune;
