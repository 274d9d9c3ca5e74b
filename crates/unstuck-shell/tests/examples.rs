//! The example runs, and what it asserts holds.

#[path = "../examples/same_work.rs"]
mod same_work;

#[test]
fn the_example_runs() {
    same_work::main();
}
