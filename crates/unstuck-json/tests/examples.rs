//! The example runs, and what it asserts holds.

#[path = "../examples/canonical.rs"]
mod canonical;

#[test]
fn the_example_runs() {
    canonical::main().unwrap();
}
