//! What becomes of one file.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use unstuck_hosts::{
    Access, Content, EditError, Ownership, Plan, PlannedFile, Record, Registration, Rest, Scope,
    program_of,
};
use unstuck_store::regular;

use super::{Made, Place, Receipt, Receipts, ServerReceipt, find_program, place::command};

/// The member of a host's file that holds its status line.
const STATUS_LINE: &str = "statusLine";

/// A change that is not made yet.
pub(crate) struct Change {
    /// As the host names it; it may be a link.
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    /// Nothing: the file goes.
    pub(crate) after: Option<String>,
    pub(crate) access: Access,
    pub(crate) backup: Backup,
    pub(crate) direction: Direction,
    pub(crate) replaces: Replaces,
}

/// Whether a change takes a guard out that works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replaces {
    Guard,
    Nothing,
}

/// Whether what a file holds is kept elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backup {
    Keep,
    /// It holds nothing but ours.
    Needless,
}

/// What a change is for.
#[derive(Clone, Debug)]
pub(crate) enum Direction {
    Install(Receipt),
    Uninstall,
    /// A file is made that holds no hook.
    Create,
    /// A server goes behind the proxy.
    Wrap(ServerReceipt),
    /// A server comes out from behind it.
    Unwrap {
        server: String,
    },
}

impl Change {
    /// What an install does to this file; `None` if it is as it should be.
    pub(crate) fn install(
        plan: &Plan,
        file: &PlannedFile,
        receipts: &Receipts,
        place: &Place,
    ) -> Result<Option<Self>> {
        let before = read(&file.path)?;
        let receipt = receipts.find(&file.path);
        let state = file.registration(before.as_deref());
        let replaces = match state.map_err(|error| refused(plan, file, &error))? {
            Registration::Complete if !lacks_status_line(file, before.as_deref()) => {
                return Ok(None);
            }
            Registration::Complete | Registration::Absent => Replaces::Nothing,
            Registration::Occupied => bail!(
                "{} is there and not ours; move it away, or call `{}` from it",
                file.path.display(),
                file.commands_of_ours().join("` and `")
            ),
            Registration::Different => replaces(file, before.as_deref()),
        };
        let record = receipt.as_ref().map(|receipt| &receipt.record);
        // A status line that an earlier install wrote stays.
        let kept = record.filter(|record| record.created.contains(&status_line_path()));
        let file = match kept {
            Some(_) => &place_status_line(file, plan, place)?,
            None => file,
        };
        let edited = file.add(before.as_deref(), record);
        let edited = edited.map_err(|error| refused(plan, file, &error))?;
        let made = match (&before, &receipt) {
            (None, _) => Made::Here,
            (Some(_), Some(receipt)) => receipt.made,
            (Some(_), None) => Made::Before,
        };
        let receipt = Receipt::new(plan, &file.path, made, edited.record, receipt);
        Ok(Some(Self {
            path: file.path.clone(),
            before,
            after: Some(edited.text),
            access: access(file),
            backup: Backup::Keep,
            direction: Direction::Install(receipt),
            replaces,
        }))
    }

    /// What an uninstall does to this file; `None` if there is nothing of ours in it.
    pub(crate) fn uninstall(
        plan: &Plan,
        file: &PlannedFile,
        receipts: &Receipts,
    ) -> Result<Option<Self>> {
        let Some(before) = read(&file.path)? else {
            return Ok(None);
        };
        let receipt = receipts.find(&file.path);
        let state = file.registration(Some(&before));
        let backup = match state.map_err(|error| refused(plan, file, &error))? {
            Registration::Absent | Registration::Occupied => return Ok(None),
            Registration::Complete => Backup::Needless,
            Registration::Different => Backup::Keep,
        };
        let record: Option<&Record> = receipt.as_ref().map(|receipt| &receipt.record);
        let removed = file.remove(&before, record);
        let removed = removed.map_err(|error| refused(plan, file, &error))?;
        let is_ours = file.ownership == Ownership::Ours
            || receipt.is_some_and(|receipt| receipt.made == Made::Here);
        let goes = removed.rest == Rest::Nothing && is_ours;
        Ok(Some(Self {
            path: file.path.clone(),
            before: Some(before),
            after: (!goes).then_some(removed.text),
            access: access(file),
            backup: if goes { backup } else { Backup::Keep },
            direction: Direction::Uninstall,
            replaces: Replaces::Guard,
        }))
    }
}

/// Whether the file is to have a status line, and has none.
fn lacks_status_line(file: &PlannedFile, before: Option<&str>) -> bool {
    let is_wanted = matches!(&file.content, Content::Json { defaults, .. }
        if defaults.iter().any(|(key, _)| *key == STATUS_LINE));
    is_wanted && matches!(file.status_line(before.unwrap_or_default()), Ok(None))
}

/// Where the record of an install has the status line.
fn status_line_path() -> Vec<String> {
    vec![STATUS_LINE.to_owned()]
}

/// The same file with a status line.
pub(crate) fn place_status_line(
    file: &PlannedFile,
    plan: &Plan,
    place: &Place,
) -> Result<PlannedFile> {
    let is_there = matches!(&file.content, Content::Json { defaults, .. }
        if defaults.iter().any(|(key, _)| *key == STATUS_LINE));
    if is_there {
        return Ok(file.clone());
    }
    let invocation = command(place, plan.scope, None)?;
    Ok(file.clone().with_status_line(&invocation))
}

/// Hooks that run another program than the new ones would are a guard, as long as that program is there.
fn replaces(file: &PlannedFile, before: Option<&str>) -> Replaces {
    let program = |command: &String| program_of(command, file.host);
    let new: Vec<_> = file.commands_of_ours().iter().filter_map(program).collect();
    let old = file
        .commands(before.unwrap_or_default())
        .unwrap_or_default();
    let mut old = old.iter().filter_map(|(_, command)| program(command));
    if old.any(|old| !new.contains(&old) && find_program(&old).is_some()) {
        Replaces::Guard
    } else {
        Replaces::Nothing
    }
}

/// The file's text, or nothing where there is no file.
pub(crate) fn read(path: &Path) -> Result<Option<String>> {
    let bytes = match regular::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let text = String::from_utf8(bytes);
    let text = text.with_context(|| format!("{} is left as it is", path.display()))?;
    Ok(Some(text))
}

/// Says where a file is not understood, and what to do.
fn refused(plan: &Plan, file: &PlannedFile, error: &EditError) -> anyhow::Error {
    let scope = match plan.scope {
        Scope::User => String::new(),
        Scope::Project => format!(" --scope {}", plan.scope),
    };
    anyhow::anyhow!(
        "{}:{}:{}: {error}\nthe file was not changed; correct it, or see what belongs in it: unstuck install {}{scope} --print",
        file.path.display(),
        error.line,
        error.column,
        plan.host,
    )
}

fn access(file: &PlannedFile) -> Access {
    match file.content {
        Content::Whole { access, .. } => access,
        _ => Access::Data,
    }
}
