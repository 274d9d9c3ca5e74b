//! The example runs, and what it asserts holds.

#[path = "../examples/tamper.rs"]
mod tamper;

#[test]
fn the_example_runs() {
    tamper::main().unwrap();
}
