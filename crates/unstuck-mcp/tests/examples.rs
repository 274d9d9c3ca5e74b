//! The example runs, and what it asserts holds.

#[path = "../examples/guard_calls.rs"]
mod guard_calls;

#[test]
fn the_example_runs() {
    guard_calls::main();
}
