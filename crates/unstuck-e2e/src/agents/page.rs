//! What was seen, as a table and in `docs/hosts.md`.

use std::fs;

use anyhow::{Context, Result};

use super::judge::{Ending, Guarded, Healthy, Outcome, Seen};
use super::proxied;
use super::scenario::HEALTHY_CALLS;
use unstuck_dev::Shell;

const PAGE: &str = "docs/hosts.md";
const START: &str = "<!-- written by `cargo xtask e2e --write-docs`: start -->";
const START_PROXIED: &str = "<!-- written by `cargo xtask e2e --mcp --write-docs`: start -->";
const END: &str = "<!-- end -->";

pub(crate) fn table(rows: &[Seen]) -> String {
    let mut lines = vec![
        "| host | version | nudge reached the model | denial reached the model | calls made, run | the run | 40 healthy calls |"
            .to_owned(),
        "|---|---|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(rows.iter().map(row));
    lines.join("\n")
}

/// Puts the table into the page.
pub(crate) fn write(shell: &Shell, rows: &[Seen]) -> Result<()> {
    write_table(shell, START, &table(rows))
}

/// The same for runs with a proxy.
pub(crate) fn write_proxied(shell: &Shell, rows: &[proxied::Seen]) -> Result<()> {
    write_table(shell, START_PROXIED, &proxied::table(rows))
}

fn write_table(shell: &Shell, start: &str, table: &str) -> Result<()> {
    let path = shell.root().join(PAGE);
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    let page = replaced(&page, start, table)
        .with_context(|| format!("{PAGE} has no marks for the table"))?;
    fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))?;
    println!("wrote {PAGE}");
    Ok(())
}

/// A page with this table between its marks. Rows of hosts that were not run this time stay.
fn replaced(page: &str, start: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(start)?;
    let (old, after) = rest.split_once(END)?;
    let host = |line: &str| line.split('|').nth(1).map(str::to_owned);
    let new: Vec<_> = table.lines().map(host).collect();
    let kept = old.lines().filter(|line| line.starts_with("| "));
    let kept = kept.filter(|line| !new.contains(&host(line)));
    let table: Vec<_> = table.lines().chain(kept).collect();
    Some(format!(
        "{before}{start}\n{}\n{END}{after}",
        table.join("\n")
    ))
}

fn row(seen: &Seen) -> String {
    let host = seen.agent.host();
    let version = seen.agent.version();
    if seen.outcome() == Outcome::NotSeen {
        return format!(
            "| {host} | {version} | not seen | not seen | | it could not be run here | not seen |"
        );
    }
    let Guarded {
        nudged,
        denied,
        calls,
        attempts,
        ended,
        trouble,
    } = &seen.looping;
    let after = |calls: &Option<usize>| match calls {
        Some(calls) => format!("after call {calls}"),
        None => "**no**".to_owned(),
    };
    let ended = match (trouble, ended) {
        (Some(trouble), _) => format!("**{trouble}**"),
        (None, Ending::Stopped) => "was ended".to_owned(),
        (None, Ending::Denied) => "every further call was denied".to_owned(),
        (None, Ending::Open) => "**went on**".to_owned(),
    };
    let (nudged, denied) = (after(nudged), after(denied));
    let healthy = healthy(&seen.healthy);
    format!(
        "| {host} | {version} | {nudged} | {denied} | {calls}, {attempts} | {ended} | {healthy} |"
    )
}

fn healthy(healthy: &Healthy) -> String {
    match healthy {
        Healthy {
            trouble: Some(trouble),
            ..
        } => format!("**{trouble}**"),
        Healthy {
            disturbed: 0,
            calls,
            ..
        } if *calls == HEALTHY_CALLS => "left alone".to_owned(),
        Healthy {
            disturbed, calls, ..
        } => format!("**{calls} calls, {disturbed} requests with words of ours**"),
    }
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
