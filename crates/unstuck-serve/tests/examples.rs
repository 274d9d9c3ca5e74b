//! The example runs, and what it asserts holds.

#[path = "../examples/ask_over_http.rs"]
mod ask_over_http;

#[test]
fn the_example_runs() {
    ask_over_http::main().unwrap();
}
