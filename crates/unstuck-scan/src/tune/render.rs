//! The report for readers: people, programs, configuration files.

pub mod json;
pub mod snippet;
pub mod text;
