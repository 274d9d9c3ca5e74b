//! The proposed settings, to be pasted into `unstuck.toml`.

use anyhow::Result;
use unstuck::ToolSettings;

const NOTHING: &str = "# unstuck tune: nothing to propose, the settings fit these recordings.\n";
const FIRST: &str = "# Proposed by unstuck tune. Of all entries the first that matches a tool counts: put these first.\n";

pub(crate) fn snippet(entries: &[ToolSettings]) -> Result<String> {
    if entries.is_empty() {
        return Ok(NOTHING.to_owned());
    }
    Ok(FIRST.to_owned() + &unstuck_config::tools_to_toml(entries)?)
}
