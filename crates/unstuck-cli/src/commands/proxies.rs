//! Running MCP proxies, as `unstuck sessions` and `unstuck status` show them and `unstuck reset` finds them.

use std::io::Write;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::{
    clock,
    home::{Home, ProxyStatus, ResetRequest},
    style::{DIM, ERROR, WARNING, paint},
};

/// Name in place of an agent's host.
const HOST: &str = "mcp";

/// A name that `unstuck reset` takes, and what it stands for.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) proxy: String,
    pub(crate) request: ResetRequest,
}

/// Every running proxy, and every caller it holds something against.
pub(crate) fn named(home: &Home) -> Vec<Named> {
    let mut all = Vec::new();
    for proxy in home.proxies() {
        all.extend(proxy.held.iter().map(|held| Named {
            name: proxy.name_of(held),
            proxy: proxy.id.clone(),
            request: ResetRequest::Session {
                server: held.server.clone(),
                session: held.session.clone(),
            },
        }));
        all.push(Named {
            name: proxy.id.clone(),
            proxy: proxy.id,
            request: ResetRequest::Everything,
        });
    }
    all
}

/// What a name, or the beginning of one, stands for. `None` if no proxy has such a name.
pub(crate) fn find(home: &Home, prefix: &str) -> Result<Option<Named>> {
    let mut found = named(home);
    found.retain(|named| named.name.starts_with(prefix));
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.dedup_by(|a, b| a.name == b.name);
    let whole = |named: &Named| named.name == prefix;
    if let Some(exact) = found.iter().position(whole) {
        return Ok(Some(found.swap_remove(exact)));
    }
    // A proxy and its callers begin alike; then the proxy is meant.
    let proxy = |named: &Named| named.request == ResetRequest::Everything;
    match found.iter().filter(|named| proxy(named)).count() {
        0 if found.len() <= 1 => Ok(found.pop()),
        1 => {
            let place = found.iter().position(proxy).unwrap_or_default();
            Ok(Some(found.swap_remove(place)))
        }
        _ => {
            let names: Vec<_> = found.iter().map(|named| plain(&named.name)).collect();
            bail!("several names begin with `{prefix}`: {}", names.join(", "))
        }
    }
}

/// A proxy, as a line, and a line for each caller it holds something against.
pub(crate) fn print(out: &mut impl Write, proxy: &ProxyStatus, now: i64) -> Result<()> {
    let denials: u64 = proxy.held.iter().map(|held| held.denials).sum();
    let halted = proxy.held.iter().filter(|held| held.halted).count();
    let state = match (halted, denials) {
        (0, 0) => "watched".to_owned(),
        (0, _) => paint(WARNING, "denied"),
        _ => paint(ERROR, "halted"),
    };
    let servers: Vec<_> = proxy.servers.iter().map(|name| plain(name)).collect();
    writeln!(
        out,
        "{state}  {HOST}  {}  {}  {} calls, {denials} denials, mode {}  {}",
        proxy.id,
        servers.join(", "),
        proxy.calls,
        plain(&proxy.mode),
        paint(DIM, &format!("started {}", clock::ago(proxy.started, now))),
    )?;
    for held in &proxy.held {
        let word = if held.halted { "halted" } else { "denied" };
        let said = format!(
            "{word}: {} {} denials, last by {} {}",
            plain(&proxy.name_of(held)),
            held.denials,
            plain(&held.rule),
            clock::ago(held.last, now)
        );
        writeln!(out, "    {}", paint(DIM, &said))?;
    }
    if denials > 0 {
        writeln!(out, "    go on with: unstuck reset {}", proxy.id)?;
    }
    Ok(())
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
        "host": HOST,
        "session": proxy.id,
        "servers": proxy.servers,
        "mode": proxy.mode,
        "first_seen": proxy.started,
        "last_seen": proxy.written,
        "calls": proxy.calls,
        "denials": proxy.held.iter().map(|held| held.denials).sum::<u64>(),
        "halted": halted.map(|held| &held.rule),
        "callers": callers,
    })
}

/// A text without what a terminal would act on.
pub(crate) fn plain(text: &str) -> String {
    unstuck_text::Shown::line(text).to_string()
}
