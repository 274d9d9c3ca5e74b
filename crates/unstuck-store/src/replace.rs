//! Replacing a file as a whole.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use crate::{
    error::StoreError,
    private::{clear, create_private},
};

/// Puts these bytes in the place of a file, with mode 0600: a reader sees all of the old ones or all of the new ones.
///
/// The caller holds the lock that goes with the file; the temporary file beside it has one name, and what a killed
/// process left there is removed.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace_by(path, &path.with_extension("new"), bytes)
}

/// By way of this file.
pub(crate) fn replace_by(path: &Path, way: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let put = create_private(way)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| match fs::rename(way, path) {
            // A file does not take the place of a directory.
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                clear(path)?;
                fs::rename(way, path)
            }
            renamed => renamed,
        });
    put.map_err(|source| {
        // A disk that is full should not stay full for what is of no use.
        let _ = fs::remove_file(way);
        StoreError::io("write", path, source)
    })
}
