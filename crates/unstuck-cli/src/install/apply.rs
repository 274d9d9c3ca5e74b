//! Making changes: shown first, then confirmed, and each file whole or not at all.

use std::{
    fs,
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use unstuck_hosts::Access;

use super::{Backup, Change, CopyStep, Direction, Place, Receipts, created, diff};

/// Whether someone is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// On the terminal; without one nothing is changed.
    OnTerminal,
    /// No: `--yes`.
    Never,
    /// Show, and change nothing.
    OnlyShow,
}

/// Lines of a new file without hooks that are shown.
const LONGEST: usize = 100;

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    Done,
    Declined,
    Shown,
}

/// Shows the changes and makes them. Says where backups are.
pub(crate) fn apply(
    changes: &[Change],
    copy: CopyStep<'_>,
    receipts: &Receipts,
    place: &Place,
    ask: Ask,
) -> Result<Applied> {
    let mut out = anstream::stdout().lock();
    if let Some(text) = copy.describe(place) {
        writeln!(out, "{text}\n")?;
    }
    for change in changes {
        let name = place.short(&change.path);
        let (before, after) = (change.before.as_deref(), change.after.as_deref());
        let shown = match (&change.direction, after) {
            // The schema has thousands of lines that a person does not read.
            (Direction::Create, Some(text)) if text.lines().count() > LONGEST => {
                created(&name, text)
            }
            _ => diff(&name, before, after),
        };
        writeln!(out, "{shown}")?;
    }
    out.flush()?;
    match ask {
        Ask::OnlyShow => return Ok(Applied::Shown),
        Ask::OnTerminal if !io::stdin().is_terminal() => bail!(
            "nothing was changed: standard input is not a terminal, so you cannot be asked; add --yes to make these changes"
        ),
        Ask::OnTerminal if !confirmed()? => return Ok(Applied::Declined),
        Ask::OnTerminal | Ask::Never => {}
    }
    // A host never has an entry for a program that is not there.
    if let CopyStep::Refresh(refresh) = copy {
        refresh.make()?;
    }
    for change in changes {
        if let Some(backup) = make(change, receipts)? {
            writeln!(out, "backup: {}", place.short(&backup))?;
        }
    }
    if let CopyStep::Remove(copy) = copy {
        copy.remove()?;
    }
    Ok(Applied::Done)
}

fn confirmed() -> Result<bool> {
    let mut err = anstream::stderr().lock();
    write!(err, "Make these changes? [Y/n] ")?;
    err.flush()?;
    let mut answer = String::new();
    // The end of input is not a yes.
    if io::stdin().lock().read_line(&mut answer)? == 0 {
        writeln!(err)?;
        return Ok(false);
    }
    Ok(matches!(
        answer.trim().to_lowercase().as_str(),
        "" | "y" | "yes"
    ))
}

fn make(change: &Change, receipts: &Receipts) -> Result<Option<PathBuf>> {
    let (when, earlier) = match &change.direction {
        Direction::Install(_) => ("before-install", receipts.find(&change.path)),
        Direction::Uninstall | Direction::Unwrap { .. } => ("before-uninstall", None),
        Direction::Create => ("before-init", None),
        Direction::Wrap(_) => ("before-mcp", None),
    };
    let backup = match &change.before {
        // The backup of the first install is the one without our hooks.
        Some(before) if earlier.is_none() && change.backup == Backup::Keep => {
            Some(receipts.back_up(&change.path, before, when)?)
        }
        _ => None,
    };
    match &change.direction {
        Direction::Install(receipt) => {
            // First the receipt: one without hooks does no harm, hooks without one are harder to take back.
            receipts.keep(receipt)?;
            write(change)?;
        }
        Direction::Create => write(change)?,
        Direction::Uninstall => {
            write(change)?;
            let receipt = receipts.find(&change.path);
            let directories = receipt.map_or(Vec::new(), |receipt| receipt.directories);
            if change.after.is_none() {
                for directory in directories.iter().rev() {
                    // Others may have put something there.
                    let _ = fs::remove_dir(directory);
                }
            }
            receipts.forget(&change.path);
        }
        Direction::Wrap(receipt) => {
            receipts.keep_server(receipt)?;
            write(change)?;
        }
        Direction::Unwrap { server } => {
            write(change)?;
            receipts.forget_server(&change.path, server);
        }
    }
    Ok(backup)
}

fn write(change: &Change) -> Result<()> {
    let path = &change.path;
    let Some(after) = &change.after else {
        return fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()));
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .with_context(|| format!("cannot make the directory {}", parent.display()))?;
    }
    write_whole(path, after.as_bytes(), Some(change.access))
}

/// Replaces a file by another one of the same name, access and owner's links. A link stays, what it points to changes.
pub(super) fn write_whole(path: &Path, bytes: &[u8], access: Option<Access>) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let directory = target.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".unstuck-")
        .tempfile_in(directory)
        .with_context(cannot)?;
    file.write_all(bytes).with_context(cannot)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = match (fs::metadata(&target), access) {
            (Ok(found), _) => found.permissions().mode(),
            (Err(_), Some(Access::Program)) => 0o755,
            (Err(_), Some(Access::Data)) => 0o644,
            (Err(_), None) => 0o600,
        };
        let permissions = fs::Permissions::from_mode(mode);
        file.as_file()
            .set_permissions(permissions)
            .with_context(cannot)?;
    }
    #[cfg(not(unix))]
    let _ = access;
    file.as_file().sync_all().with_context(cannot)?;
    file.persist(&target).with_context(cannot)?;
    Ok(())
}
