//! The example runs, and what it asserts holds.

#[path = "../examples/scan_recordings.rs"]
#[allow(dead_code, reason = "the function `main` of the example is not called")]
mod scan_recordings;

#[test]
fn the_example_runs() {
    scan_recordings::run(Vec::new()).unwrap();
}
