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
#[path = "cli/run.rs"]
mod run;
#[path = "cli/scan.rs"]
mod scan;
#[path = "cli/scan_live.rs"]
mod scan_live;
#[path = "cli/tune.rs"]
mod tune;
