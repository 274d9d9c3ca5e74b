//! Making room in a directory of state files.
//!
//! A directory is tidied when a file was added to it, under its lock. Names of sessions are chosen by clients, so a
//! flood of new names must not push out what is known of others: agents that are halted or denied stay, then those that
//! were active lately, and of these the ones whose hooks were answered most often. The length of a file is not a
//! measure: one hook can make it long.
//!
//! Ages are differences between times that the file system wrote. The clock of the process is not asked.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::{
    file::{Beginning, Standing},
    private::open_regular,
    store::{LOCK, entries},
};

/// Files of agents that are not held back, in one of the 256 directories.
pub(crate) const MOST: usize = 128;

/// Files that may stand in a directory beyond [`MOST`] as long as they are of agents that are held back.
pub(crate) const MOST_HELD: usize = 256;

/// An agent that was silent for so long is forgotten.
pub(crate) const OLDEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Time between the first sight of an old file and its removal: a clock that is wrong for less removes nothing.
const GRACE: Duration = Duration::from_secs(24 * 60 * 60);

/// An agent that was silent for less is active.
const ACTIVE: Duration = Duration::from_secs(60 * 60);

/// What is to be known about a file to decide whether it stays.
struct Found {
    path: PathBuf,
    age: Duration,
    is_left_over: bool,
}

/// Makes room beside the file that was added. The work is bounded by what a directory holds, and a failure is not a
/// reason to stop.
pub(crate) fn make_room(added: &Path) {
    let Some(directory) = added.parent() else {
        return;
    };
    let Ok(now) = fs::metadata(added).and_then(|found| found.modified()) else {
        return;
    };
    let others = entries(directory)
        .filter(|path| path != added && path.file_name().is_some_and(|name| name != LOCK));
    let mut files: Vec<_> = others.filter_map(|path| look(path, now)).collect();
    files.retain(|file| {
        let is_over = if file.is_left_over {
            file.age > ACTIVE
        } else {
            file.age > OLDEST && has_been_old(&file.path, now)
        };
        !(is_over && fs::remove_file(&file.path).is_ok())
    });
    let mut excess = (files.len() + 1).saturating_sub(MOST);
    if excess == 0 {
        return;
    }
    // Idle ones first, the oldest first; then the active ones with the fewest hooks, the newest first.
    let mut files: Vec<_> = files
        .into_iter()
        .map(|file| (beginning(&file.path), file))
        .collect();
    files.sort_by_key(|(beginning, file)| {
        if file.age > ACTIVE {
            (false, 0, Duration::MAX.saturating_sub(file.age))
        } else {
            (true, beginning.hooks, file.age)
        }
    });
    let mut held = Vec::new();
    for (beginning, file) in files {
        if excess == 0 {
            return;
        }
        match beginning.standing {
            Standing::Free => excess -= usize::from(fs::remove_file(&file.path).is_ok()),
            standing => held.push((standing, file)),
        }
    }
    // All that is left is held back. Denied agents are removed first, the oldest first; then halted ones, the newest first,
    // so that a flood of halted sessions does not push out an older one.
    held.sort_by_key(|(standing, file)| match standing {
        Standing::Halted => (true, file.age),
        _ => (false, Duration::MAX.saturating_sub(file.age)),
    });
    for (_, file) in held.iter().take(excess.saturating_sub(MOST_HELD)) {
        let _ = fs::remove_file(&file.path);
    }
}

fn look(path: PathBuf, now: SystemTime) -> Option<Found> {
    let found = fs::symlink_metadata(&path).ok()?;
    if found.is_dir() {
        return None;
    }
    let written = found.modified().ok()?;
    Some(Found {
        age: now.duration_since(written).unwrap_or_default(),
        is_left_over: path.extension().is_some_and(|end| end == "new"),
        path,
    })
}

fn beginning(path: &Path) -> Beginning {
    let mut bytes = [0; Beginning::LENGTH];
    let read = open_regular(path).and_then(|(mut file, _)| file.read_exact(&mut bytes));
    match read {
        Ok(()) => Beginning::of(&bytes),
        Err(_) => Beginning::default(),
    }
}

/// Whether an old file was found to be old a while ago. The first time it is only marked, by a mode of 0400: the file
/// system keeps the time of that.
#[cfg(unix)]
fn has_been_old(path: &Path, now: SystemTime) -> bool {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    const MARK: u32 = 0o400;
    let Ok(found) = fs::symlink_metadata(path) else {
        return false;
    };
    if found.mode() & 0o777 != MARK {
        if found.is_file() {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(MARK));
        }
        return !found.is_file();
    }
    let seconds = u64::try_from(found.ctime()).unwrap_or(0);
    let marked = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    now.duration_since(marked).is_ok_and(|since| since > GRACE)
}

#[cfg(not(unix))]
fn has_been_old(_: &Path, _: SystemTime) -> bool {
    true
}

#[cfg(test)]
#[path = "tidy_tests.rs"]
mod tests;
