//! The example runs without a server, and what it asserts holds.

#[path = "../examples/count_calls.rs"]
mod count_calls;

#[test]
fn the_example_runs() {
    count_calls::main().unwrap();
}
