//! Digests of recordings, so that copies of one can be found wherever they lie.

use std::{
    collections::{HashMap, hash_map::Entry},
    io,
    path::Path,
};

use unstuck_report::Report;
#[cfg(not(target_family = "wasm"))]
use unstuck_store::regular;

#[cfg(target_family = "wasm")]
use super::regular;

/// Bytes of a digest that are kept.
const KEPT: usize = 16;

/// The first 16 bytes of the BLAKE3 of a recording, in hexadecimal digits.
///
/// ```
/// assert_eq!(unstuck_scan::digest(b""), "af1349b9f5f9a1a6a0404dea36dcc949");
/// ```
pub fn digest(bytes: &[u8]) -> String {
    written(&blake3::hash(bytes))
}

/// The digest of a regular file.
pub fn digest_of_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(regular::open(path)?)?;
    Ok(written(&hasher.finalize()))
}

/// The digests of the files of a report, by their paths; files that cannot be read, and what is within an archive, have none.
pub fn digests(report: &Report) -> HashMap<String, String> {
    let runs = report.runs.iter().map(|run| &run.path);
    let errors = report.errors.iter().map(|error| &error.path);
    let skipped = report.skipped.iter().flat_map(|group| &group.files);
    let paths = runs.chain(errors).chain(skipped.map(|file| &file.path));
    let mut digests = HashMap::new();
    for path in paths {
        if let Entry::Vacant(entry) = digests.entry(path.clone())
            && let Ok(digest) = digest_of_file(Path::new(path))
        {
            entry.insert(digest);
        }
    }
    digests
}

fn written(hash: &blake3::Hash) -> String {
    let mut hex = hash.to_hex().to_string();
    hex.truncate(2 * KEPT);
    hex
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

    use super::*;

    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run.jsonl");
        let bytes = b"line\n".repeat(100_000);
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(digest_of_file(&path).unwrap(), digest(&bytes));
        assert!(digest_of_file(place.path()).is_err());
    }
}
