//! Generated parts of documents that are otherwise written by hand.
//!
//! A part stands between `<!-- generated: NAME -->` and `<!-- end: NAME -->`, each on a line of its own.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// Texts of parts by name.
pub(super) type Parts = BTreeMap<String, String>;

/// The text of a document with all of its parts replaced. The names of those parts are added to `used`.
pub(super) fn fill(document: &str, parts: &Parts, used: &mut Vec<String>) -> Result<String> {
    let mut filled = String::with_capacity(document.len());
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        filled.push_str(line);
        filled.push('\n');
        let Some(name) = marker(line, "generated") else {
            continue;
        };
        let part = parts
            .get(name)
            .with_context(|| format!("there is no part `{name}`"))?;
        let Some(end) = lines.find(|line| marker(line, "end") == Some(name)) else {
            bail!("the part `{name}` has no end");
        };
        filled.push('\n');
        filled.push_str(part.trim_end());
        filled.push_str("\n\n");
        filled.push_str(end);
        filled.push('\n');
        used.push(name.to_owned());
    }
    Ok(filled)
}

/// The name in a marker of this kind.
fn marker<'a>(line: &'a str, kind: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?
        .strip_prefix(kind)?
        .strip_prefix(": ")?
        .strip_suffix(" -->")
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
