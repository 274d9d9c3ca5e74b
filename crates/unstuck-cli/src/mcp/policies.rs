//! The policy file, read again whenever it changes.

use std::{
    fs::{self, Metadata},
    io::{self, Read as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Context as _, Result, bail};
use unstuck_mcp::{Policy, PolicyError};
use unstuck_store::regular;
use unstuck_text::Shown;

use crate::style::{WARNING, paint};

/// Bytes that a policy file may have.
const LARGEST: u64 = 1 << 20;

/// How often the content is compared although the file looks the same: a stamp has a granularity, and some file systems
/// keep no change time.
const COMPARE: Duration = Duration::from_secs(2);

/// Stack of the thread that reads policies. Cedar takes up to 60 kB for a bracket.
const STACK: usize = 64 << 20;

/// A policy file, and what was last read of it.
#[derive(Debug)]
pub(crate) struct PolicyFile {
    path: PathBuf,
    /// Bytes of arguments that its policies read.
    arguments: usize,
    seen: Option<Stamp>,
    /// When the content was last read.
    read: Option<Instant>,
    /// Hash of the content that was last parsed, whether it was valid or not.
    content: Option<blake3::Hash>,
    /// The last error about the file, so that it is reported once.
    reported: Option<String>,
}

/// A file that changed has another stamp. The change time of Unix cannot be set by a program, unlike the time of
/// modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    inode: u64,
    #[cfg(unix)]
    changed: (i64, i64),
}

impl PolicyFile {
    /// A file that need not exist yet. Its policies read at most so many bytes of a call's arguments.
    pub(crate) fn new(path: PathBuf, arguments: usize) -> Self {
        Self {
            path,
            arguments,
            seen: None,
            read: None,
            content: None,
            reported: None,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Applies the policies if the file has changed, and reports on standard error what happened. Never waits for the
    /// file: what is not a regular file is an error.
    pub(crate) fn refresh(&mut self, apply: impl FnOnce(Policy)) {
        match self.read_again() {
            Ok(None) => {}
            Ok(Some(policy)) => {
                anstream::eprintln!("unstuck: read {}", Shown::line(self.path.display()));
                self.print_warnings(&policy);
                apply(policy);
            }
            Err(error) => anstream::eprintln!(
                "unstuck: {}; the policies from before stay",
                Shown::line(format_args!("{error:#}"))
            ),
        }
    }

    /// The policies, if the file exists and has changed since it was last read. An error is returned once.
    pub(crate) fn read_again(&mut self) -> Result<Option<Policy>> {
        self.changed().or_else(|error| {
            let text = format!("{error:#}");
            if self.reported.as_ref() == Some(&text) {
                return Ok(None);
            }
            self.reported = Some(text);
            Err(error)
        })
    }

    /// Prints what is probably wrong with the policies.
    pub(crate) fn print_warnings(&self, policy: &Policy) {
        for warning in policy.warnings() {
            anstream::eprintln!(
                "unstuck: {} {}:{}",
                paint(WARNING, "warning:"),
                Shown::line(self.path.display()),
                Shown::line(warning)
            );
        }
    }

    fn changed(&mut self) -> Result<Option<Policy>> {
        let cannot = || format!("cannot read {}", self.path.display());
        let found = match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if self.seen.take().is_some() {
                    bail!("{} is gone", self.path.display());
                }
                return Ok(None);
            }
            found => found.with_context(cannot)?,
        };
        let stamp = Stamp::of(&found);
        let settled = self.read.is_some_and(|read| read.elapsed() < COMPARE);
        if self.seen == Some(stamp) && settled {
            return Ok(None);
        }
        self.seen = Some(stamp);
        self.read = Some(Instant::now());
        let (text, stamp) = read(&self.path).with_context(cannot)?;
        self.seen = Some(stamp);
        self.reported = None;
        let content = blake3::hash(text.as_bytes());
        if self.content == Some(content) {
            return Ok(None);
        }
        let parsed = parse(self.path.display().to_string(), text);
        // Text that could not be parsed for want of resources is tried again.
        if parsed.is_ok() || parsed.as_ref().is_err_and(anyhow::Error::is::<PolicyError>) {
            self.content = Some(content);
        }
        let policy = parsed?;
        Ok(Some(policy.with_limit(self.arguments)))
    }
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;

        Self {
            modified: found.modified().ok(),
            length: found.len(),
            #[cfg(unix)]
            device: found.dev(),
            #[cfg(unix)]
            inode: found.ino(),
            #[cfg(unix)]
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }
}

/// Reads policies on a stack that is large enough for the deepest ones.
fn parse(name: String, text: String) -> Result<Policy> {
    let reader = thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || Policy::parse(&name, &text))
        .context("cannot start a thread to read policies")?;
    match reader.join() {
        Ok(read) => Ok(read?),
        Err(_) => bail!("unstuck itself failed on the policies; please report it"),
    }
}

/// The text of a policy file, without waiting: a pipe or a device is refused, and so is a file over the limit.
fn read(path: &Path) -> Result<(String, Stamp)> {
    let file = regular::open(path)?;
    let found = file.metadata()?;
    if found.len() > LARGEST {
        bail!(
            "it has {} bytes, more than the {LARGEST} of a policy file",
            found.len()
        );
    }
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        bail!("it has more than the {LARGEST} bytes of a policy file");
    }
    let text = String::from_utf8(bytes).context("it is not UTF-8")?;
    Ok((text, Stamp::of(&found)))
}
