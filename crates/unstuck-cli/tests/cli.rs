//! The command as its users run it.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

#[path = "cli/attacks.rs"]
mod attacks;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/config.rs"]
mod config;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/facts.rs"]
mod facts;
#[cfg(unix)]
#[path = "cli/fail_cells.rs"]
mod fail_cells;
#[cfg(unix)]
#[path = "cli/fail_closed.rs"]
mod fail_closed;
#[cfg(unix)]
#[path = "cli/fail_modes.rs"]
mod fail_modes;
#[cfg(unix)]
#[path = "cli/guides.rs"]
mod guides;
#[path = "cli/hook.rs"]
mod hook;
#[path = "cli/hook_faults.rs"]
mod hook_faults;
#[path = "cli/hook_parallel.rs"]
mod hook_parallel;
#[path = "cli/identities.rs"]
mod identities;
#[cfg(unix)]
#[path = "cli/init.rs"]
mod init;
#[path = "cli/install.rs"]
mod install;
#[cfg(unix)]
#[path = "cli/install_copy.rs"]
mod install_copy;
#[path = "cli/install_mcp.rs"]
mod install_mcp;
#[path = "cli/likeness.rs"]
mod likeness;
#[path = "cli/llm_proxy.rs"]
mod llm_proxy;
#[path = "cli/loops.rs"]
mod loops;
#[cfg(unix)]
#[path = "cli/mcp.rs"]
mod mcp;
#[cfg(unix)]
#[path = "cli/mcp_audit.rs"]
mod mcp_audit;
#[cfg(unix)]
#[path = "cli/mcp_callers.rs"]
mod mcp_callers;
#[path = "cli/mcp_control.rs"]
mod mcp_control;
#[cfg(unix)]
#[path = "cli/mcp_crash.rs"]
mod mcp_crash;
#[cfg(unix)]
#[path = "cli/mcp_hostile.rs"]
mod mcp_hostile;
#[cfg(unix)]
#[path = "cli/mcp_http.rs"]
mod mcp_http;
#[cfg(unix)]
#[path = "cli/mcp_http_limits.rs"]
mod mcp_http_limits;
#[cfg(unix)]
#[path = "cli/mcp_http_peer.rs"]
mod mcp_http_peer;
#[cfg(unix)]
#[path = "cli/mcp_http_safety.rs"]
mod mcp_http_safety;
#[cfg(unix)]
#[path = "cli/mcp_http_stdio.rs"]
mod mcp_http_stdio;
#[cfg(unix)]
#[path = "cli/mcp_http_tls.rs"]
mod mcp_http_tls;
#[cfg(unix)]
#[path = "cli/mcp_proxy.rs"]
mod mcp_proxy;
#[cfg(unix)]
#[path = "cli/mcp_replay.rs"]
mod mcp_replay;
#[cfg(unix)]
#[path = "cli/mcp_timeline.rs"]
mod mcp_timeline;
#[path = "cli/messages.rs"]
mod messages;
#[path = "cli/mistakes.rs"]
mod mistakes;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/print.rs"]
mod print;
#[path = "cli/registries.rs"]
mod registries;
#[path = "cli/rules.rs"]
mod rules;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/scan.rs"]
mod scan;
#[path = "cli/scan_copies.rs"]
mod scan_copies;
#[path = "cli/scan_formats.rs"]
mod scan_formats;
#[path = "cli/scan_live.rs"]
mod scan_live;
#[path = "cli/scan_positions.rs"]
mod scan_positions;
#[path = "cli/scan_skipped.rs"]
mod scan_skipped;
#[path = "cli/schema.rs"]
mod schema;
#[cfg(unix)]
#[path = "cli/top.rs"]
mod top;
#[path = "cli/tune.rs"]
mod tune;
#[path = "cli/tune_transcripts.rs"]
mod tune_transcripts;
#[path = "cli/watching.rs"]
mod watching;
#[path = "cli/words.rs"]
mod words;
