//! Groups commands that do the same work.
//!
//! ```text
//! cargo run -p unstuck-shell --example same_work
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeMap;

use unstuck_shell::understand;

const COMMANDS: [&str; 5] = [
    "pytest tests/test_auth.py",
    "timeout 60 python -m pytest tests/test_auth.py 2>&1 | tail -20",
    "pytest -q 'tests/test_auth.py'",
    "pytest tests/test_shop.py",
    "case $1 in a) ls;; esac",
];

pub(crate) fn main() {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for command in COMMANDS {
        // A command that is not understood is compared as text.
        let identity = understand(command, None)
            .map_or_else(|| command.to_owned(), |insight| insight.canonical);
        groups.entry(identity).or_default().push(command);
    }
    for (identity, commands) in &groups {
        println!("{identity}: {}", commands.len());
    }
    let sizes: Vec<_> = groups.values().map(Vec::len).collect();
    assert_eq!(sizes, [1, 3, 1]);
}
