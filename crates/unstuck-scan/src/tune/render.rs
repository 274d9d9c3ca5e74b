//! The report for readers: people, programs, configuration files.

pub(crate) mod json;
pub(crate) mod snippet;
pub(crate) mod text;
