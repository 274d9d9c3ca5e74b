//! Where state is kept.

mod allowed;
mod proxies;
mod switch;
mod trusted;

use std::{env, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result};
use etcetera::BaseStrategy as _;
use unstuck_store::{Lock, Store, replace};

pub(crate) use allowed::Allowance;
pub(crate) use proxies::{HeldCaller, ProxyStatus, Registration, ResetRequest};
pub(crate) use switch::{MODE_VARIABLE, ModeFrom, mode_from_environment, name as mode_name};
pub(crate) use trusted::Trusted;

/// The directory of all state, in place of the platform's.
const VARIABLE: &str = "UNSTUCK_HOME";

/// How long a person's command waits for a lock.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

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

    /// Changes a small file that a person's commands write. One command at a time.
    fn change(&self, name: &str, change: impl FnOnce(String) -> String) -> Result<()> {
        let path = self.path(name);
        std::fs::create_dir_all(&self.root)
            .with_context(|| format!("cannot make the directory {}", self.root.display()))?;
        let _lock = Lock::take(&self.path("lock"), PATIENCE)?;
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        let new = change(old);
        replace(&path, new.as_bytes())?;
        Ok(())
    }

    /// A small file, if it is there.
    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path(name)).ok()
    }
}
