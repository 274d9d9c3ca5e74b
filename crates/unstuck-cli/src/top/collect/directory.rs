//! Where an agent works, from the first lines of what it records.

use std::{io::Read as _, path::Path};

use serde_json::Value;

use crate::regular;

/// Bytes that are looked at.
const HEAD: u64 = 64 << 10;

/// Where agents say it.
const PLACES: [&str; 5] = [
    "/cwd",
    "/payload/cwd",
    "/data/context/cwd",
    "/data/cwd",
    "/directory",
];

pub(super) fn of_file(path: &Path) -> Option<Box<str>> {
    let mut head = Vec::new();
    regular::open(path)
        .ok()?
        .take(HEAD)
        .read_to_end(&mut head)
        .ok()?;
    of_head(&head)
}

/// The first directory that is named. A line that is cut off or no JSON says nothing.
fn of_head(head: &[u8]) -> Option<Box<str>> {
    head.split(|byte| *byte == b'\n').find_map(|line| {
        let line: Value = serde_json::from_slice(line).ok()?;
        let named = PLACES
            .iter()
            .find_map(|place| line.pointer(place)?.as_str());
        named.map(Into::into)
    })
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
