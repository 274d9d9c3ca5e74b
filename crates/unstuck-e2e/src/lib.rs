//! Real agents and official MCP peers, guarded by unstuck.
//!
//! * [`agents`]: agents from npm, driven by a scripted model on loopback, with hooks or behind the MCP proxy;
//! * [`peers`]: MCP clients and servers of the protocol's authors, directly and through `unstuck mcp`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's command prints on the terminal"
)]

pub mod agents;
pub mod peers;
