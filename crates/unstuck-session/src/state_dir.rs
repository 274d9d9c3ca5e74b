//! The directory where state is kept.

mod exemptions;
mod mode_switch;
mod proxies;
mod trusted;

use std::{env, path::PathBuf, time::Duration};

use etcetera::BaseStrategy as _;
use unstuck_store::{
    Lock, Store, StoreError, close_directory_to_writers, private_directory, read_trusted, replace,
};

use crate::{
    error::{Context as _, Result},
    log::Log,
};

pub use exemptions::Exemption;
pub use mode_switch::{
    MODE_VARIABLE, ModeFrom, SwitchReader, mode_from_environment, name as mode_name,
};
pub use proxies::{
    HeldCaller, ProxyKind, ProxySession, ProxyStatus, Registration, ResetRequest, ResetTarget,
};
pub use trusted::Trusted;

/// The directory of all state, in place of the platform's.
const VARIABLE: &str = "UNSTUCK_HOME";

/// How long a person's command waits for a lock.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of a small file.
const LARGEST: u64 = 1 << 20;

/// The directory of all state.
#[derive(Clone, Debug)]
pub struct StateDir {
    root: PathBuf,
    /// Takes lines of the log that could not be written to it.
    fallback: fn(&str),
}

impl StateDir {
    /// Returns the directory that the variable `UNSTUCK_HOME` names, or else the platform's. It need not exist.
    pub fn find() -> Result<Self> {
        if let Some(root) = env::var_os(VARIABLE).filter(|root| !root.is_empty()) {
            return Ok(Self::at(root));
        }
        let platform = etcetera::choose_base_strategy()
            .with_context(|| format!("no directory for state; set {VARIABLE} to one"))?;
        let state = platform.state_dir().unwrap_or_else(|| platform.data_dir());
        Ok(Self::at(state.join("unstuck")))
    }

    /// State under this directory.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            fallback: |_| {},
        }
    }

    /// Sets where lines of the log go that cannot be written to its file. Without it they are dropped.
    #[must_use]
    pub fn with_fallback(mut self, fallback: fn(&str)) -> Self {
        self.fallback = fallback;
        self
    }

    /// The path of a file or directory in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The store of agents' state.
    pub fn store(&self) -> Store {
        Store::at(self.path("sessions"))
    }

    /// Hands over a line of the log that cannot be written to its file.
    pub(crate) fn fall_back(&self, line: &str) {
        (self.fallback)(line);
    }

    /// Makes the directory, for its owner only. One that is there already is closed to other writers.
    pub fn prepare(&self) -> Result<()> {
        private_directory(&self.root)?;
        close_directory_to_writers(&self.root);
        Ok(())
    }

    /// Changes a small file that a person's commands write. One command at a time.
    fn change(&self, name: &str, change: impl FnOnce(String) -> String) -> Result<()> {
        self.prepare()?;
        let _lock = Lock::take(&self.path("lock"), PATIENCE)?;
        let old = self.read(name).unwrap_or_default();
        let new = change(old);
        replace(&self.path(name), new.as_bytes())?;
        Ok(())
    }

    /// Returns the contents of a small file, `None` if it does not exist. A file that cannot be used is ignored and
    /// reported in the log.
    fn read(&self, name: &str) -> Option<String> {
        self.try_read(name).unwrap_or_else(|error| {
            self.report(&error);
            None
        })
    }

    /// Returns the contents of a small file, `None` if it does not exist. These files make the guard milder, so it is an
    /// error if another user may have written one.
    fn try_read(&self, name: &str) -> Result<Option<String>, StoreError> {
        let bytes = read_trusted(&self.path(name), LARGEST)?;
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Reports in the log why a small file is ignored.
    fn report(&self, error: &StoreError) {
        Log::of(self).line("unstuck", &error.to_string());
    }
}
