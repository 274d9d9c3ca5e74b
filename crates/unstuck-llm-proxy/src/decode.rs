//! Bodies of requests that are compressed.

use std::{borrow::Cow, io::Read as _};

use hyper::{HeaderMap, header::CONTENT_ENCODING};

/// The JSON of a body, decoded if it is compressed. `None` if that cannot be done within `most` bytes.
pub(crate) fn decoded<'b>(
    headers: &HeaderMap,
    body: &'b [u8],
    most: usize,
) -> Option<Cow<'b, [u8]>> {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    let encoding = match (encodings.next(), encodings.next()) {
        (None, _) => return Some(Cow::Borrowed(body)),
        (Some(one), None) => one.to_str().ok()?.trim(),
        // Compressed more than once.
        _ => return None,
    };
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut out = Vec::new();
    let read = if encoding.eq_ignore_ascii_case("identity") {
        return Some(Cow::Borrowed(body));
    } else if encoding.eq_ignore_ascii_case("gzip") || encoding.eq_ignore_ascii_case("x-gzip") {
        flate2::read::MultiGzDecoder::new(body)
            .take(limit)
            .read_to_end(&mut out)
    } else if encoding.eq_ignore_ascii_case("deflate") {
        flate2::read::ZlibDecoder::new(body)
            .take(limit)
            .read_to_end(&mut out)
    } else if encoding.eq_ignore_ascii_case("zstd") {
        let decoder = ruzstd::decoding::StreamingDecoder::new(body).ok()?;
        decoder.take(limit).read_to_end(&mut out)
    } else {
        return None;
    };
    (read.ok()? <= most).then_some(Cow::Owned(out))
}
