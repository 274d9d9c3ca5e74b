//! The example runs, and what it asserts holds.

#[path = "../examples/layers.rs"]
mod layers;

#[test]
fn the_example_runs() {
    layers::main().unwrap();
}
