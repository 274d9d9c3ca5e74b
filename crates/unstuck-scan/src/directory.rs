//! Where an agent works, from the first lines of what it records.

use std::io::Read as _;

use serde_json::Value;
use unstuck_transcript::Format;

use super::{
    find::Source,
    input::{self, Input, Meter},
};

/// Bytes that are looked at.
const HEAD: u64 = 64 << 10;
/// Lines that are looked at.
const LINES: usize = 32;
/// Characters of a project's name.
const PROJECT: usize = 60;

/// The directory that the first lines of a file name, unpacked where it is packed.
pub fn of_source(source: &Source) -> Option<Box<str>> {
    let Source::File(_) = source else {
        return None;
    };
    let meter = Meter::default();
    let Input::Bytes(bytes, _) = input::open(source, &meter).ok()? else {
        return None;
    };
    let mut head = Vec::new();
    bytes.take(HEAD).read_to_end(&mut head).ok()?;
    of_head(&head)
}

/// The last part of a directory, whichever way its parts are divided.
pub(crate) fn project(directory: &str) -> String {
    let mut parts = directory.rsplit(['/', '\\']);
    let name = parts.find(|part| !part.trim().is_empty()).unwrap_or("");
    name.chars().take(PROJECT).collect()
}

/// The first directory that is named. A line that is cut off or no JSON says nothing.
fn of_head(head: &[u8]) -> Option<Box<str>> {
    let mut lines = head.split(|byte| *byte == b'\n').take(LINES);
    lines.find_map(|line| {
        let line: Value = serde_json::from_slice(line).ok()?;
        let mut pointers = Format::ALL.iter().flat_map(|format| format.directory());
        let named = pointers.find_map(|pointer| line.pointer(pointer)?.as_str());
        named.map(Into::into)
    })
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
