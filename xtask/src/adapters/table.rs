//! docs/adapters.md: what was shown last, a row for each adapter.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Adapter, Listed, Shown};

const TITLE: &str = "# Versions of agent frameworks

Which adapters were tried, and with which version of the framework. How to use them: [in Python](guide/adapters.md), [in Node.js](guide/node-adapters.md).

`cargo xtask adapters` writes this page. It installs each framework from its registry and drives it with a scripted model: a loop is
nudged, then denied, then ended; 40 healthy calls are untouched; calls in parallel, streaming, exceptions in tools, unknown tools, invalid
arguments, concurrent runs and sub-agents behave as described; the example of the page runs as it is.
";

const HEAD: &str = "| framework | adapter | packages | tests that passed |\n|---|---|---|---|\n";

/// The table. Adapters that are not run again keep their rows.
pub(super) struct Table {
    /// Packages and result, by the title of the language and the framework.
    rows: BTreeMap<(String, String), (String, String)>,
}

impl Table {
    /// The rows of the present page.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let path = place(root);
        if !path.exists() {
            return Ok(Self::parse(""));
        }
        let page =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self::parse(&page))
    }

    pub(super) fn parse(page: &str) -> Self {
        let mut rows = BTreeMap::new();
        let mut language = "";
        for line in page.lines() {
            if let Some(title) = line.strip_prefix("## ") {
                language = title;
            }
            let Some(row) = line.strip_prefix("| ") else {
                continue;
            };
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            if let [framework, _, package, result, ..] = cells.as_slice() {
                let key = (language.to_owned(), (*framework).to_owned());
                rows.insert(key, ((*package).to_owned(), (*result).to_owned()));
            }
        }
        Self { rows }
    }

    pub(super) fn set(&mut self, language: &str, adapter: &Adapter, shown: &Shown) {
        let result = match shown {
            Shown::Passed(count) => count.to_string(),
            Shown::NotInstalled(reason) => format!("none: {reason}"),
        };
        let key = (language.to_owned(), adapter.framework.clone());
        let row = (adapter.shown_with(), result);
        self.rows.insert(key, row);
    }

    pub(super) fn write(&self, root: &Path, all: &Listed) -> Result<()> {
        let path = place(root);
        let languages: Vec<_> = all
            .iter()
            .map(|(language, adapters)| (language.title, adapters.as_slice()))
            .collect();
        fs::write(&path, self.page(&languages))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// The page, with a row for each adapter.
    pub(super) fn page(&self, languages: &[(&str, &[Adapter])]) -> String {
        let mut page = TITLE.to_owned();
        let missing = (String::new(), "not run yet".to_owned());
        for (language, adapters) in languages {
            // Writing to a string does not fail.
            let _ = write!(page, "\n## {language}\n\n{HEAD}");
            for adapter in *adapters {
                let (framework, module) = (&adapter.framework, &adapter.module);
                let key = ((*language).to_owned(), framework.clone());
                let (package, result) = self.rows.get(&key).unwrap_or(&missing);
                let _ = writeln!(page, "| {framework} | `{module}` | {package} | {result} |");
            }
        }
        page
    }
}

fn place(root: &Path) -> PathBuf {
    root.join("docs/adapters.md")
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
