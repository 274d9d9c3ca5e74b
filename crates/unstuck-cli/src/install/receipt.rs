//! What an install did, so that it can be taken back.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use unstuck_hosts::{EntryChanges, Plan, Record};
use unstuck_store::regular;

/// What was done to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) path: PathBuf,
    pub(crate) host: String,
    pub(crate) scope: String,
    pub(crate) made: Made,
    /// Directories that were made for it, the outermost first.
    pub(crate) directories: Vec<PathBuf>,
    pub(crate) record: Record,
}

/// What was done to the entry of one server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerReceipt {
    pub(crate) path: PathBuf,
    pub(crate) client: String,
    pub(crate) server: String,
    pub(crate) changes: EntryChanges,
}

/// Since when a file is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Made {
    /// It was there before.
    Before,
    /// The install made it.
    Here,
}

impl Receipt {
    pub(crate) fn new(
        plan: &Plan,
        path: &Path,
        made: Made,
        record: Record,
        older: Option<Self>,
    ) -> Self {
        let mut directories = older.map_or(Vec::new(), |older| older.directories);
        let missing = path.ancestors().skip(1).take_while(|above| !above.exists());
        let missing: Vec<_> = missing.map(Path::to_path_buf).collect();
        directories.extend(missing.into_iter().rev());
        Self {
            path: path.to_path_buf(),
            host: plan.host.name().to_owned(),
            scope: plan.scope.name().to_owned(),
            made,
            directories,
            record,
        }
    }
}

/// Where receipts and backups are kept.
pub(crate) struct Receipts {
    directory: PathBuf,
}

impl Receipts {
    pub(crate) fn at(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// One that cannot be read counts as none: hooks are then found by what they run.
    pub(crate) fn find(&self, path: &Path) -> Option<Receipt> {
        let text = regular::read(&self.file(path, "json")).ok()?;
        let receipt: Receipt = serde_json::from_slice(&text).ok()?;
        (receipt.path == path).then_some(receipt)
    }

    /// Every file that a receipt names.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        /// Both kinds of receipts have it.
        #[derive(Deserialize)]
        struct Named {
            path: PathBuf,
        }

        let entries = fs::read_dir(&self.directory)
            .into_iter()
            .flatten()
            .flatten();
        let receipts = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        let named = receipts.filter_map(|path| {
            let text = regular::read(&path).ok()?;
            serde_json::from_slice::<Named>(&text).ok()
        });
        named.map(|named| named.path).collect()
    }

    pub(crate) fn keep(&self, receipt: &Receipt) -> Result<()> {
        let text = serde_json::to_vec_pretty(receipt)?;
        self.write(&self.file(&receipt.path, "json"), &text)
    }

    pub(crate) fn forget(&self, path: &Path) {
        // Without its hooks in the file, a receipt that stays says nothing.
        let _ = fs::remove_file(self.file(path, "json"));
    }

    /// One that cannot be read counts as none: the words of the proxy are then found by what they mean.
    pub(crate) fn find_server(&self, path: &Path, server: &str) -> Option<ServerReceipt> {
        let text = regular::read(&self.server_file(path, server)).ok()?;
        let receipt: ServerReceipt = serde_json::from_slice(&text).ok()?;
        (receipt.path == path && receipt.server == server).then_some(receipt)
    }

    pub(crate) fn keep_server(&self, receipt: &ServerReceipt) -> Result<()> {
        let text = serde_json::to_vec_pretty(receipt)?;
        self.write(&self.server_file(&receipt.path, &receipt.server), &text)
    }

    pub(crate) fn forget_server(&self, path: &Path, server: &str) {
        let _ = fs::remove_file(self.server_file(path, server));
    }

    /// Keeps what a file holds, and says where.
    pub(crate) fn back_up(&self, path: &Path, text: &str, when: &str) -> Result<PathBuf> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let backup = self.file(path, &format!("{when}.{name}"));
        self.write(&backup, text.as_bytes())?;
        Ok(backup)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        // Configuration files may hold keys.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(&self.directory)
            .with_context(|| format!("cannot make the directory {}", self.directory.display()))?;
        super::apply::write_whole(path, bytes, None)
    }

    fn server_file(&self, path: &Path, server: &str) -> PathBuf {
        // The hash of both: a name may hold anything.
        self.file(
            path,
            &format!("{}.json", &blake3::hash(server.as_bytes()).to_hex()[..16]),
        )
    }

    fn file(&self, path: &Path, ending: &str) -> PathBuf {
        let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
        self.directory.join(format!("{}.{ending}", &hash[..16]))
    }
}
