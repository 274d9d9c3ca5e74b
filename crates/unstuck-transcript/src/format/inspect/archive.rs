//! The ZIP archive of a log: `header.json`, and `samples/ID_epoch_N.json` for each sample.

use std::io::{self, Read};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipSliceEntry};
use ruzstd::decoding::StreamingDecoder;

use crate::sink::{Problem, Sink};

/// How a ZIP archive begins, with a member or empty.
const MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// How many bytes a member may have when it is unpacked.
const LARGEST_MEMBER: u64 = 256 << 20;

/// How many bytes are unpacked in all: a small archive can hold any amount of nothing.
const LARGEST_ARCHIVE: u64 = 8 << 30;

pub(super) fn is_archive(bytes: &[u8]) -> bool {
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

/// Does the archive begin with a member that a log has?
pub(super) fn recognises(head: &[u8]) -> bool {
    const MEMBERS: [&[u8]; 5] = [
        b"_journal/",
        b"samples/",
        b"header.json",
        b"summaries.json",
        b"reductions.json",
    ];
    // The name of a member stands behind its header, which has 30 bytes.
    let name = head.get(30..).unwrap_or_default();
    head.starts_with(MAGIC[0]) && MEMBERS.iter().any(|member| name.starts_with(member))
}

/// Unpacks one sample after the other.
pub(super) fn read(
    bytes: &[u8],
    sink: &mut dyn Sink,
    mut sample: impl FnMut(&[u8], &mut dyn Sink),
) -> Result<(), Box<str>> {
    let broken = |error: rawzip::Error| -> Box<str> {
        format!("the archive is cut off or broken: {error}").into()
    };
    let archive = ZipArchive::from_slice(bytes).map_err(broken)?;
    let mut members = archive.entries();
    let mut left = LARGEST_ARCHIVE;
    while let Some(member) = members.next_entry().map_err(broken)? {
        let name = member.file_path().as_ref().to_vec();
        if !name.starts_with(b"samples/") || !name.ends_with(b".json") {
            continue;
        }
        let method = member.compression_method();
        let unpacked = archive
            .get_entry(member.wayfinder())
            .map_err(|error| error.to_string())
            .and_then(|packed| {
                unpack(&packed, method, left.min(LARGEST_MEMBER)).map_err(|error| error.to_string())
            });
        match unpacked {
            Ok(text) => {
                left = left.saturating_sub(text.len() as u64);
                sample(&text, sink);
            }
            Err(error) => sink.problem(Problem {
                line: None,
                message: format!("{}: {error}", String::from_utf8_lossy(&name)).into(),
            }),
        }
    }
    Ok(())
}

fn unpack(
    packed: &ZipSliceEntry<'_>,
    method: CompressionMethod,
    limit: u64,
) -> io::Result<Vec<u8>> {
    let data = packed.data();
    match method {
        CompressionMethod::STORE => bounded(packed.verifying_reader(data), limit),
        CompressionMethod::DEFLATE => {
            bounded(packed.verifying_reader(DeflateDecoder::new(data)), limit)
        }
        CompressionMethod::ZSTD => {
            let decoder = StreamingDecoder::new(data).map_err(io::Error::other)?;
            bounded(packed.verifying_reader(decoder), limit)
        }
        other => Err(io::Error::other(format!(
            "packed in a way that is not read: {other:?}"
        ))),
    }
}

fn bounded(reader: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    reader.take(limit + 1).read_to_end(&mut text)?;
    if text.len() as u64 > limit {
        return Err(io::Error::other("too large to be unpacked"));
    }
    Ok(text)
}
