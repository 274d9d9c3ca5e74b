//! Files and directories that only their owner may use.
//!
//! Every file of the state directory is opened without following a link and without waiting for the other end of a
//! FIFO, and is then checked to be a regular file. Modes are set explicitly: the umask of a host is not relied on.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Read as _},
    path::Path,
};

use crate::error::StoreError;

/// Opens an existing regular file for reading.
pub(crate) fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    regular(private_options().read(true).open(path)?)
}

/// Opens a regular file for appending; it is created with mode 0600. A wider mode of an existing file is tightened.
pub fn open_log(path: &Path) -> io::Result<(File, Metadata)> {
    let file = private_options().append(true).create(true).open(path)?;
    let (file, found) = regular(file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if found.permissions().mode() & 0o077 != 0 {
            // Only the owner can do that, and for another owner's file nothing is lost.
            let _ = file.set_permissions(fs::Permissions::from_mode(0o600));
        }
    }
    Ok((file, found))
}

/// Whether what stood in the place of a file could be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Usable,
    /// It was moved out of the way.
    Replaced,
}

/// Opens the file of a lock, which is created with mode 0600. What stands there and cannot be used is moved out of the
/// way: a hook without its lock would allow every call.
pub(crate) fn open_lock(path: &Path) -> io::Result<(File, Found)> {
    let open = || regular(private_options().write(true).create(true).open(path)?);
    match open() {
        Err(error) if is_of_no_use(&error) => {
            clear(path)?;
            Ok((open()?.0, Found::Replaced))
        }
        opened => Ok((opened?.0, Found::Usable)),
    }
}

/// Makes the place of a file free. A file, a link or a pipe is removed; a directory may hold other files, so it
/// stays under another name beside it.
pub(crate) fn clear(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let aside = format!("aside-{:016x}", u64::from_le_bytes(random));
    fs::rename(path, path.with_extension(aside))
}

/// Creates a file of mode 0600 for writing. What a killed process left under that name is removed.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let create = || private_options().write(true).create_new(true).open(path);
    match create() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            clear(path)?;
            create()
        }
        created => created,
    }
}

/// Creates a directory of mode 0700, with those above it.
pub fn private_directory(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(path)
        .map_err(|source| StoreError::io("make the directory", path, source))
}

/// Creates a directory for programs of this user, which others may read.
///
/// It is an error if a link or a file stands in its place, or if another user than this one or root may write to it. A
/// directory of this user that others may write to is closed to them.
pub fn program_directory(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o755);
    match builder.create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(StoreError::io("make the directory", path, error));
        }
        _ => {}
    }
    let look =
        || fs::symlink_metadata(path).map_err(|error| StoreError::io("look into", path, error));
    let found = look()?;
    if !found.is_dir() {
        let error = "it is a link or a file, and not a directory";
        let error = io::Error::new(io::ErrorKind::NotADirectory, error);
        return Err(StoreError::io("use", path, error));
    }
    if may_be_written_by_others(&found) {
        close_to_writers(path, &found);
        if may_be_written_by_others(&look()?) {
            let error = "another user can write to it";
            let error = io::Error::new(io::ErrorKind::PermissionDenied, error);
            return Err(StoreError::io("use", path, error));
        }
    }
    Ok(())
}

/// Reads a file of at most `largest` bytes as a whole.
pub(crate) fn read_regular(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let (file, found) = open_regular(path)?;
    read_open(file, &found, largest)
}

/// Reads a small file that makes the guard milder, such as the mode or the exemptions. `None` if it is not there.
///
/// It is an error if another user may have written it: the file or its directory has another owner than this user or
/// root, or others may write to it. A directory of this user that others may write to is closed to them.
pub fn read_trusted(path: &Path, largest: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let unreadable = |source| StoreError::io("read", path, source);
    let (file, found) = match open_regular(path) {
        Ok(opened) => opened,
        Err(error) => {
            return match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
                _ => Err(unreadable(error)),
            };
        }
    };
    let untrusted = |why| StoreError::Untrusted {
        path: path.into(),
        why,
    };
    if let Some(directory) = path.parent() {
        let above = fs::metadata(directory).map_err(unreadable)?;
        if may_be_written_by_others(&above) {
            close_to_writers(directory, &above);
            return Err(untrusted("another user can write to its directory"));
        }
    }
    if may_be_written_by_others(&found) {
        return Err(untrusted("another user can write to it"));
    }
    read_open(file, &found, largest)
        .map(Some)
        .map_err(unreadable)
}

/// Sets a directory of this user to mode 0700 where it is wider, and creates it if it is not there.
pub(crate) fn ensure_private(directory: &Path) -> Result<(), StoreError> {
    match fs::metadata(directory) {
        Ok(found) => {
            close_to_others(directory, &found);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => private_directory(directory),
        Err(error) => Err(StoreError::io("look into", directory, error)),
    }
}

/// Takes the right to write from all but the owner, where this user is the owner.
pub fn close_directory_to_writers(directory: &Path) {
    if let Ok(found) = fs::metadata(directory) {
        close_to_writers(directory, &found);
    }
}

/// Whether the error means that what stands in the place of a file can never be used as one: it is something else, or
/// this user has no right to it.
pub(crate) fn is_of_no_use(error: &io::Error) -> bool {
    is_not_a_file(error) || error.kind() == io::ErrorKind::PermissionDenied
}

/// Whether the error means that a link, a FIFO, a socket, a device or a directory stands in the place of a file.
pub(crate) fn is_not_a_file(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use nix::errno::Errno;
        let odd = [Errno::ELOOP, Errno::ENXIO, Errno::ENODEV].map(|errno| errno as i32);
        if error.raw_os_error().is_some_and(|code| odd.contains(&code)) {
            return true;
        }
    }
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory
    )
}

fn regular(file: File) -> io::Result<(File, Metadata)> {
    let found = file.metadata()?;
    if found.is_file() {
        return Ok((file, found));
    }
    let error = "it is not a regular file";
    Err(io::Error::new(io::ErrorKind::InvalidInput, error))
}

fn read_open(file: File, found: &Metadata, largest: u64) -> io::Result<Vec<u8>> {
    if found.len() > largest {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "it is too large",
        ));
    }
    let mut bytes = Vec::with_capacity(found.len() as usize + 1);
    file.take(largest).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn private_options() -> OpenOptions {
    use nix::fcntl::OFlag;
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits())
        .mode(0o600);
    options
}

#[cfg(not(unix))]
fn private_options() -> OpenOptions {
    OpenOptions::new()
}

#[cfg(unix)]
fn may_be_written_by_others(found: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owners = [0, nix::unistd::geteuid().as_raw()];
    found.mode() & 0o022 != 0 || !owners.contains(&found.uid())
}

#[cfg(not(unix))]
fn may_be_written_by_others(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn close_to_writers(directory: &Path, found: &Metadata) {
    restrict(directory, found, 0o022);
}

#[cfg(not(unix))]
fn close_to_writers(_: &Path, _: &Metadata) {}

#[cfg(unix)]
fn close_to_others(directory: &Path, found: &Metadata) {
    restrict(directory, found, 0o077);
}

#[cfg(not(unix))]
fn close_to_others(_: &Path, _: &Metadata) {}

/// Takes these bits from a directory's mode. Only its owner can; for others nothing changes.
#[cfg(unix)]
fn restrict(directory: &Path, found: &Metadata, bits: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = found.permissions().mode() & 0o7777;
    if mode & bits != 0 {
        let _ = fs::set_permissions(directory, fs::Permissions::from_mode(mode & !bits));
    }
}

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;
