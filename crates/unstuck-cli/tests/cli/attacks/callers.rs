//! Names that a caller chooses do not widen what it may do.

#[path = "callers/hooks.rs"]
mod hooks;
#[path = "callers/proxy.rs"]
mod proxy;
