//! A copy of this program at a place that lasts, for hosts to run.
//!
//! There is one copy, whatever the number of hosts, and its path has no version in it: a newer install replaces the
//! programs, and every entry runs the new ones. Each file is replaced as a whole, so a program that is running goes on.

use std::{
    cmp::Ordering,
    env,
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use anyhow::{Context as _, Result, bail};
use unstuck_hosts::{HOOK_PROGRAM, Host, McpClient, Scope};
use unstuck_store::{program_directory, regular};

use super::{
    Change, Place, Receipts, Transient,
    place::{hook_beside, is_program, version},
    read,
};

/// Most bytes of a program. A build with debug information has 100 MB.
const LARGEST: u64 = 1 << 30;

/// Start of the names of files that are not whole yet.
const UNFINISHED: &str = ".unstuck-";

/// Age at which such a file was left by a process that was killed.
const ABANDONED: Duration = Duration::from_hours(1);

/// Where the copy is, or would be.
#[derive(Clone, Debug)]
pub(crate) struct OwnCopy {
    directory: PathBuf,
}

/// Programs that are to be copied.
#[derive(Clone, Debug)]
pub(crate) struct Refresh {
    copy: OwnCopy,
    /// Each with its source.
    files: Vec<(PathBuf, PathBuf)>,
    /// Why there has to be a copy.
    place: Transient,
    /// Whether a program was there when the copy was looked at.
    replaces: bool,
    /// Version of the program that was there.
    before: Option<String>,
}

/// How the copy compares with this program.
#[derive(Clone, Debug)]
pub(crate) enum Comparison {
    /// It is the same.
    Current,
    /// It is of a later version, and stays.
    Newer(String),
    /// It is missing, older or another build.
    Due(Refresh),
}

/// What an install or uninstall does about the copy.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CopyStep<'a> {
    Keep,
    Refresh(&'a Refresh),
    Remove(&'a OwnCopy),
}

impl OwnCopy {
    pub(crate) fn in_data(data: &Path) -> Self {
        Self {
            directory: data.join("unstuck").join("bin"),
        }
    }

    pub(crate) fn command(&self) -> PathBuf {
        self.program("unstuck")
    }

    pub(crate) fn hook(&self) -> PathBuf {
        self.program(HOOK_PROGRAM)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.directory
            .join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// Whether a path is that of a program of the copy.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        path == self.command() || path == self.hook()
    }

    pub(crate) fn is_there(&self) -> bool {
        let exists = |path: PathBuf| fs::symlink_metadata(path).is_ok();
        exists(self.command()) || exists(self.hook())
    }

    /// The program that hooks run once the copy is up to date.
    pub(crate) fn for_hooks(&self, source: &Path) -> PathBuf {
        if hook_beside(source).is_some() || is_program(&self.hook()) {
            self.hook()
        } else {
            self.command()
        }
    }

    /// Compares the copy with the program that it is made from.
    pub(crate) fn compare(&self, source: &Path, place: Transient) -> Comparison {
        let mut files = vec![(source.to_path_buf(), self.command())];
        match hook_beside(source) {
            Some(hook) => files.push((hook, self.hook())),
            // Entries name it. The command takes the same words.
            None if is_program(&self.hook()) => {
                files.push((source.to_path_buf(), self.hook()));
            }
            None => {}
        }
        if files.iter().all(|(source, target)| is_same(source, target)) {
            return Comparison::Current;
        }
        let before = is_program(&self.command()).then(|| version(&self.command()));
        let before = before.flatten();
        match before {
            Some(before) if is_newer(&before, env!("CARGO_PKG_VERSION")) => {
                Comparison::Newer(before)
            }
            before => Comparison::Due(Refresh {
                copy: self.clone(),
                files,
                place,
                replaces: self.is_there(),
                before,
            }),
        }
    }

    /// Whether an entry of a host or client names the copy, once these changes are made. A file that cannot be read counts
    /// as one that does.
    pub(crate) fn is_used(&self, place: &Place, receipts: &Receipts, changes: &[Change]) -> bool {
        let mut files = receipts.files();
        let invocation = unstuck_hosts::Invocation::new("unstuck");
        for host in Host::ALL {
            for scope in Scope::ALL {
                let plan = place.everything(host, scope, &invocation);
                files.extend(plan.files.into_iter().map(|file| file.path));
            }
        }
        for client in McpClient::all() {
            let listed = place.with(|around| client.files(around));
            files.extend(listed.into_iter().map(|file| file.path));
        }
        files.sort();
        files.dedup();
        files.iter().any(|path| {
            let changed = changes.iter().find(|change| change.path == *path);
            let text = match changed {
                Some(change) => Ok(change.after.clone()),
                None => read(path),
            };
            text.map_or(true, |text| {
                text.is_some_and(|text| self.is_named_in(&text))
            })
        })
    }

    /// What becomes of the copy with these changes: it is removed if no entry names it any more.
    pub(crate) fn step_after(
        &self,
        changes: &[Change],
        place: &Place,
        receipts: &Receipts,
    ) -> CopyStep<'_> {
        if self.is_there() && !self.is_used(place, receipts, changes) {
            CopyStep::Remove(self)
        } else {
            CopyStep::Keep
        }
    }

    fn is_named_in(&self, text: &str) -> bool {
        let directory = self.directory.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,= ".contains(c);
        if directory.chars().all(plain) {
            return text.contains(&*directory);
        }
        // Files and shells write such a path in several ways; its end is the same in all of them.
        ["unstuck/bin/", r"unstuck\bin\", r"unstuck\\bin\\"]
            .into_iter()
            .any(|end| text.contains(end))
    }

    /// Removes the programs, and the directories if nothing else is in them.
    pub(crate) fn remove(&self) -> Result<()> {
        for path in [self.command(), self.hook()] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| format!("cannot remove {}", path.display()));
                }
                _ => {}
            }
        }
        self.remove_abandoned(Duration::ZERO);
        for directory in self.directory.ancestors().take(2) {
            // Others may have put something there.
            let _ = fs::remove_dir(directory);
        }
        Ok(())
    }

    /// Removes what processes left that were killed while they copied.
    fn remove_abandoned(&self, age: Duration) {
        let Ok(entries) = fs::read_dir(&self.directory) else {
            return;
        };
        for entry in entries.flatten() {
            let is_unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
            let modified = entry.metadata().and_then(|found| found.modified());
            let is_old = modified.is_ok_and(|modified| {
                SystemTime::now()
                    .duration_since(modified)
                    .is_ok_and(|since| since >= age)
            });
            if is_unfinished && is_old {
                // The next install tries again.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Refresh {
    /// Whether programs are replaced that are there.
    pub(crate) fn replaces(&self) -> bool {
        self.replaces
    }

    pub(crate) fn copy(&self) -> &OwnCopy {
        &self.copy
    }

    /// Lines for the person who is asked.
    pub(crate) fn describe(&self, place: &Place) -> String {
        let names: Vec<_> = self
            .files
            .iter()
            .map(|(_, target)| place.short(target))
            .collect();
        let this = env!("CARGO_PKG_VERSION");
        let what = match &self.before {
            Some(before) if before == this => "copy replaced by this build".to_owned(),
            Some(before) => {
                let before = unstuck_text::Shown::line(before);
                format!("copy replaced, {before} → {this}")
            }
            None => format!("new copy, {this}"),
        };
        format!(
            "{} ({what})\n  agents run the copy, because this program is in {}, from which it disappears",
            names.join(", "),
            self.place
        )
    }

    /// Copies the programs. All are written before the first of them takes its place.
    pub(crate) fn make(&self) -> Result<()> {
        let directory = &self.copy.directory;
        let above = directory.parent().unwrap_or(directory);
        if let Some(data) = above.parent() {
            fs::create_dir_all(data)
                .with_context(|| format!("cannot make the directory {}", data.display()))?;
        }
        let advice = "put `unstuck` into a directory of PATH yourself, and name it with --binary";
        program_directory(above).context(advice)?;
        program_directory(directory).context(advice)?;
        self.copy.remove_abandoned(ABANDONED);
        let written = self.files.iter().map(|(source, target)| {
            let file = copied(source, directory);
            let file = file.with_context(|| format!("cannot copy {}", source.display()))?;
            Ok((file, target))
        });
        for (file, target) in written.collect::<Result<Vec<_>>>()? {
            put(file, target).with_context(|| format!("cannot write {}", target.display()))?;
        }
        Ok(())
    }
}

impl CopyStep<'_> {
    pub(crate) fn describe(self, place: &Place) -> Option<String> {
        match self {
            Self::Keep => None,
            Self::Refresh(refresh) => Some(refresh.describe(place)),
            Self::Remove(copy) => {
                let directory = place.short(&copy.directory);
                Some(format!("{directory} (copy removed: no agent runs it)"))
            }
        }
    }
}

/// A copy that has no name of a program yet.
fn copied(source: &Path, directory: &Path) -> Result<tempfile::NamedTempFile> {
    let from = regular::open(source)?;
    let length = from.metadata()?.len();
    if length > LARGEST {
        bail!("it is larger than {LARGEST} bytes");
    }
    let mut file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(directory)?;
    let copied = io::copy(&mut from.take(LARGEST), file.as_file_mut())?;
    if copied != length {
        bail!("it changed while it was read");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file()
            .set_permissions(fs::Permissions::from_mode(0o755))?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Gives a whole file its name. What stands there is replaced, also if it is a link.
fn put(file: tempfile::NamedTempFile, target: &Path) -> Result<()> {
    let file = match file.persist(target) {
        Ok(_) => return Ok(()),
        Err(error) if cfg!(windows) && target.exists() => error.file,
        Err(error) => return Err(error.error.into()),
    };
    // Windows does not replace a program that is running, but lets it have another name.
    let aside = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(target.parent().unwrap_or(target))?;
    let aside = aside.into_temp_path();
    let path = aside.keep().map_err(|error| error.error)?;
    fs::remove_file(&path)?;
    fs::rename(target, &path)?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a target is a program with the contents of its source.
fn is_same(source: &Path, target: &Path) -> bool {
    let is_own = fs::symlink_metadata(target).is_ok_and(|found| found.is_file());
    is_own && is_program(target) && has_same_bytes(source, target).unwrap_or(false)
}

fn has_same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let open = |path| -> io::Result<(File, u64)> {
        let file = regular::open(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    };
    let ((mut one, length), (mut other, other_length)) = (open(one)?, open(other)?);
    if length != other_length || length > LARGEST {
        return Ok(false);
    }
    let mut left = length;
    let (mut first, mut second) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    while left > 0 {
        let part = left.min(1 << 16) as usize;
        one.read_exact(&mut first[..part])?;
        other.read_exact(&mut second[..part])?;
        if first[..part] != second[..part] {
            return Ok(false);
        }
        left -= part as u64;
    }
    Ok(true)
}

/// Whether a version comes after another, by the precedence of semantic versioning. One that cannot be read is older.
pub(crate) fn is_newer(version: &str, than: &str) -> bool {
    match (parts(version), parts(than)) {
        (Some(version), Some(than)) => compare(&version, &than) == Ordering::Greater,
        _ => false,
    }
}

/// The three numbers, and the words of a version before the release.
fn parts(version: &str) -> Option<([u64; 3], Vec<&str>)> {
    let version = version.split('+').next()?;
    let (numbers, before) = match version.split_once('-') {
        Some((numbers, before)) => (numbers, before.split('.').collect()),
        None => (version, Vec::new()),
    };
    let mut numbers = numbers.split('.').map(|number| number.parse().ok());
    let three = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some((three, before))
}

fn compare(one: &([u64; 3], Vec<&str>), other: &([u64; 3], Vec<&str>)) -> Ordering {
    let word = |one: &&str, other: &&str| match (one.parse::<u64>(), other.parse::<u64>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => one.cmp(other),
    };
    let words = || {
        // What has no such words is the release itself, which comes last.
        match (one.1.is_empty(), other.1.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let pairs = one.1.iter().zip(&other.1);
                let mut pairs = pairs.map(|(one, other)| word(one, other));
                let first = pairs.find(|order| order.is_ne());
                first.unwrap_or_else(|| one.1.len().cmp(&other.1.len()))
            }
        }
    };
    one.0.cmp(&other.0).then_with(words)
}

#[cfg(test)]
#[path = "copy_tests.rs"]
mod tests;
