//! Where state is kept.

use std::{env, path::PathBuf};

use anyhow::{Context as _, Result};
use etcetera::BaseStrategy as _;
use unstuck_store::Store;

const VARIABLE: &str = "UNSTUCK_HOME";

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

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub(crate) fn store(&self) -> Store {
        Store::at(self.path("sessions"))
    }
}
