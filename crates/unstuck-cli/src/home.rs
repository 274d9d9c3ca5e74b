//! Where state is kept.

mod allowed;
mod proxies;
mod switch;
mod trusted;

use std::{env, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result};
use etcetera::BaseStrategy as _;
use unstuck_store::{
    Lock, Store, StoreError, close_directory_to_writers, private_directory, read_trusted, replace,
};

use crate::log::Log;

pub(crate) use allowed::Allowance;
pub(crate) use proxies::{HeldCaller, ProxyStatus, Registration, ResetRequest};
pub(crate) use switch::{
    MODE_VARIABLE, ModeFrom, SwitchReader, mode_from_environment, name as mode_name,
};
pub(crate) use trusted::Trusted;

/// The directory of all state, in place of the platform's.
const VARIABLE: &str = "UNSTUCK_HOME";

/// How long a person's command waits for a lock.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of a small file.
const LARGEST: u64 = 1 << 20;

/// The directory of all state.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    root: PathBuf,
}

impl Home {
    pub(crate) fn find() -> Result<Self> {
        if let Some(root) = env::var_os(VARIABLE).filter(|root| !root.is_empty()) {
            return Ok(Self { root: root.into() });
        }
        let platform = etcetera::choose_base_strategy()
            .with_context(|| format!("no directory for state; set {VARIABLE} to one"))?;
        let state = platform.state_dir().unwrap_or_else(|| platform.data_dir());
        Ok(Self {
            root: state.join("unstuck"),
        })
    }

    #[cfg(test)]
    pub(crate) fn at(root: &std::path::Path) -> Self {
        Self { root: root.into() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) fn store(&self) -> Store {
        Store::at(self.path("sessions"))
    }

    /// Makes the directory, for its owner only. One that is there already is closed to other writers.
    pub(crate) fn prepare(&self) -> Result<()> {
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
        Log::in_home(self).line("unstuck", &error.to_string());
    }
}
