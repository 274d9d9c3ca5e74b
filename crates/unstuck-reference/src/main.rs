//! `cargo run --release --package unstuck-reference`: the whole reference stream, 100,000 calls.
//!
//! Every planted loop must be caught, and nothing else reported. The tests of the engine judge the first 3,000 calls of it.

#![allow(clippy::print_stdout, reason = "a developer's command prints")]

#[path = "../../unstuck/tests/support/planted.rs"]
mod planted;
#[path = "../../unstuck/tests/support/stream.rs"]
#[allow(
    dead_code,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "benchmarks use other parts of it; what fails in it fails the run"
)]
mod stream;

use std::process::ExitCode;

use unstuck::settings::Attendance;

const CALLS: usize = 100_000;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for attendance in [Attendance::Unattended, Attendance::Attended] {
        let faults = match planted::run(CALLS, attendance) {
            Ok(caught) => planted::faults(&caught),
            Err(error) => vec![error.to_string()],
        };
        println!(
            "{CALLS} calls, {attendance:?}: {}",
            if faults.is_empty() {
                "every planted loop is caught, and nothing else is reported"
            } else {
                code = ExitCode::FAILURE;
                "FAILED"
            }
        );
        for fault in faults {
            println!("  {fault}");
        }
    }
    code
}
