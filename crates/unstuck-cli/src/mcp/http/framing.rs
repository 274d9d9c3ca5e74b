//! Requests whose end two programs could see in two places.
//!
//! Where a head gives the length of its body twice, or as a number and in chunks, the library that reads it picks one and
//! leaves out the other. Programs in front of this one may pick the other, so such heads are looked for in the bytes
//! themselves.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Longer heads are refused by whoever reads them.
const LONGEST: usize = 512 << 10;

/// A connection whose heads are looked at while they are read.
pub(super) struct Framed<S> {
    stream: S,
    heads: Heads,
}

/// Whether a head of this connection gave the length of its body in more than one way.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt(Arc<AtomicBool>);

impl Doubt {
    pub(super) fn is_there(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<S> Framed<S> {
    pub(super) fn new(stream: S) -> (Self, Doubt) {
        let doubt = Doubt::default();
        let heads = Heads {
            doubt: doubt.clone(),
            at: At::Head(Vec::new()),
        };
        (Self { stream, heads }, doubt)
    }
}

/// Follows the bytes of a connection from head to head.
struct Heads {
    doubt: Doubt,
    at: At,
}

enum At {
    /// In a head, of which so much was read.
    Head(Vec<u8>),
    /// In a body that goes on for so many bytes.
    Body(u64),
    /// Nothing that follows is looked at: the connection is closed behind this request.
    Over,
}

impl Heads {
    fn read(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match &mut self.at {
                At::Over => return,
                At::Body(left) => {
                    let taken = u64::try_from(bytes.len()).unwrap_or(u64::MAX).min(*left);
                    *left -= taken;
                    bytes = &bytes[usize::try_from(taken).unwrap_or(bytes.len())..];
                    if *left == 0 {
                        self.at = At::Head(Vec::new());
                    }
                }
                At::Head(head) => {
                    let before = head.len();
                    head.extend_from_slice(bytes);
                    let Some(end) = end_of_head(head, before) else {
                        if head.len() > LONGEST {
                            self.at = At::Over;
                        }
                        return;
                    };
                    bytes = &bytes[end - before..];
                    head.truncate(end);
                    self.at = behind(head, &self.doubt);
                }
            }
        }
    }
}

/// Behind the empty line that ends a head, of which the first `before` bytes were looked at.
fn end_of_head(head: &[u8], before: usize) -> Option<usize> {
    let from = before.saturating_sub(3);
    let ends = memchr::memchr_iter(b'\n', &head[from..]).map(|found| from + found);
    for end in ends {
        let line = &head[..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // Empty lines before a request mean nothing.
        if line.ends_with(b"\n") && !line.iter().all(u8::is_ascii_whitespace) {
            return Some(end + 1);
        }
    }
    None
}

/// What follows a head.
fn behind(head: &[u8], doubt: &Doubt) -> At {
    let mut lengths = Vec::new();
    let mut codings = 0;
    for line in head.split(|byte| *byte == b'\n') {
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let (name, value) = line.split_at(colon);
        let name = name.trim_ascii();
        if name.eq_ignore_ascii_case(b"content-length") {
            lengths.push(value[1..].trim_ascii());
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            codings += 1;
        }
    }
    if lengths.len() + codings > 1 {
        doubt.0.store(true, Ordering::Relaxed);
    }
    match &lengths[..] {
        [] if codings == 0 => At::Head(Vec::new()),
        [length] if codings == 0 => {
            let length = std::str::from_utf8(length).ok();
            match length.and_then(|length| length.parse().ok()) {
                Some(0) => At::Head(Vec::new()),
                Some(length) => At::Body(length),
                None => At::Over,
            }
        }
        _ => At::Over,
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Framed<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
        this.heads.read(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Framed<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
#[path = "framing_tests.rs"]
mod tests;
