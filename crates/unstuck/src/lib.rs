//! `unstuck` keeps LLM agents from going in circles.

mod json;

pub use json::{Elements, Json, JsonError, JsonKind, JsonRef, Members};
