//! Two layers of protection around an agent that writes programs: a breaker for the calls that a program makes, and a
//! detector for the programs and their results.
//!
//! ```text
//! cargo run -p unstuck-classic --example 01_two_layers
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use unstuck::Json;
use unstuck_classic::{CallCircuitBreaker, CallVerdict, StepLoopDetector, StepVerdict};

/// Stands in for a program of the model: it polls a queue in a tight loop until a call is denied.
fn run_program(breaker: &mut CallCircuitBreaker, started_ms: i64) -> Json {
    for call in 0.. {
        let verdict = breaker.check("queue__peek", &Json::empty_object(), started_ms + call);
        if let CallVerdict::Denied { reason } = verdict {
            return Json::string(&reason);
        }
    }
    Json::null()
}

pub(crate) fn main() {
    let mut breaker = CallCircuitBreaker::new();
    let mut detector = StepLoopDetector::new();
    let mut warnings = 0;
    let mut steps = 0;
    // The model writes the same program again, a minute later each time.
    while detector.is_blocked().is_none() {
        let result = run_program(&mut breaker, i64::from(steps) * 60_000);
        steps += 1;
        match detector.analyze_step("while (true) queue.peek()", Some(&result)) {
            StepVerdict::Allow => println!("step {steps}: {result}"),
            StepVerdict::Warn { message, .. } => {
                warnings += 1;
                println!("step {steps}: {message}");
            }
            StepVerdict::Block { message, .. } => println!("step {steps}: {message}"),
        }
    }
    assert_eq!((steps, warnings), (6, 2));
}
