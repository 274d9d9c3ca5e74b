//! Every renderer, on whole reports.

#[path = "render/demo.rs"]
mod demo;
#[path = "render/golden.rs"]
mod golden;
#[path = "render/hostile.rs"]
mod hostile;
#[path = "render/shapes.rs"]
mod shapes;
