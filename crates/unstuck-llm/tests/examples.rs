//! The example runs, and what it asserts holds.

#[path = "../examples/guard_a_conversation.rs"]
mod guard_a_conversation;
#[path = "../examples/leave_repeats_out.rs"]
mod leave_repeats_out;

#[test]
fn the_example_runs() {
    guard_a_conversation::main();
}

#[test]
fn repeats_are_left_out() -> Result<(), Box<dyn std::error::Error>> {
    leave_repeats_out::main()
}
