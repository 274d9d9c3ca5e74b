//! Every renderer, on whole reports.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail by panicking"
)]

#[path = "render/demo.rs"]
mod demo;
#[path = "render/golden.rs"]
mod golden;
#[path = "render/hostile.rs"]
mod hostile;
#[path = "render/outputs.rs"]
mod outputs;
#[path = "render/shapes.rs"]
mod shapes;
