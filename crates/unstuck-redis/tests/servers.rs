//! The store on real servers: Redis and Valkey, alone and as a cluster.
//!
//! `cargo xtask test --only stores` installs both and runs these tests. They are ignored elsewhere, and fail where a server
//! is missing.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what may fail here fails the test"
)]

#[path = "servers/cluster.rs"]
mod cluster;
#[path = "servers/cost.rs"]
mod cost;
#[path = "servers/exact.rs"]
mod exact;
#[path = "servers/faults.rs"]
mod faults;
#[path = "servers/server.rs"]
mod server;
