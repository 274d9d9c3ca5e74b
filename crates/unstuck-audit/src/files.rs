//! The files of a log: their names, and how they are opened.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// Upper bound of the length of a line of a log in bytes.
pub const LONGEST_LINE: u64 = 1 << 20;

/// Path of the file that holds the number and hash of the last line.
pub(crate) fn head_path(path: &Path) -> PathBuf {
    with_suffix(path, ".head")
}

/// Path of a full file of a log. The oldest is number 1.
pub(crate) fn numbered(path: &Path, number: u32) -> PathBuf {
    with_suffix(path, &format!(".{number}"))
}

/// Path to which a broken log is moved when a person closes it.
pub(crate) fn closed_path(path: &Path, number: u32) -> PathBuf {
    with_suffix(path, &format!(".closed-{number}"))
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Numbers of the full files that exist, in ascending order.
pub(crate) fn numbers(path: &Path) -> Vec<u32> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let directory = path.parent().filter(|parent| *parent != Path::new(""));
    let entries = fs::read_dir(directory.unwrap_or(Path::new("."))).into_iter();
    let mut numbers: Vec<u32> = entries
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().to_string_lossy().into_owned();
            let digits = file.strip_prefix(&*name)?.strip_prefix('.')?;
            let number = digits.parse().ok()?;
            // `01` and `+1` are other files.
            (u32::to_string(&number) == digits).then_some(number)
        })
        .collect();
    numbers.sort_unstable();
    numbers
}

/// Bytes of the full files that exist.
pub(crate) fn bytes_of_full_files(path: &Path) -> u64 {
    let size = |number| fs::symlink_metadata(numbered(path, number)).map_or(0, |file| file.len());
    numbers(path).into_iter().map(size).sum()
}

/// Identity of a file, whatever its name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId(u64, u64);

impl FileId {
    #[cfg(unix)]
    pub(crate) fn of(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(file.dev(), file.ino())
    }

    /// Time of creation: the standard library does not give the number of a file here.
    #[cfg(not(unix))]
    pub(crate) fn of(file: &Metadata) -> Self {
        let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).ok();
        let created = file.created().ok().and_then(since).unwrap_or_default();
        Self(created.as_secs(), u64::from(created.subsec_nanos()))
    }
}

/// Whether a file that does not exist is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Create {
    Never,
    IfMissing,
    /// The file must not exist yet.
    New,
}

/// Whether writes go to the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writes {
    AtEnd,
    Anywhere,
}

/// Opens a file for reading and writing. A symbolic link is not followed, anything but a regular file is rejected
/// without waiting for it, and only the owner has access to the file afterwards.
pub(crate) fn open(path: &Path, create: Create, writes: Writes) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    match writes {
        Writes::AtEnd => options.append(true),
        Writes::Anywhere => options.write(true),
    };
    match create {
        Create::Never => {}
        Create::IfMissing => {
            options.create(true).truncate(false);
        }
        Create::New => {
            options.create_new(true);
        }
    }
    let file = open_regular(path, options)?;
    keep_private(path, &file)?;
    Ok(file)
}

/// Opens a file of a log for reading. A symbolic link is not followed, and anything but a regular file is rejected
/// without waiting for it.
pub fn open_log(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    open_regular(path, options)
}

/// Whether the file at this path is the one that is open.
fn is_same_file(file: &File, path: &Path) -> io::Result<bool> {
    let there = fs::symlink_metadata(path)?;
    Ok(FileId::of(&file.metadata()?) == FileId::of(&there))
}

/// Opens the file in which a log continues after this one, which was opened before. `None` while it is the current one.
///
/// The log may be rotated several times between two calls: full files are returned in their order. Of a file that is not
/// part of the log any more, because it was deleted, archived or closed, the first file that exists is the successor.
pub fn open_next_log(file: &File, path: &Path) -> io::Result<Option<File>> {
    loop {
        match is_same_file(file, path) {
            Ok(false) => {}
            Ok(true) => return Ok(None),
            // Between the renaming of a full file and the creation of the next one.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let full = numbers(path);
        let is_it = |number: &u32| is_same_file(file, &numbered(path, *number)).unwrap_or(false);
        let after = full.iter().rposition(is_it).map_or(0, |place| place + 1);
        let next = match full.get(after) {
            Some(number) => open_log(&numbered(path, *number)),
            None => open_log(path),
        };
        match next {
            // The log was rotated meanwhile, so the file that was opened may not be the next one.
            Ok(_) if after == full.len() && numbers(path).last() != full.last() => {}
            Ok(next) => return Ok(Some(next)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            // It was deleted or renamed just now.
            Err(_) => {}
        }
    }
}

fn open_regular(path: &Path, mut options: OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        use nix::fcntl::OFlag;

        // Without O_NONBLOCK a FIFO is waited for until another process opens its other end.
        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        options.mode(0o600).custom_flags(flags.bits());
    }
    let rejected = |what: &str| io::Error::other(format!("{} is {what}", path.display()));
    let file = match options.open(path) {
        Ok(file) => file,
        #[cfg(unix)]
        Err(error) if error.raw_os_error() == Some(nix::libc::ELOOP) => {
            return Err(rejected(
                "a symbolic link, and the audit does not follow links",
            ));
        }
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Err(rejected("not a regular file"));
    }
    Ok(file)
}

/// Takes the access of the group and of other users away.
#[cfg(unix)]
fn keep_private(path: &Path, file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    let of_others = file.metadata()?.permissions().mode() & 0o077;
    if of_others == 0 {
        return Ok(());
    }
    let private = fs::Permissions::from_mode(0o600);
    file.set_permissions(private).map_err(|error| {
        let path = path.display();
        io::Error::other(format!(
            "other users have access to {path}, and that cannot be changed: {error}"
        ))
    })
}

#[cfg(not(unix))]
fn keep_private(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// Makes a directory with those above it, for its owner only. One that exists stays as it is.
pub(crate) fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
