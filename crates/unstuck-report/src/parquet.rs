//! Tables as Parquet files.
//!
//! What is written is a small part of the format, which every reader knows: one data page for each column of a row group,
//! plain values, definition levels as bits, no compression.
//!
//! ```text
//! PAR1 │ page of column 1 │ page of column 2 │ … │ footer │ length of the footer │ PAR1
//! ```

use std::borrow::Cow;

use crate::tables::{Cell, Column, ColumnKind, TABLES_VERSION, Table};

const MAGIC: &[u8] = b"PAR1";

/// Rows of a row group: as many as fit into a page of some megabytes.
const GROUP: usize = 16_384;

/// Numbers that the format has for types, encodings and the like.
mod code {
    pub(super) const DATA_PAGE: usize = 0;
    pub(super) const PLAIN: usize = 0;
    pub(super) const RLE: usize = 3;
    pub(super) const UNCOMPRESSED: usize = 0;
    pub(super) const OPTIONAL: usize = 1;
    pub(super) const INT64: usize = 2;
    pub(super) const DOUBLE: usize = 5;
    pub(super) const BYTE_ARRAY: usize = 6;
    pub(super) const UTF8: usize = 0;
    pub(super) const TIMESTAMP_MILLIS: usize = 9;
}

/// A page that was written.
struct Chunk<'a> {
    column: &'a Column,
    offset: usize,
    bytes: usize,
    rows: usize,
}

/// Returns the bytes of a Parquet file with this table. Its metadata has the version of the columns under
/// `unstuck.tables`.
///
/// ```
/// use std::collections::HashMap;
/// use unstuck_report::{Report, Table, TableKind, parquet};
///
/// let table = Table::of(TableKind::Runs, &Report::default(), &HashMap::new());
/// assert!(parquet(&table).starts_with(b"PAR1"));
/// ```
pub fn parquet(table: &Table) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let mut groups = Vec::new();
    for start in (0..table.rows).step_by(GROUP) {
        let end = table.rows.min(start + GROUP);
        let mut chunks = Vec::new();
        for column in &table.columns {
            let offset = out.len();
            page(column, start..end, &mut out);
            chunks.push(Chunk {
                column,
                offset,
                bytes: out.len() - offset,
                rows: end - start,
            });
        }
        groups.push(chunks);
    }
    let footer = out.len();
    write_footer(table, &groups, &mut out);
    let length = (out.len() - footer) as u32;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(MAGIC);
    out
}

impl Column {
    /// One bit for each cell, the first in the lowest bit of the first byte: whether there is a value.
    pub fn validity(&self) -> Vec<u8> {
        let mut bits = vec![0; self.cells.len().div_ceil(8)];
        for (at, cell) in self.cells.iter().enumerate() {
            bits[at / 8] |= u8::from(*cell != Cell::Null) << (at % 8);
        }
        bits
    }

    /// The bytes of a text, or the eight bytes of a number in little-endian order, of each cell; empty for a cell without
    /// a value.
    pub fn bytes(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        self.cells.iter().map(|cell| match cell {
            Cell::Null => Cow::Borrowed(&[][..]),
            Cell::Text(text) => text.as_bytes().into(),
            Cell::Integer(number) => number.to_le_bytes().to_vec().into(),
            Cell::Double(number) => number.to_le_bytes().to_vec().into(),
        })
    }
}

/// Writes a page with its header.
fn page(column: &Column, rows: std::ops::Range<usize>, out: &mut Vec<u8>) {
    let part = Column {
        cells: column.cells[rows].to_vec(),
        ..*column
    };
    let levels = part.validity();
    let mut body = Vec::new();
    // One run of bits: its length in bytes, shifted, with a mark that bits follow.
    let mut run = Vec::new();
    varint((levels.len() as u64) << 1 | 1, &mut run);
    run.extend_from_slice(&levels);
    body.extend_from_slice(&(run.len() as u32).to_le_bytes());
    body.extend_from_slice(&run);
    for (cell, bytes) in part.cells.iter().zip(part.bytes()) {
        if *cell == Cell::Null {
            continue;
        }
        if part.kind == ColumnKind::Text {
            body.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        }
        body.extend_from_slice(&bytes);
    }
    let mut header = Struct::new(out);
    header.i32(1, code::DATA_PAGE);
    header.i32(2, body.len());
    header.i32(3, body.len());
    header.inner(5, |data| {
        data.i32(1, part.cells.len());
        data.i32(2, code::PLAIN);
        data.i32(3, code::RLE);
        data.i32(4, code::RLE);
    });
    header.end();
    out.extend_from_slice(&body);
}

fn write_footer(table: &Table, groups: &[Vec<Chunk<'_>>], out: &mut Vec<u8>) {
    let mut file = Struct::new(out);
    file.i32(1, 1);
    file.list(2, table.columns.len() + 1, |at, element| {
        match at.checked_sub(1).map(|at| &table.columns[at]) {
            None => {
                element.text(4, "table");
                element.i32(5, table.columns.len());
            }
            Some(column) => {
                element.i32(1, physical(column.kind));
                element.i32(3, code::OPTIONAL);
                element.text(4, column.name);
                match column.kind {
                    ColumnKind::Text => element.i32(6, code::UTF8),
                    ColumnKind::Time => element.i32(6, code::TIMESTAMP_MILLIS),
                    ColumnKind::Integer | ColumnKind::Double => {}
                }
            }
        }
    });
    file.i64(3, table.rows);
    file.list(4, groups.len(), |at, group| {
        let chunks = &groups[at];
        group.list(1, chunks.len(), |at, chunk| write_chunk(&chunks[at], chunk));
        group.i64(2, chunks.iter().map(|chunk| chunk.bytes).sum());
        group.i64(3, chunks.first().map_or(0, |chunk| chunk.rows));
    });
    file.list(5, 1, |_, pair| {
        pair.text(1, "unstuck.tables");
        pair.text(2, &TABLES_VERSION.to_string());
    });
    file.text(6, concat!("unstuck version ", env!("CARGO_PKG_VERSION")));
    file.end();
}

fn write_chunk(chunk: &Chunk<'_>, out: &mut Struct<'_>) {
    out.i64(2, chunk.offset);
    out.inner(3, |data| {
        data.i32(1, physical(chunk.column.kind));
        data.i32s(2, &[code::PLAIN, code::RLE]);
        data.texts(3, &[chunk.column.name]);
        data.i32(4, code::UNCOMPRESSED);
        data.i64(5, chunk.rows);
        data.i64(6, chunk.bytes);
        data.i64(7, chunk.bytes);
        data.i64(9, chunk.offset);
    });
}

fn physical(kind: ColumnKind) -> usize {
    match kind {
        ColumnKind::Text => code::BYTE_ARRAY,
        ColumnKind::Integer | ColumnKind::Time => code::INT64,
        ColumnKind::Double => code::DOUBLE,
    }
}

/// A structure in Thrift's compact protocol: fields in ascending order, each with the distance to the one before.
struct Struct<'o> {
    out: &'o mut Vec<u8>,
    last: u8,
}

/// Types of fields and of elements of lists.
mod wire {
    pub(super) const I32: u8 = 5;
    pub(super) const I64: u8 = 6;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const STRUCT: u8 = 12;
}

impl<'o> Struct<'o> {
    fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, last: 0 }
    }

    fn field(&mut self, id: u8, kind: u8) {
        self.out.push((id - self.last) << 4 | kind);
        self.last = id;
    }

    fn i32(&mut self, id: u8, value: usize) {
        self.field(id, wire::I32);
        signed(value, self.out);
    }

    fn i64(&mut self, id: u8, value: usize) {
        self.field(id, wire::I64);
        signed(value, self.out);
    }

    fn text(&mut self, id: u8, text: &str) {
        self.field(id, wire::BINARY);
        binary(text, self.out);
    }

    fn inner(&mut self, id: u8, write: impl FnOnce(&mut Struct<'_>)) {
        self.field(id, wire::STRUCT);
        let mut inner = Struct::new(self.out);
        write(&mut inner);
        inner.end();
    }

    fn list(&mut self, id: u8, count: usize, write: impl Fn(usize, &mut Struct<'_>)) {
        self.begin_list(id, count, wire::STRUCT);
        for at in 0..count {
            let mut element = Struct::new(self.out);
            write(at, &mut element);
            element.end();
        }
    }

    fn i32s(&mut self, id: u8, values: &[usize]) {
        self.begin_list(id, values.len(), wire::I32);
        for value in values {
            signed(*value, self.out);
        }
    }

    fn texts(&mut self, id: u8, texts: &[&str]) {
        self.begin_list(id, texts.len(), wire::BINARY);
        for text in texts {
            binary(text, self.out);
        }
    }

    fn begin_list(&mut self, id: u8, count: usize, kind: u8) {
        self.field(id, wire::LIST);
        if count < 15 {
            self.out.push((count as u8) << 4 | kind);
        } else {
            self.out.push(0xf0 | kind);
            varint(count as u64, self.out);
        }
    }

    fn end(self) {
        self.out.push(0);
    }
}

fn binary(text: &str, out: &mut Vec<u8>) {
    varint(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

/// Writes an integer that might be negative: its sign is the lowest bit. None is.
fn signed(value: usize, out: &mut Vec<u8>) {
    varint((value as u64) << 1, out);
}

fn varint(value: u64, out: &mut Vec<u8>) {
    let mut rest = value;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

#[cfg(test)]
#[path = "parquet_tests.rs"]
mod tests;
