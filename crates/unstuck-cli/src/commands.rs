//! The commands, one file each.

pub(crate) mod allow;
pub(crate) mod audit;
pub(crate) mod audit_close;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod install;
pub(crate) mod install_mcp;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod mcp_control;
mod mcp_http;
pub(crate) mod mode;
pub(crate) mod policy;
pub(crate) mod proxies;
pub(crate) mod reset;
pub(crate) mod rules;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod sessions;
pub(crate) mod status;
pub(crate) mod top;
pub(crate) mod tune;
