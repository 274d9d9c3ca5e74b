//! Running proxies, as `unstuck sessions` and `unstuck status` show them.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};
use unstuck_llm_proxy::dollars;
use unstuck_report::counted;
use unstuck_session::{ProxyKind, ProxySession, ProxyStatus, clock};

use crate::style::{DIM, ERROR, WARNING, paint};

/// Sessions of a proxy that are shown.
const SHOWN: usize = 5;

/// A proxy, as a line, and a line for each session that it saw last and each caller it holds something against.
pub(crate) fn print(out: &mut impl Write, proxy: &ProxyStatus, now: i64) -> Result<()> {
    let held: u64 = proxy.held.iter().map(|held| held.denials).sum();
    let sessions: u64 = proxy.sessions.iter().map(|it| it.denials).sum();
    let denials = held.max(sessions);
    let halted = proxy.held.iter().filter(|held| held.halted).count();
    let state = match (halted, denials) {
        (0, 0) => "watched".to_owned(),
        (0, _) => paint(WARNING, "denied"),
        _ => paint(ERROR, "halted"),
    };
    let servers: Vec<_> = proxy.servers.iter().map(|name| plain(name)).collect();
    // A policy denies calls of MCP without holding them against the caller.
    let denied = match proxy.kind() {
        ProxyKind::Mcp => format!("{} by rules", counted(denials, "denial")),
        ProxyKind::Llm => counted(denials, "denial"),
    };
    writeln!(
        out,
        "{state}  {}  {}  {}  {}, {denied}, mode {}  {}",
        proxy.kind().name(),
        proxy.id,
        servers.join(", "),
        counted(
            proxy.calls,
            match proxy.kind() {
                ProxyKind::Mcp => "call",
                ProxyKind::Llm => "request",
            },
        ),
        plain(&proxy.mode),
        paint(DIM, &format!("started {}", clock::ago(proxy.started, now))),
    )?;
    for session in proxy.sessions.iter().take(SHOWN) {
        let said = format!(
            "{} {}: {}, {}, {}, {} today as far as this proxy knows, {}",
            plain(&session.session),
            plain(&session.agent),
            counted(session.requests, "request"),
            counted(session.nudges, "nudge"),
            counted(session.denials, "denial"),
            counted(session.tokens, "token"),
            cost(session),
        );
        writeln!(out, "    {}", paint(DIM, &said))?;
    }
    for held in &proxy.held {
        let word = if held.halted { "halted" } else { "denied" };
        let said = format!(
            "{word}: {} {}, last by {} {}",
            plain(&proxy.name_of(held)),
            counted(held.denials, "denial"),
            plain(&held.rule),
            clock::ago(held.last, now)
        );
        writeln!(out, "    {}", paint(DIM, &said))?;
    }
    if denials > 0 || halted > 0 {
        writeln!(out, "    continue with: unstuck reset {}", proxy.id)?;
    }
    Ok(())
}

/// What a session cost. Tokens without a price have no known cost.
fn cost(session: &ProxySession) -> String {
    if session.micros == 0 && session.tokens > 0 {
        return "cost unknown".to_owned();
    }
    dollars(session.micros)
}

pub(crate) fn as_json(proxy: &ProxyStatus) -> Value {
    let callers: Vec<_> = proxy
        .held
        .iter()
        .map(|held| {
            json!({
                "session": proxy.name_of(held),
                "server": held.server,
                "agent": held.agent,
                "halted": held.halted,
                "rule": held.rule,
                "denials": held.denials,
                "last_denied": held.last,
            })
        })
        .collect();
    let halted = proxy.held.iter().find(|held| held.halted);
    json!({
        "host": proxy.kind().name(),
        "session": proxy.id,
        "servers": proxy.servers,
        "mode": proxy.mode,
        "first_seen": proxy.started,
        "last_seen": proxy.written,
        "calls": proxy.calls,
        "denials": proxy.held.iter().map(|held| held.denials).sum::<u64>(),
        "halted": halted.map(|held| &held.rule),
        "callers": callers,
        "sessions": proxy.sessions,
    })
}

/// A text without what a terminal would act on.
pub(crate) fn plain(text: &str) -> String {
    unstuck_text::Shown::line(text).to_string()
}

#[cfg(test)]
#[path = "proxies_tests.rs"]
mod tests;
