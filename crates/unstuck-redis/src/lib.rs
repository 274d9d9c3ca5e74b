//! Tallies of swarms in Redis 7 or Valkey, also as a cluster.
//!
//! [`RedisTallies`] is a [`TallyStore`](unstuck_swarm::TallyStore). Each batch is one script by `EVALSHA` and one round trip. The
//! keys of a swarm share a hash tag, so a cluster keeps them on one node; redirections are followed and remembered.
//!
//! The client is a thin one over blocking sockets, because every call has a deadline of its own and nothing else of a
//! client library is needed.

mod address;
mod cluster;
mod connection;
mod resp;
mod script;
mod store;

pub use address::{Address, AddressError};
pub use store::{RedisOptions, RedisTallies};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
