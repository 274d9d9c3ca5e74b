//! The examples run, and what they assert holds.

#[path = "../examples/01_two_layers.rs"]
mod two_layers;

#[test]
fn example_01_stops_a_program_that_polls() {
    two_layers::main();
}
