//! The example runs, and what it asserts holds.

#[path = "../examples/a_hook.rs"]
mod a_hook;

#[test]
fn the_example_runs() {
    a_hook::main().unwrap();
}
