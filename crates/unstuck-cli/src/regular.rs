//! Opens regular files of other programs without waiting for a FIFO or a device in their place.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::Path,
};

/// Opens a regular file to read it. A pipe, a device or a directory is an error, also if it took the place of a file just
/// now.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // Opening a device can already have an effect, so its kind is looked at first.
    check(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::OpenOptionsExt as _;

        // Has no effect on regular files; opening a pipe would wait for a writer without it.
        options.custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits());
    }
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(found: &fs::Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let message = "it is not a regular file";
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}
