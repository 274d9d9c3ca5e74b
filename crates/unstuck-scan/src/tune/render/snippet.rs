//! The proposed settings, to be pasted into `unstuck.toml`.

use anyhow::Result;

use crate::tune::Report;

const NOTHING_READ: &str = "# unstuck tune: nothing was read, so there is nothing to propose.\n";
const NOTHING: &str =
    "# unstuck tune: no change to a single tool is supported by these recordings.\n";
const FIRST: &str =
    "# Proposed by unstuck tune. The first entry that matches a tool counts: put these first.\n";

pub fn snippet(report: &Report) -> Result<String> {
    let entries = &report.proposals.entries;
    if report.collected.totals.is_nothing() {
        return Ok(NOTHING_READ.to_owned());
    }
    if entries.is_empty() {
        return Ok(NOTHING.to_owned());
    }
    Ok(FIRST.to_owned() + &unstuck_config::tools_to_toml(entries)?)
}
