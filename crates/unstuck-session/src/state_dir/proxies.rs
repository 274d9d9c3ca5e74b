//! Running proxies, of MCP and of the APIs of models: what each holds against its callers, and how a person's command reaches it.
//!
//! Every proxy has a directory of its own under `proxies`, which only its user can open:
//!
//! ```text
//! lock     locked as long as the proxy runs, so that a dead one is recognised however it ended
//! status   what it holds, for `unstuck sessions` and `unstuck status`
//! reset    a person's request; the proxy removes it once it is done
//! ```
//!
//! Names come from the proxy, never from a client.

use std::{
    cmp::Reverse,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use serde::{Deserialize, Serialize};
use unstuck_store::regular;
use unstuck_text::Shown;

use super::StateDir;
use crate::error::{Context as _, Error, Result};

const DIRECTORY: &str = "proxies";
const LOCK: &str = "lock";

/// Milliseconds after an answer in which hooks of its session leave the decisions to the proxy. Calls run right after it.
const RECENT: i64 = 5 * 60 * 1_000;

/// Milliseconds that an answer may be ahead of the clock.
const AHEAD: i64 = 5_000;
const STATUS: &str = "status";
const RESET: &str = "reset";

/// Files on their way to their name.
const NEW: &str = "status.new";
const REQUEST: &str = "request-";

/// Largest file that is read here, in bytes.
const LARGEST: u64 = 1 << 20;

/// Proxies that may be registered at once. More run, but cannot be reached by commands.
const MOST: usize = 1_024;

/// Bytes of the status file that are left to members other than the callers.
const SLACK: u64 = 1 << 10;

/// A directory whose lock is free stays this long: its proxy may be about to take the lock.
const STARTING: Duration = Duration::from_secs(1);

/// How often a proxy tries to register under a new name.
const ATTEMPTS: u32 = 3;

/// How long `unstuck reset` waits for a proxy. A proxy looks for requests several times a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a request that is under way is looked at.
const TICK: Duration = Duration::from_millis(20);

/// A running proxy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProxyStatus {
    /// Name of the proxy, made by itself.
    #[serde(skip)]
    pub id: String,
    /// Servers behind it.
    pub servers: Vec<String>,
    /// `enforce`, `observe` or `off`.
    pub mode: String,
    /// When it started, in milliseconds since 1970.
    pub started: i64,
    /// When this was written, in milliseconds since 1970.
    pub written: i64,
    /// Calls so far.
    pub calls: u64,
    /// Callers that were denied calls or are halted, as many as the file has room for.
    pub held: Vec<HeldCaller>,
    /// Sessions of a proxy of the APIs of models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<ProxySession>,
}

/// What a proxy guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    /// Calls of MCP servers.
    Mcp,
    /// Requests to the APIs of models.
    Llm,
}

impl ProxyKind {
    const ALL: [Self; 2] = [Self::Mcp, Self::Llm];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Llm => "llm",
        }
    }

    /// The kind of a proxy, by the name it made for itself.
    fn of(id: &str) -> Option<Self> {
        let (prefix, _) = id.split_once('-')?;
        Self::ALL.into_iter().find(|kind| kind.name() == prefix)
    }
}

/// A session of a proxy of the APIs of models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProxySession {
    /// The wire form of its requests.
    pub api: String,
    /// Name of the session.
    pub session: String,
    /// Agent within the session.
    pub agent: String,
    /// Whether its requests name it.
    pub is_named: bool,
    /// Time of its first request, in milliseconds since 1970.
    pub first: i64,
    /// Time of its last request.
    pub last: i64,
    /// Time of the last answer of the API that the proxy judged, or 0.
    pub answered: i64,
    /// Requests.
    pub requests: u64,
    /// Texts that the model got.
    pub nudges: u64,
    /// Calls that were denied.
    pub denials: u64,
    /// Rule that halted it, while it is halted.
    pub halted: Option<String>,
    /// Tokens that the session used today.
    pub tokens: u64,
    /// What they cost, in millionths of a dollar.
    pub micros: u64,
}

/// A caller that was denied calls or is halted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldCaller {
    /// Server whose calls were denied.
    pub server: String,
    /// Session the calls are counted for.
    pub session: String,
    /// Agent within the session.
    pub agent: String,
    /// Whether every further call is denied until a reset.
    pub halted: bool,
    /// Rule that decided last.
    pub rule: String,
    /// Calls that were denied since the last reset.
    pub denials: u64,
    /// When the last one was denied, in milliseconds since 1970.
    pub last: i64,
}

/// What a reset is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResetRequest {
    /// Everything the proxy holds.
    Everything,
    /// One session at one server.
    Session {
        /// The server.
        server: String,
        /// The session.
        session: String,
    },
}

/// A name that `unstuck reset` takes, and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetTarget {
    /// The name.
    pub name: String,
    /// The proxy.
    pub proxy: String,
    /// What to ask of it.
    pub request: ResetRequest,
}

impl ProxyStatus {
    /// An empty status of the proxy with a name.
    pub fn of(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..Self::default()
        }
    }

    /// What the proxy guards.
    pub fn kind(&self) -> ProxyKind {
        ProxyKind::of(&self.id).unwrap_or(ProxyKind::Mcp)
    }

    /// Name of one of its callers, as `unstuck reset` takes it.
    pub fn name_of(&self, held: &HeldCaller) -> String {
        match self.servers.as_slice() {
            [_] => format!("{}/{}", self.id, held.session),
            _ => format!("{}/{}/{}", self.id, held.server, held.session),
        }
    }

    /// Drops callers until the file has at most [`LARGEST`] bytes. Halted callers stay first, then those that were
    /// denied last.
    fn fit(&mut self) -> Result<()> {
        let callers = std::mem::take(&mut self.held);
        let others = serde_json::to_vec(self).map_err(Error::system)?.len() as u64 + SLACK;
        let mut left = LARGEST.saturating_sub(others);
        let mut sized = Vec::with_capacity(callers.len());
        for caller in callers {
            // One byte more for the comma.
            sized.push((
                serde_json::to_vec(&caller).map_err(Error::system)?.len() as u64 + 1,
                caller,
            ));
        }
        if sized.iter().map(|(size, _)| size).sum::<u64>() > left {
            sized.sort_by_key(|(_, caller)| Reverse((caller.halted, caller.last)));
            sized.retain(|(size, _)| match left.checked_sub(*size) {
                Some(rest) => {
                    left = rest;
                    true
                }
                None => false,
            });
        }
        self.held = sized.into_iter().map(|(_, caller)| caller).collect();
        Ok(())
    }
}

/// The directory of a running proxy. Dropping it removes the directory.
#[derive(Debug)]
pub struct Registration {
    id: String,
    directory: PathBuf,
    /// Locked until it is closed.
    _lock: File,
}

impl StateDir {
    /// Makes the directory of this process, after removing those of proxies that have ended.
    pub fn register_proxy(&self) -> Result<Registration> {
        self.register_proxy_of(ProxyKind::Mcp)
    }

    /// The same for a proxy of this kind.
    pub fn register_proxy_of(&self, kind: ProxyKind) -> Result<Registration> {
        let root = self.path(DIRECTORY);
        private_directory(&root)?;
        let left = self
            .proxy_directories()
            .filter(|path| tidy(path) != Life::Removed);
        if left.count() >= MOST {
            return Err(Error::Refused(format!(
                "{MOST} proxies are registered in {}",
                root.display()
            )));
        }
        for _ in 0..ATTEMPTS {
            let mut bytes = [0; 4];
            getrandom::fill(&mut bytes).map_err(Error::system)?;
            let id = format!("{}-{:08x}", kind.name(), u32::from_le_bytes(bytes));
            let directory = root.join(&id);
            if let Some(lock) = lock_in(&directory)? {
                return Ok(Registration {
                    id,
                    directory,
                    _lock: lock,
                });
            }
        }
        Err(Error::Refused(format!(
            "no directory in {} can be locked",
            root.display()
        )))
    }

    /// The proxies that run now, the newest first. Directories of those that have ended are removed.
    pub fn proxies(&self) -> Vec<ProxyStatus> {
        let running = self.proxy_directories();
        let running = running.filter(|path| tidy(path) == Life::Running);
        let mut proxies: Vec<_> = running.filter_map(|path| read_status(&path)).collect();
        proxies.sort_by(|a, b| (b.started, &b.id).cmp(&(a.started, &a.id)));
        proxies
    }

    /// Whether a running proxy of the APIs of models enforces decisions about a session, so that hooks of the same agent only
    /// have to record. The proxy must have judged an answer to a request that names the session within the last minutes before
    /// `now`: what goes past it is not judged by it.
    pub fn is_guarded_by_proxy(&self, id: &str, session: &str, now: i64) -> bool {
        let is_name = id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_name || ProxyKind::of(id) != Some(ProxyKind::Llm) {
            return false;
        }
        let directory = self.path(DIRECTORY).join(id);
        let is_running = regular::open(&directory.join(LOCK))
            .is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
        let status = is_running.then(|| read_status(&directory)).flatten();
        status.is_some_and(|status| {
            let mut sessions = status.sessions.iter();
            let is_it = |it: &ProxySession| {
                let age = now.saturating_sub(it.answered);
                it.is_named && it.session == session && (-AHEAD..=RECENT).contains(&age)
            };
            status.mode == "enforce" && sessions.any(is_it)
        })
    }

    /// Asks a running proxy to clear what it holds, and waits until it has done so.
    pub fn reset_proxy(&self, id: &str, request: &ResetRequest) -> Result<()> {
        let directory = self.path(DIRECTORY).join(id);
        let (path, new) = (directory.join(RESET), directory.join(temporary()));
        let text = serde_json::to_vec(request).map_err(Error::system)?;
        private_file(&new)?
            .write_all(&text)
            .with_context(|| format!("cannot write {}", new.display()))?;
        let deadline = Instant::now() + PATIENCE;
        // A link is made with its contents, and fails while another request waits.
        let asked = loop {
            match fs::hard_link(&new, &path) {
                Ok(()) => break Ok(()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => break Err(error),
            }
            if Instant::now() > deadline {
                break Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(TICK);
        };
        let _ = fs::remove_file(&new);
        asked.with_context(|| format!("cannot reach the proxy {id}"))?;
        while path.symlink_metadata().is_ok() {
            if Instant::now() > deadline {
                let _ = fs::remove_file(&path);
                return Err(Error::Refused(format!(
                    "the proxy {id} did not answer; is it stopped?"
                )));
            }
            thread::sleep(TICK);
        }
        Ok(())
    }

    /// Returns every running proxy, and every caller it holds something against.
    pub fn reset_targets(&self) -> Vec<ResetTarget> {
        let mut all = Vec::new();
        for proxy in self.proxies() {
            all.extend(proxy.held.iter().map(|held| ResetTarget {
                name: proxy.name_of(held),
                proxy: proxy.id.clone(),
                request: ResetRequest::Session {
                    server: held.server.clone(),
                    session: held.session.clone(),
                },
            }));
            all.push(ResetTarget {
                name: proxy.id.clone(),
                proxy: proxy.id,
                request: ResetRequest::Everything,
            });
        }
        all
    }

    /// Returns what a name, or the beginning of one, stands for. `None` if no proxy has such a name.
    pub fn find_reset_target(&self, prefix: &str) -> Result<Option<ResetTarget>> {
        let mut found = self.reset_targets();
        found.retain(|target| target.name.starts_with(prefix));
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found.dedup_by(|a, b| a.name == b.name);
        let whole = |target: &ResetTarget| target.name == prefix;
        if let Some(exact) = found.iter().position(whole) {
            return Ok(Some(found.swap_remove(exact)));
        }
        // A proxy and its callers begin alike; then the proxy is meant.
        let proxy = |target: &ResetTarget| target.request == ResetRequest::Everything;
        match found.iter().filter(|target| proxy(target)).count() {
            0 if found.len() <= 1 => Ok(found.pop()),
            1 => {
                let place = found.iter().position(proxy).unwrap_or_default();
                Ok(Some(found.swap_remove(place)))
            }
            _ => {
                let names = found
                    .iter()
                    .map(|target| Shown::line(&target.name).to_string());
                let names: Vec<_> = names.collect();
                Err(Error::Refused(format!(
                    "several names begin with `{prefix}`: {}",
                    names.join(", ")
                )))
            }
        }
    }

    fn proxy_directories(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let found = fs::read_dir(self.path(DIRECTORY)).into_iter().flatten();
        found.filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name();
            let named = name
                .to_str()
                .is_some_and(|name| ProxyKind::of(name).is_some());
            (named && entry.file_type().is_ok_and(|kind| kind.is_dir())).then(|| entry.path())
        })
    }
}

impl Registration {
    /// Writes what the proxy holds now.
    pub fn write(&self, mut status: ProxyStatus) -> Result<()> {
        status.fit()?;
        let text = serde_json::to_vec(&status).map_err(Error::system)?;
        let (path, new) = (self.directory.join(STATUS), self.directory.join(NEW));
        // Left over from an attempt that failed.
        let _ = fs::remove_file(&new);
        private_file(&new)?
            .write_all(&text)
            .and_then(|()| fs::rename(&new, &path))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// A person's request, if there is one. It stays until [`done`](Self::done).
    pub fn request(&self) -> Option<ResetRequest> {
        let path = self.directory.join(RESET);
        path.symlink_metadata().ok()?;
        let request = read_small(&path).and_then(|text| serde_json::from_slice(&text).ok());
        if request.is_none() {
            // Not one of ours: it would only keep later requests waiting.
            self.done();
        }
        request
    }

    /// The request has been carried out.
    pub fn done(&self) {
        let _ = fs::remove_file(self.directory.join(RESET));
    }

    /// Name of the proxy.
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        remove(&self.directory);
    }
}

/// State of a directory of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// The proxy runs, or that cannot be found out.
    Running,
    /// The lock is free, but so new that the proxy may be about to take it.
    Starting,
    /// The proxy has ended, and its directory was removed.
    Removed,
}

/// Makes the directory of a proxy and locks it. `None` if a command took the lock or removed the directory before.
fn lock_in(directory: &Path) -> Result<Option<File>> {
    private_directory(directory)?;
    let path = directory.join(LOCK);
    let lock = private_file(&path)?;
    match lock.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
    }
    Ok(path.exists().then_some(lock))
}

/// Removes the directory of a proxy that has ended.
fn tidy(directory: &Path) -> Life {
    // Held until the directory is removed.
    let lock = match regular::open(&directory.join(LOCK)) {
        Ok(lock) if lock.try_lock().is_err() => return Life::Running,
        Ok(lock) => Some(lock),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => return Life::Running,
    };
    let found = match &lock {
        Some(lock) => lock.metadata(),
        None => fs::symlink_metadata(directory),
    };
    if found.and_then(|found| found.modified()).is_ok_and(is_new) {
        return Life::Starting;
    }
    remove(directory);
    Life::Removed
}

/// Whether a time is so near that a proxy may be starting, also if the clock was set back a little since.
fn is_new(time: SystemTime) -> bool {
    let away = time.elapsed().unwrap_or_else(|ahead| ahead.duration());
    away < STARTING
}

/// Removes what a proxy and its commands make, and nothing else.
fn remove(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        if [LOCK, STATUS, RESET, NEW].contains(&name) || name.starts_with(REQUEST) {
            let _ = fs::remove_file(entry.path());
        }
    }
    let _ = fs::remove_dir(directory);
}

fn read_status(directory: &Path) -> Option<ProxyStatus> {
    let text = read_small(&directory.join(STATUS))?;
    let mut status: ProxyStatus = serde_json::from_slice(&text).ok()?;
    directory.file_name()?.to_str()?.clone_into(&mut status.id);
    Some(status)
}

/// The contents of a regular file of bounded size. Links are not followed, and a pipe is not waited for.
fn read_small(path: &Path) -> Option<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::OpenOptionsExt as _;

        options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    }
    let file = options.open(path).ok()?;
    let found = file.metadata().ok()?;
    if !found.is_file() || found.len() > LARGEST {
        return None;
    }
    let mut text = Vec::new();
    file.take(LARGEST).read_to_end(&mut text).ok()?;
    Some(text)
}

/// A new file that only its owner can read.
fn private_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .with_context(|| format!("cannot make {}", path.display()))
}

fn private_directory(path: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(path)
        .and_then(|()| close_to_others(path))
        .with_context(|| format!("cannot make the directory {}", path.display()))
}

/// A directory that was there before may be open to others.
#[cfg(unix)]
fn close_to_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    let found = path.metadata()?.permissions();
    let of_others = found.mode() & 0o077;
    if of_others > 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}

fn temporary() -> String {
    format!("{REQUEST}{}", std::process::id())
}

#[cfg(test)]
#[path = "proxies_tests.rs"]
mod tests;
