//! The example runs, and what it asserts holds.

#[path = "../examples/two_processes.rs"]
mod two_processes;

#[test]
fn the_example_runs() {
    two_processes::main().unwrap();
}
