//! Databases: OpenCode keeps its sessions in SQLite.

use std::{collections::BTreeMap, path::Path};

use rusqlite::{Connection, Row, types::ValueRef};
use unstuck_transcript::{Format, OpenCodeRows, Sink};

use super::{
    content::Content,
    database_file::{DatabaseFile, in_words},
    find::Source,
    input::{self, Input, Meter},
    read::{Ending, Wanted},
};

/// The tables that are read.
const TABLES: [&str; 3] = ["session", "message", "part"];

/// Bytes of text that rows may have beyond twice the size of the file. A crafted file can list the same page many times.
const SLACK: u64 = 1 << 20;

/// Messages of a session in their order, each with its parts.
const ROWS: &str = "\
SELECT message.id, message.time_created, message.data, part.time_created, part.data
FROM message LEFT JOIN part ON part.message_id = message.id
WHERE message.session_id = ?1
ORDER BY message.time_created, message.id, part.id";

/// Reads a database, if it is one that is known.
pub fn read(source: &Source, wanted: Wanted<'_>, meter: &Meter, sink: &mut dyn Sink) -> Ending {
    let Source::File(path) = source else {
        return Ending::Unknown(Content::Database);
    };
    match read_file(path, wanted, meter, sink) {
        Ok(ending) => ending,
        Err((format, error)) => {
            Ending::Failed(format, format!("cannot read the database: {error}"))
        }
    }
}

fn read_file(
    path: &Path,
    wanted: Wanted<'_>,
    meter: &Meter,
    sink: &mut dyn Sink,
) -> Result<Ending, (Option<Format>, String)> {
    let file = DatabaseFile::open(path, meter.stop_flag()).map_err(|error| (None, error))?;
    let known = is_opencode(&file.connection).map_err(|error| (None, error.to_string()))?;
    if !known {
        return Ok(Ending::Unknown(Content::Database));
    }
    let format = Format::OpenCode;
    if !wanted(format) {
        return Ok(Ending::Unwanted(format));
    }
    let mut rows = Rows {
        file: &file,
        left: file.size.saturating_mul(2).saturating_add(SLACK),
    };
    let read = rows.sessions(meter, sink);
    // Pages are read as they are needed; the whole file counts as read in the end.
    meter.add(file.size);
    let stopped = meter.is_stopped();
    read.or_else(|error| if stopped { Ok(()) } else { Err(error) })
        .map_err(|error| (Some(format), error))?;
    if !file.is_sound() {
        let error = "it was written while it was read; scan it again";
        return Err((Some(format), error.to_owned()));
    }
    Ok(Ending::Read(format))
}

/// The directory that each session works in, where the database is one that is known.
pub(super) fn directories(source: &Source) -> Option<BTreeMap<String, String>> {
    let Source::File(path) = source else {
        return None;
    };
    let meter = Meter::default();
    if !matches!(input::open(source, &meter), Ok(Input::Database)) {
        return None;
    }
    let file = DatabaseFile::open(path, meter.stop_flag()).ok()?;
    if !is_opencode(&file.connection).ok()? {
        return None;
    }
    let mut rows = Rows {
        file: &file,
        left: file.size.saturating_mul(2).saturating_add(SLACK),
    };
    let query = "SELECT id, directory FROM session";
    let mut query = file.connection.prepare(query).ok()?;
    let mut found = query.query([]).ok()?;
    let mut directories = BTreeMap::new();
    while let Some(row) = rows.next(&mut found).ok()? {
        let session = rows.text(row, 0).ok()?.unwrap_or_default();
        directories.insert(session, rows.text(row, 1).ok()?.unwrap_or_default());
    }
    Some(directories)
}

/// Whether all tables are there, as plain tables: a virtual table, a view or a computed column would run code that the
/// file chose.
fn is_opencode(database: &Connection) -> rusqlite::Result<bool> {
    for table in TABLES {
        let mut kinds = database.prepare("SELECT type FROM pragma_table_list(?1)")?;
        let kinds = kinds.query_map([table], |row| row.get::<_, String>(0))?;
        if kinds.collect::<rusqlite::Result<Vec<_>>>()? != ["table"] {
            return Ok(false);
        }
        let computed = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0";
        if database.query_row(computed, [table], |row| row.get::<_, u32>(0))? > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads rows, no more than the file can have.
struct Rows<'a> {
    file: &'a DatabaseFile,
    /// Bytes of text that may still come.
    left: u64,
}

impl Rows<'_> {
    fn sessions(&mut self, meter: &Meter, sink: &mut dyn Sink) -> Result<(), String> {
        let database = &self.file.connection;
        let mut parents = BTreeMap::new();
        let mut names = database
            .prepare("SELECT id, parent_id FROM session")
            .map_err(in_words)?;
        let mut rows = names.query([]).map_err(in_words)?;
        while let Some(row) = self.next(&mut rows)? {
            let name = self.text(row, 0)?.unwrap_or_default();
            parents.insert(name, self.text(row, 1)?);
        }
        let roots = roots(&parents);
        let mut messages = database.prepare(ROWS).map_err(in_words)?;
        for session in parents.keys() {
            if meter.is_stopped() {
                break;
            }
            let root = roots.get(&**session).copied();
            let root = root.filter(|root| root != session);
            let mut told = OpenCodeRows::new(session, root);
            let mut last = None;
            let mut rows = messages.query([session]).map_err(in_words)?;
            while let Some(row) = self.next(&mut rows)? {
                let id = self.text(row, 0)?.unwrap_or_default();
                if last.as_ref() != Some(&id) {
                    let data = self.text(row, 2)?.unwrap_or_default();
                    told.message(&id, row.get(1).ok(), &data, sink);
                    last = Some(id);
                }
                if let Some(data) = self.text(row, 4)? {
                    told.part(row.get(3).ok(), &data, sink);
                }
            }
            told.end(sink);
        }
        Ok(())
    }

    /// Returns the next row. The time limit applies to SQLite's work on it, not to what is done with rows.
    fn next<'r>(&self, rows: &'r mut rusqlite::Rows<'_>) -> Result<Option<&'r Row<'r>>, String> {
        self.file.restart_limit();
        rows.next().map_err(in_words)
    }

    /// Text of a column, also where it is not quite text.
    fn text(&mut self, row: &Row<'_>, column: usize) -> Result<Option<String>, String> {
        let text = match row.get_ref(column).map_err(in_words)? {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                Some(String::from_utf8_lossy(bytes).into_owned())
            }
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => None,
        };
        let bytes = text.as_ref().map_or(0, String::len) as u64 + 1;
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or("its rows have more text than the file has bytes")?;
        Ok(text)
    }
}

/// Returns the session at the top of the parents of each session: itself if it has no parent, and for sessions whose
/// parents form a circle the first one of the circle by name. Every session is visited once.
fn roots(parents: &BTreeMap<String, Option<String>>) -> BTreeMap<&str, &str> {
    let mut roots = BTreeMap::new();
    for session in parents.keys() {
        let mut path = vec![&**session];
        let mut met = BTreeMap::from([(&**session, 0)]);
        let mut top = &**session;
        let root = loop {
            if let Some(root) = roots.get(top) {
                break *root;
            }
            let Some(Some(parent)) = parents.get(top) else {
                break top;
            };
            if let Some(start) = met.insert(parent, path.len()) {
                let circle = path[start..].iter().min();
                break circle.copied().unwrap_or(top);
            }
            path.push(parent);
            top = parent;
        };
        roots.extend(path.into_iter().map(|session| (session, root)));
    }
    roots
}

#[cfg(test)]
#[path = "database_tests.rs"]
mod tests;
