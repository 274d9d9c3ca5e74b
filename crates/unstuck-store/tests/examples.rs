//! The example runs, and what it asserts holds.

#[path = "../examples/count_hooks.rs"]
mod count_hooks;

#[test]
fn the_example_runs() {
    count_hooks::main().unwrap();
}
