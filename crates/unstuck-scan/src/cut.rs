//! Packed data that is cut off or damaged is read up to that point.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

/// Whether packed data ended too early, to be asked after it was read.
#[derive(Clone, Debug, Default)]
pub struct Cut(Rc<Cell<Option<Damage>>>);

#[derive(Clone, Copy, Debug)]
struct Damage {
    program: &'static str,
    kind: io::ErrorKind,
}

impl Cut {
    /// What is wrong with the packed data, in words.
    pub fn sentence(&self) -> Option<String> {
        let Damage { program, kind } = self.0.get()?;
        let what = match kind {
            io::ErrorKind::UnexpectedEof => "is cut off",
            _ => "is damaged",
        };
        Some(format!(
            "The {program} data {what}; everything before that point was read."
        ))
    }

    pub(super) fn set(&self, program: &'static str, kind: io::ErrorKind) {
        if self.0.get().is_none() {
            self.0.set(Some(Damage { program, kind }));
        }
    }
}

/// Ends where unpacking fails, and remembers it.
pub(super) struct UpToCut<R> {
    pub(super) unpacked: R,
    pub(super) program: &'static str,
    pub(super) cut: Cut,
}

impl<R: Read> Read for UpToCut<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        match self.unpacked.read(buffer) {
            Err(error)
                if matches!(
                    error.kind(),
                    UnexpectedEof | InvalidData | InvalidInput | Other
                ) =>
            {
                self.cut.set(self.program, error.kind());
                Ok(0)
            }
            read => read,
        }
    }
}

/// The last block of a frame of zstd: raw, without content.
const LAST_BLOCK: [u8; 3] = [1, 0, 0];
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Frames of zstd with whole blocks only.
///
/// A decoder keeps what it has unpacked until it is out of the frame's window or the frame ends, so a frame that is cut
/// off within its first megabytes would give nothing. Here such a frame ends behind its last whole block.
pub(super) struct WholeBlocks<R> {
    packed: R,
    ready: Vec<u8>,
    given: usize,
    state: State,
    cut: Cut,
}

#[derive(Clone, Copy)]
enum State {
    Frame,
    Block {
        has_checksum: bool,
    },
    /// Not zstd: passed on as it is, for the decoder to reject.
    Foreign,
    Ended,
}

impl<R: Read> WholeBlocks<R> {
    pub(super) fn new(packed: R, cut: Cut) -> Self {
        Self {
            packed,
            ready: Vec::new(),
            given: 0,
            state: State::Frame,
            cut,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        match self.state {
            State::Frame => self.frame(),
            State::Block { has_checksum } => self.block(has_checksum),
            State::Foreign => self.take(1 << 16).map(|_| ()),
            State::Ended => Ok(()),
        }
    }

    /// Adds so many bytes, or as many as there are; whether that was all of them.
    fn take(&mut self, bytes: usize) -> io::Result<bool> {
        let limit = bytes as u64;
        let read = self
            .packed
            .by_ref()
            .take(limit)
            .read_to_end(&mut self.ready)?;
        Ok(read == bytes)
    }

    fn frame(&mut self) -> io::Result<()> {
        if !self.take(5)? {
            self.state = State::Ended;
            if !self.ready.is_empty() {
                self.cut.set("zstd", io::ErrorKind::UnexpectedEof);
                self.ready.clear();
            }
            return Ok(());
        }
        if self.ready[..4] != MAGIC {
            self.state = State::Foreign;
            return Ok(());
        }
        let descriptor = self.ready[4];
        let single_segment = descriptor & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size = match descriptor >> 6 {
            0 => usize::from(single_segment),
            flag => 1 << flag,
        };
        let more = usize::from(!single_segment) + dictionary + size;
        if !self.take(more)? {
            self.state = State::Ended;
            self.cut.set("zstd", io::ErrorKind::UnexpectedEof);
            self.ready.clear();
            return Ok(());
        }
        self.state = State::Block {
            has_checksum: descriptor & 4 != 0,
        };
        Ok(())
    }

    fn block(&mut self, has_checksum: bool) -> io::Result<()> {
        let mut whole = self.take(3)?;
        let mut last = false;
        if whole {
            let header = u32::from_le_bytes([self.ready[0], self.ready[1], self.ready[2], 0]);
            last = header & 1 != 0;
            let size = match header >> 1 & 3 {
                // One byte stands for many.
                1 => 1,
                _ => (header >> 3) as usize,
            };
            whole = self.take(size)?;
        }
        if !whole {
            self.cut.set("zstd", io::ErrorKind::UnexpectedEof);
            self.ready.clear();
            self.ready.extend(LAST_BLOCK);
            self.state = State::Ended;
        } else if last {
            self.state = State::Frame;
        }
        if has_checksum && (last || !whole) {
            let end = self.ready.len() + 4;
            if whole && !self.take(4)? {
                self.cut.set("zstd", io::ErrorKind::UnexpectedEof);
                self.state = State::Ended;
            }
            self.ready.resize(end, 0);
        }
        Ok(())
    }
}

impl<R: Read> Read for WholeBlocks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.fill()?;
        }
        let read = (&self.ready[self.given..]).read(buffer)?;
        self.given += read;
        Ok(read)
    }
}
