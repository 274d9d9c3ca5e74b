//! The command `unstuck`.

fn main() {}
