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

/// What the file must survive, besides the end of the process that writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Survives {
    /// A loss of power: the new bytes are on their way to the disk before the old file is gone.
    PowerLoss,
    /// Nothing else. After a loss of power the file may be damaged. On ext4 this takes a twentieth of the time: renaming
    /// over a file starts to write the new one to the disk, and exchanging two files does not.
    Process,
}

/// Puts these bytes in the place of a file, with mode 0600: a reader sees all of the old ones or all of the new ones.
///
/// The caller holds the lock that goes with the file; the temporary file beside it has one name, and what a killed
/// process left there is removed.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    replace_by(
        path,
        &path.with_extension("new"),
        bytes,
        Survives::PowerLoss,
    )
}

/// By way of this file.
pub(crate) fn replace_by(
    path: &Path,
    way: &Path,
    bytes: &[u8],
    survives: Survives,
) -> Result<(), StoreError> {
    let put = create_private(way)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| {
            if survives == Survives::Process && exchange(way, path) {
                // The old one. It stays there until the next time if it cannot be removed.
                let _ = clear(way);
                return Ok(());
            }
            match fs::rename(way, path) {
                // A file does not take the place of a directory.
                Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                    clear(path)?;
                    fs::rename(way, path)
                }
                renamed => renamed,
            }
        });
    put.map_err(|source| {
        // A disk that is full should not stay full for what is of no use.
        let _ = fs::remove_file(way);
        StoreError::io("write", path, source)
    })
}

/// Lets two files change places in one step. False where the file system cannot do that, or one of them is missing.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

/// Lets two files change places in one step. This system cannot.
#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}
