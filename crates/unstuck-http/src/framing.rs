//! A connection whose heads are checked before the HTTP library reads them, and whose peer must take what is written.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use crate::heads::{Fault, Heads};

/// Bytes of a head that are read at once.
const CHUNK: usize = 4 << 10;

/// A connection with checked heads.
pub(crate) struct Framed<S> {
    stream: S,
    heads: Heads,
    faults: Faults,
    /// How long the peer may take nothing of what is written.
    patience: Duration,
    /// Runs while the peer takes nothing.
    stall: Option<Pin<Box<Sleep>>>,
}

/// What is wrong with a head of a connection, for the service that answers its requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Arc<AtomicU8>);

impl Faults {
    pub(crate) fn get(&self) -> Option<Fault> {
        match self.0.load(Ordering::Relaxed) {
            1 => Some(Fault::Lengths),
            2 => Some(Fault::TooLong),
            3 => Some(Fault::BlankLines),
            _ => None,
        }
    }

    fn set(&self, fault: Option<Fault>) {
        let number = match fault {
            None => return,
            Some(Fault::Lengths) => 1,
            Some(Fault::TooLong) => 2,
            Some(Fault::BlankLines) => 3,
        };
        self.0.store(number, Ordering::Relaxed);
    }
}

impl<S> Framed<S> {
    pub(crate) fn new(stream: S, patience: Duration) -> (Self, Faults) {
        let faults = Faults::default();
        let framed = Self {
            stream,
            heads: Heads::default(),
            faults: faults.clone(),
            patience,
            stall: None,
        };
        (framed, faults)
    }

    /// Fails a write that has waited too long. Otherwise a peer that reads nothing would hold its memory for ever.
    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stall = None;
            return written;
        }
        let stall = self
            .stall
            .get_or_insert_with(|| Box::pin(sleep(self.patience)));
        ready!(stall.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Framed<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            let waiting = this.heads.ready();
            if !waiting.is_empty() {
                let taken = waiting.len().min(buffer.remaining());
                buffer.put_slice(&waiting[..taken]);
                this.heads.consume(taken);
                return Poll::Ready(Ok(()));
            }
            if this.heads.is_refused() {
                // The answer closes the connection.
                return Poll::Pending;
            }
            let direct = usize::try_from(this.heads.direct()).unwrap_or(usize::MAX);
            if direct > 0 {
                let room = direct.min(buffer.remaining());
                let mut part = ReadBuf::new(buffer.initialize_unfilled_to(room));
                ready!(Pin::new(&mut this.stream).poll_read(context, &mut part))?;
                let read = part.filled().len();
                buffer.advance(read);
                this.heads.passed(read);
                return Poll::Ready(Ok(()));
            }
            let mut chunk = [0; CHUNK];
            let mut part = ReadBuf::new(&mut chunk);
            ready!(Pin::new(&mut this.stream).poll_read(context, &mut part))?;
            if part.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            this.heads.push(part.filled());
            this.faults.set(this.heads.fault());
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Framed<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, written)
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
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
