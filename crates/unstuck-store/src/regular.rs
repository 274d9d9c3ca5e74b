//! Opens files of other programs without waiting for a FIFO or a device in their place.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom},
    path::Path,
};

/// Most bytes of a configuration file of an agent. Some agents keep the history of all projects in theirs.
const LARGEST: u64 = 64 << 20;

/// Opens a regular file to read it. A pipe, a device or a directory is an error, also if it took the place of a file just
/// now.
pub fn open(path: &Path) -> io::Result<File> {
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

/// Reads a regular file of an agent as a whole. A file that is too large is an error.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let too_large = || {
        let message = format!("it is larger than {LARGEST} bytes");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    if file.metadata()?.len() > LARGEST {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Reads a regular file of an agent as text.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Reads at most `most` bytes from the end of a regular file.
pub fn read_end(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens what is not a regular file to write to it. A pipe without a reader is an error, and is not waited for.
pub fn open_other(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    {
        use nix::fcntl::{FcntlArg, OFlag, fcntl};
        use std::os::unix::fs::OpenOptionsExt as _;

        options.custom_flags((OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits());
        let file = options
            .open(path)
            .map_err(|error| match error.raw_os_error() {
                Some(code) if code == nix::errno::Errno::ENXIO as i32 => {
                    io::Error::new(error.kind(), "it is a pipe that no program reads")
                }
                _ => error,
            })?;
        // Writing does wait for the reader.
        let flags = OFlag::from_bits_retain(fcntl(&file, FcntlArg::F_GETFL)?);
        fcntl(&file, FcntlArg::F_SETFL(flags - OFlag::O_NONBLOCK))?;
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

fn check(found: &fs::Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let message = "it is not a regular file";
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}
