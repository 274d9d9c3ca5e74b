//! Names that a caller chooses do not widen what it may do.

#[path = "callers/proxy.rs"]
mod proxy;
