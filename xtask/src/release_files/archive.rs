//! Archives whose bytes depend on their contents alone.

use std::io::Write as _;

use anyhow::Result;
use flate2::{Compression, GzBuilder};

/// A file of an archive.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    name: String,
    mode: u32,
    bytes: Vec<u8>,
}

impl Entry {
    pub(super) fn program(name: &str, bytes: Vec<u8>) -> Self {
        Self {
            mode: 0o755,
            ..Self::file(name, bytes)
        }
    }

    pub(super) fn file(name: &str, bytes: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            mode: 0o644,
            bytes,
        }
    }
}

/// How hard an archive is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As small as it gets, for a release.
    Most,
    /// For tests: this program is not optimised there.
    Least,
}

/// Packs files into one directory: sorted by name, of user 0, all from the same time.
pub(super) fn pack(
    directory: &str,
    mut entries: Vec<Entry>,
    time: u64,
    effort: Effort,
) -> Result<Vec<u8>> {
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let mut archive = tar::Builder::new(Vec::new());
    for entry in entries {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(entry.mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(time);
        header.set_size(entry.bytes.len() as u64);
        let path = format!("{directory}/{}", entry.name);
        archive.append_data(&mut header, path, entry.bytes.as_slice())?;
    }
    let bytes = archive.into_inner()?;
    // Without name and time, and from an unknown system.
    let gzip = GzBuilder::new().mtime(0).operating_system(255);
    let level = match effort {
        Effort::Most => Compression::best(),
        Effort::Least => Compression::fast(),
    };
    let mut packed = gzip.write(Vec::new(), level);
    packed.write_all(&bytes)?;
    Ok(packed.finish()?)
}
