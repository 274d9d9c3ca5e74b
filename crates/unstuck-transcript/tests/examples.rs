//! The example runs, and what it asserts holds.

#[path = "../examples/judge_a_recording.rs"]
mod judge_a_recording;

#[test]
fn the_example_runs() {
    judge_a_recording::main().unwrap();
}
