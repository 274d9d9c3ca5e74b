//! Bodies of requests that are compressed.

use std::io::Read;

use hyper::{HeaderMap, header::CONTENT_ENCODING};
use unstuck_http::{Loaded, Memory};

/// Bytes that are decoded at once.
const CHUNK: usize = 64 << 10;

/// A body as JSON.
pub(crate) enum Decoded<'b> {
    /// It was not compressed.
    Plain(&'b [u8]),
    /// What it holds, with the memory that it takes.
    Unpacked(Loaded),
}

impl AsRef<[u8]> for Decoded<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Unpacked(loaded) => &loaded.bytes,
        }
    }
}

/// The JSON of a body, decoded if it is compressed. `None` if that cannot be done within `most` bytes and the memory of
/// the proxy.
pub(crate) fn decoded<'b>(
    headers: &HeaderMap,
    body: &'b [u8],
    most: usize,
    memory: &Memory,
) -> Option<Decoded<'b>> {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    let encoding = match (encodings.next(), encodings.next()) {
        (None, _) => return Some(Decoded::Plain(body)),
        (Some(one), None) => one.to_str().ok()?.trim().to_ascii_lowercase(),
        // Compressed more than once.
        _ => return None,
    };
    let unpacked = match &*encoding {
        "identity" => return Some(Decoded::Plain(body)),
        "gzip" | "x-gzip" => unpack(flate2::read::MultiGzDecoder::new(body), most, memory),
        "deflate" => unpack(flate2::read::ZlibDecoder::new(body), most, memory)
            // Some clients leave the head of the format away.
            .or_else(|| unpack(flate2::read::DeflateDecoder::new(body), most, memory)),
        "zstd" => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(body).ok()?;
            unpack(decoder, most, memory)
        }
        _ => return None,
    };
    unpacked.map(Decoded::Unpacked)
}

fn unpack(mut from: impl Read, most: usize, memory: &Memory) -> Option<Loaded> {
    let mut held = memory.nothing();
    let mut bytes = Vec::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = from.read(&mut chunk).ok()?;
        if count == 0 {
            return Some(Loaded { bytes, held });
        }
        if bytes.len() + count > most || !held.grow(count) {
            return None;
        }
        bytes.extend_from_slice(&chunk[..count]);
    }
}
