//! The example runs, and what it asserts holds.

#[path = "../examples/safe_log.rs"]
mod safe_log;

#[test]
fn the_example_runs() {
    safe_log::main();
}
