//! Heads that were sent to a file earlier.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{chain::Head, reader::LogReader};

/// Why there are no heads of a log in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotedHeadsError {
    /// The file cannot be opened.
    #[error("cannot open {path}")]
    Open {
        /// The file with heads.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// No line of the file is a head of this log.
    #[error("{} has no heads of {}", .file.display(), .log.display())]
    None {
        /// The file with heads.
        file: PathBuf,
        /// The log.
        log: PathBuf,
    },
}

/// Heads of this log in a file to which a [`HeadSender`](crate::HeadSender) sent them. Such a file may hold heads of other
/// logs, and lines of other programs.
pub fn noted_heads(file: &Path, log: &Path) -> Result<Vec<Head>, NotedHeadsError> {
    let mut reader = LogReader::open(file).map_err(|source| NotedHeadsError::Open {
        path: file.to_owned(),
        source,
    })?;
    let mut line = Vec::new();
    let mut all = Vec::new();
    while reader.next_line(&mut line).map_err(NotedHeadsError::Read)? {
        let Some(start) = memchr::memchr(b'{', &line) else {
            continue;
        };
        let Ok(noted) = serde_json::from_slice::<Value>(&line[start..]) else {
            continue;
        };
        let (number, hash) = (noted["line"].as_u64(), noted["hash"].as_str());
        if let (Some(number), Some(hash), Some(of)) = (number, hash, noted["file"].as_str())
            && let Some(head) = Head::parse(&format!("{number} {hash}"))
        {
            all.push((of.to_owned(), head));
        }
    }
    // A copy of a log, or one in another directory, has the same name at least.
    let path = std::path::absolute(log).unwrap_or_else(|_| log.to_owned());
    let path = path.to_string_lossy();
    let open_name = |path: &str| match path.rsplit_once(".closed-") {
        Some((name, _)) => name.to_owned(),
        None => path.to_owned(),
    };
    let path = open_name(&path);
    let name = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
    let same_path = all.iter().any(|(of, _)| *of == path);
    all.retain(|(of, _)| {
        if same_path {
            *of == path
        } else {
            name(of) == name(&path)
        }
    });
    if all.is_empty() {
        return Err(NotedHeadsError::None {
            file: file.to_owned(),
            log: log.to_owned(),
        });
    }
    Ok(all.into_iter().map(|(_, head)| head).collect())
}
