//! The example runs, and what it asserts holds.

#[path = "../examples/guard_a_conversation.rs"]
mod guard_a_conversation;

#[test]
fn the_example_runs() {
    guard_a_conversation::main();
}
