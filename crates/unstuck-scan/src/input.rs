//! Bytes of files, whatever they are packed in.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
#[cfg(not(target_family = "wasm"))]
use unstuck_store::regular;
use unstuck_transcript::Format;

#[cfg(target_family = "wasm")]
use super::regular;
use super::{
    cut::{Cut, UpToCut, WholeBlocks},
    find::Source,
};

/// How long a stream is waited for before it is asked again whether to stop.
const LOOK: Duration = Duration::from_millis(100);

const GZIP: &[u8] = b"\x1f\x8b";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
const XZ: &[u8] = b"\xfd7zXZ\0";
/// Memory that a file packed with xz may ask for, in KiB: twice what its strongest preset needs.
const XZ_MEMORY: u32 = 128 << 10;
pub(super) const SQLITE: &[u8] = b"SQLite format 3\0";

/// What there is to read in a file.
pub(crate) enum Input<'a> {
    /// Bytes, unpacked, and whether the packed data ended too early.
    Bytes(Box<dyn Read + 'a>, Cut),
    /// A database, to be opened by its path.
    Database,
}

/// How far all files together have been read, and whether to stop.
#[derive(Debug, Default)]
pub struct Meter {
    bytes: AtomicU64,
    stopped: Stop,
    documents: Mutex<()>,
}

/// A request to stop, for those who cannot hold the meter.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Meter {
    /// Bytes that were read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Whole documents are read one at a time: each may be large, and several are more than a machine may have room for.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        crate::work::lock(&self.documents)
    }

    /// Stops the scan: files that are being read end here, and no other is begun.
    pub fn stop(&self) {
        self.stopped.0.store(true, Ordering::Relaxed);
    }

    /// Whether the scan is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_set()
    }

    /// A meter for files that are read again: it stops with this one, and counts for itself.
    pub(crate) fn again(&self) -> Self {
        Self {
            stopped: self.stopped.clone(),
            ..Self::default()
        }
    }

    #[cfg(feature = "sqlite")]
    pub(super) fn stop_flag(&self) -> &Stop {
        &self.stopped
    }
}

/// Opens a file and unpacks it as it is read.
pub(crate) fn open<'a>(source: &Source, meter: &'a Meter) -> io::Result<Input<'a>> {
    let file: Box<dyn Read + 'a> = match (source, stream(source, meter)) {
        (_, Some(stream)) => Box::new(stream),
        (Source::File(path) | Source::Pipe(path), None) => Box::new(regular::open(path)?),
        (Source::StandardInput, None) => Box::new(io::empty()),
        (Source::Bytes(_, bytes), None) => Box::new(Cursor::new(Arc::clone(bytes))),
    };
    let mut metered = Metered { file, meter };
    let mut head = Vec::with_capacity(SQLITE.len());
    metered
        .by_ref()
        .take(SQLITE.len() as u64)
        .read_to_end(&mut head)?;
    // A database is opened by its path. WebAssembly has none, and reports bytes of one as such.
    let is_database = cfg!(target_family = "wasm") || matches!(source, Source::File(_));
    if head == SQLITE && is_database {
        return Ok(Input::Database);
    }
    let packing = head.clone();
    let all = Cursor::new(head).chain(metered);
    let cut = Cut::default();
    let bytes: Box<dyn Read + 'a> = if packing.starts_with(GZIP) {
        Box::new(UpToCut {
            unpacked: MultiGzDecoder::new(all),
            program: "gzip",
            cut: cut.clone(),
        })
    } else if packing.starts_with(ZSTD) {
        match Zstd::new(WholeBlocks::new(all, cut.clone())) {
            Ok(unpacked) => Box::new(UpToCut {
                unpacked,
                program: "zstd",
                cut: cut.clone(),
            }),
            Err(error) => {
                cut.set("zstd", error.kind());
                Box::new(io::empty())
            }
        }
    } else if packing.starts_with(XZ) {
        Box::new(UpToCut {
            unpacked: XzReader::new_mem_limit(all, true, XZ_MEMORY),
            program: "xz",
            cut: cut.clone(),
        })
    } else {
        Box::new(all)
    };
    Ok(Input::Bytes(bytes, cut))
}

/// Opens a pipe, a device or standard input, so that waiting for it ends when the scan is stopped.
pub(crate) fn stream<'a>(source: &Source, meter: &'a Meter) -> Option<impl Read + use<'a>> {
    match source {
        Source::File(_) | Source::Bytes(..) => None,
        Source::Pipe(path) => {
            let path = path.clone();
            // A pipe without a writer is waited for when it is opened, too.
            let open = move || Ok(Box::new(File::open(path)?) as Box<dyn Read>);
            Some(Piped::new(open, meter))
        }
        Source::StandardInput => {
            let open = || Ok(Box::new(io::stdin()) as Box<dyn Read>);
            Some(Piped::new(open, meter))
        }
    }
}

/// The name of a file without its endings: what a session is called that has no name of its own.
pub(crate) fn stem(source: &Source) -> String {
    let path = match source {
        Source::File(path) | Source::Pipe(path) => path,
        Source::Bytes(name, _) => Path::new(&**name),
        Source::StandardInput => return String::new(),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut stem = &*name;
    for ending in PACKED {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    while let Some(inner) = without_ending(stem) {
        stem = inner;
    }
    // Some agents call all their files alike, and name the directory instead.
    let mut alike = Format::ALL
        .iter()
        .flat_map(|format| format.files_named_alike());
    let parent = path.parent().and_then(Path::file_name);
    match parent {
        Some(parent) if alike.any(|name| *name == stem) => parent.to_string_lossy().into_owned(),
        _ => stem.to_owned(),
    }
}

/// The name without one ending of a format. `None` if it has none.
fn without_ending(name: &str) -> Option<&str> {
    let mut endings = Format::ALL.iter().flat_map(|format| format.endings());
    endings.find_map(|ending| name.strip_suffix(ending))
}

/// Endings of packed files.
const PACKED: [&str; 3] = [".zst", ".gz", ".xz"];

/// A stream that may stand still, opened and read by a thread of its own, so that a scan that waits for it can be
/// stopped.
struct Piped<'a> {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    meter: &'a Meter,
}

impl<'a> Piped<'a> {
    fn new<R: Read>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        meter: &'a Meter,
    ) -> Self {
        let (sender, chunks) = mpsc::sync_channel(4);
        thread::spawn(move || {
            let mut stream = match open() {
                Ok(stream) => stream,
                Err(error) => {
                    // The receiver may have stopped waiting.
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            loop {
                let mut chunk = vec![0; 64 << 10];
                let read = match stream.read(&mut chunk) {
                    Ok(0) => return,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let failed = read.is_err();
                let sent = sender.send(read.map(|read| {
                    chunk.truncate(read);
                    chunk
                }));
                if failed || sent.is_err() {
                    return;
                }
            }
        });
        Self {
            chunks,
            chunk: Cursor::default(),
            meter,
        }
    }
}

impl Read for Piped<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.chunk.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.chunks.recv_timeout(LOOK) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) if !self.meter.is_stopped() => {}
                // The stream has ended, or the scan was stopped.
                Err(_) => return Ok(0),
            }
        }
    }
}

struct Metered<'a> {
    file: Box<dyn Read + 'a>,
    meter: &'a Meter,
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.meter.add(read as u64);
        Ok(read)
    }
}

/// Frames of zstd, one after the other: files that were appended to have several.
struct Zstd<R: Read> {
    frame: Option<StreamingDecoder<Pushed<R>, FrameDecoder>>,
}

/// A reader of which one byte was read too far.
struct Pushed<R> {
    byte: Option<u8>,
    rest: R,
}

impl<R: Read> Zstd<R> {
    fn new(rest: R) -> io::Result<Self> {
        let pushed = Pushed { byte: None, rest };
        let frame = StreamingDecoder::new(pushed).map_err(broken)?;
        Ok(Self { frame: Some(frame) })
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut frame) = self.frame.take() {
            let read = frame.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                self.frame = Some(frame);
                return Ok(read);
            }
            let mut rest = frame.into_inner();
            let mut first = [0];
            if rest.read(&mut first)? == 0 {
                break;
            }
            rest.byte = Some(first[0]);
            self.frame = Some(StreamingDecoder::new(rest).map_err(broken)?);
        }
        Ok(0)
    }
}

impl<R: Read> Read for Pushed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (buffer.first_mut(), self.byte.take()) {
            (Some(first), Some(byte)) => {
                *first = byte;
                Ok(1)
            }
            (_, byte) => {
                self.byte = byte;
                self.rest.read(buffer)
            }
        }
    }
}

fn broken(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
