//! The example runs, and what it asserts holds.

#[path = "../examples/answer_hooks.rs"]
mod answer_hooks;

#[test]
fn the_example_runs() {
    answer_hooks::main().unwrap();
}
