//! The example runs, and what it asserts holds.

#[path = "../examples/render.rs"]
mod render;

#[test]
fn the_example_runs() {
    render::main().unwrap();
}
