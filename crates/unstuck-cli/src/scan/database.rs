//! Databases: OpenCode keeps its sessions in SQLite.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Row, types::ValueRef};
use unstuck_transcript::{Format, OpenCodeRows, Sink};

use super::{
    find::Source,
    input::Meter,
    read::{Ending, Wanted},
};

/// How long to wait for whoever is writing.
const PATIENCE: Duration = Duration::from_secs(5);

/// Messages of a session in their order, each with its parts.
const ROWS: &str = "\
SELECT message.id, message.time_created, message.data, part.time_created, part.data
FROM message LEFT JOIN part ON part.message_id = message.id
WHERE message.session_id = ?1
ORDER BY message.time_created, message.id, part.id";

/// Reads a database, if it is one that is known.
pub(crate) fn read(
    source: &Source,
    wanted: Wanted<'_>,
    meter: &Meter,
    sink: &mut dyn Sink,
) -> Ending {
    let Source::File(path) = source else {
        return Ending::Unknown;
    };
    // Pages are read as they are needed; the whole file counts as read in the end.
    let size = fs::metadata(path).map_or(0, |found| found.len());
    let failed =
        |error: rusqlite::Error| Ending::Failed(None, format!("cannot read the database: {error}"));
    let database = match open(path) {
        Ok(database) => database,
        Err(error) => return failed(error),
    };
    match is_opencode(&database) {
        Ok(true) if wanted(Format::OpenCode) => {}
        Ok(true) => return Ending::Unwanted,
        Ok(false) => return Ending::Unknown,
        Err(error) => return failed(error),
    }
    let read = sessions(&database, meter, sink);
    meter.add(size);
    match read {
        Ok(()) => Ending::Read(Format::OpenCode),
        Err(error) => Ending::Failed(
            Some(Format::OpenCode),
            format!("cannot read the database: {error}"),
        ),
    }
}

/// Opens a database to read it only, also while its owner writes to it.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let tried = Connection::open_with_flags(path, flags).and_then(|database| {
        database.busy_timeout(PATIENCE)?;
        // Nothing is read before the first question.
        database.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
        Ok(database)
    });
    // A log beside the database needs files that cannot be made where one may not write. Then what is in the database
    // itself is read, and nobody can be writing to it.
    tried.or_else(|_| {
        let flags = flags | OpenFlags::SQLITE_OPEN_URI;
        Connection::open_with_flags(immutable(path), flags)
    })
}

/// The address of a database that does not change.
fn immutable(path: &Path) -> String {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut address = String::from("file:");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                address.push(byte.into());
            }
            byte => {
                // A string takes everything.
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address + "?immutable=1"
}

fn is_opencode(database: &Connection) -> rusqlite::Result<bool> {
    let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('session', 'message', 'part')";
    database.query_row(tables, [], |row| Ok(row.get::<_, u32>(0)? == 3))
}

fn sessions(database: &Connection, meter: &Meter, sink: &mut dyn Sink) -> rusqlite::Result<()> {
    let mut parents = BTreeMap::new();
    let mut names = database.prepare("SELECT id, parent_id FROM session")?;
    let mut rows = names.query([])?;
    while let Some(row) = rows.next()? {
        parents.insert(text(row, 0)?.unwrap_or_default(), text(row, 1)?);
    }
    let mut messages = database.prepare(ROWS)?;
    for session in parents.keys() {
        if meter.is_stopped() {
            break;
        }
        let root = root(session, &parents);
        let mut told = OpenCodeRows::new(session, root);
        let mut last = None;
        let mut rows = messages.query([session])?;
        while let Some(row) = rows.next()? {
            let id = text(row, 0)?.unwrap_or_default();
            if last.as_ref() != Some(&id) {
                let data = text(row, 2)?.unwrap_or_default();
                told.message(&id, row.get(1).ok(), &data, sink);
                last = Some(id);
            }
            if let Some(data) = text(row, 4)? {
                told.part(row.get(3).ok(), &data, sink);
            }
        }
        told.end(sink);
    }
    Ok(())
}

/// The session at the top of a session's parents, if it has any.
fn root<'a>(session: &'a str, parents: &'a BTreeMap<String, Option<String>>) -> Option<&'a str> {
    let mut met = BTreeSet::from([session]);
    let mut top = session;
    while let Some(Some(parent)) = parents.get(top)
        // A circle has no top.
        && met.insert(parent)
    {
        top = parent;
    }
    (top != session).then_some(top)
}

/// Text of a column, also where it is not quite text.
fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => None,
    })
}
