//! Which log an argument names: a file, or a server whose log is in the state directory.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::builder::{PathBufValueParser, TypedValueParser};
use unstuck_session::StateDir;
use unstuck_text::Shown;

/// Names of logs that an error lists.
const MOST: usize = 10;

/// Reads the argument of a log.
pub(super) fn log() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| {
        if is_log(&path) {
            return path;
        }
        let of_server = logs().map(|logs| {
            let mut name = path.clone().into_os_string();
            name.push(".jsonl");
            logs.join(name)
        });
        of_server
            .filter(|log| path.components().count() == 1 && is_log(log))
            .unwrap_or(path)
    })
}

/// Whether a log is there. One that was removed leaves its head, or full files, behind.
pub(super) fn is_log(path: &Path) -> bool {
    ["", ".head", ".1"].into_iter().any(|end| {
        let mut name = path.to_owned().into_os_string();
        name.push(end);
        Path::new(&name).symlink_metadata().is_ok()
    })
}

/// Says that a log is not there, and which ones are.
pub(super) fn missing(path: &Path) -> String {
    let path = Shown::line(path.display());
    let names = names();
    if names.is_empty() {
        format!("{path}: no such file")
    } else {
        let more = if names.len() > MOST { ", …" } else { "" };
        let names = names[..names.len().min(MOST)].join(", ");
        format!("{path}: no such file; servers with a log in the state directory: {names}{more}")
    }
}

fn logs() -> Option<PathBuf> {
    Some(StateDir::find().ok()?.path("audit"))
}

fn names() -> Vec<String> {
    let entries = logs().and_then(|logs| fs::read_dir(logs).ok());
    let names = entries.into_iter().flatten().filter_map(|entry| {
        let name = entry.ok()?.file_name();
        let name = name.to_str()?.strip_suffix(".jsonl")?;
        Some(Shown::line(name).to_string())
    });
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}
