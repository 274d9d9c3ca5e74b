//! The table of decision records, made from their titles and statuses.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The table of all records in a directory. Fails where a record has no title or status in the usual form.
pub(super) fn table(directory: &Path) -> Result<String> {
    let entries =
        fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let mut rows = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            rows.push(row(&name, &text).with_context(|| format!("in {name}"))?);
        }
    }
    rows.sort();
    Ok(format!(
        "| | decision | status |\n|---|---|---|\n{}",
        rows.concat()
    ))
}

fn row(name: &str, text: &str) -> Result<String> {
    let number = name.get(..4).unwrap_or_default();
    let mut lines = text.lines();
    let title = lines
        .next()
        .and_then(|line| line.strip_prefix("# "))
        .and_then(|line| line.strip_prefix(number))
        .and_then(|line| line.strip_prefix(". "))
        .with_context(|| format!("the first line is not `# {number}. TITLE`"))?;
    let status = lines
        .nth(1)
        .and_then(|line| line.strip_prefix("Status: "))
        .context("the third line is not `Status: …`")?;
    let known = status == "Accepted"
        || ["Superseded by [", "Partly superseded by ["]
            .iter()
            .any(|start| status.starts_with(start));
    if !known {
        bail!(
            "the status is neither `Accepted` nor `Superseded by […]` nor `Partly superseded by […]: …`"
        );
    }
    if let Some(missing) = missing_what(status) {
        bail!("the status does not say what {missing} supersedes");
    }
    Ok(format!("| [{number}]({name}) | {title} | {status} |\n"))
}

/// The first record of a partial supersession that is not followed by what it supersedes.
fn missing_what(status: &str) -> Option<&str> {
    let partly = status.strip_prefix("Partly superseded by ")?;
    partly.split("; by ").find(|one| !one.contains("): "))
}

#[cfg(test)]
#[path = "decisions_tests.rs"]
mod tests;
