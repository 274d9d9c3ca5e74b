//! The example runs, and what it asserts holds.

#[path = "../examples/forward.rs"]
mod forward;

#[test]
fn the_example_runs() {
    forward::main().unwrap();
}
