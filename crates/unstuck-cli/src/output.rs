//! Where results are written: standard output, or a file that is complete or not there.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anstream::{AutoStream, ColorChoice, adapter::StripBytes};
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tempfile::NamedTempFile;
use unstuck_store::regular;
use unstuck_text::{Shown, quiet_json};

use crate::notes;

/// A place where a result is written.
pub(crate) enum Sink {
    Stdout(AutoStream<io::StdoutLock<'static>>),
    /// What is not a regular file, such as a pipe, cannot be replaced.
    Special(Plain<fs::File>),
    File {
        path: PathBuf,
        file: Plain<BufWriter<NamedTempFile>>,
    },
}

/// A writer without colours, unless `--color always` asks for them.
pub(crate) struct Plain<W> {
    inner: W,
    state: StripBytes,
}

impl Sink {
    /// Opens a file, or standard output where there is none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self::Stdout(anstream::stdout().lock()));
        };
        let cannot = || format!("cannot write {}", path.display());
        if path.is_dir() {
            bail!("{}: it is a directory", cannot());
        }
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = regular::open_other(path).with_context(cannot)?;
            return Ok(Self::Special(Plain::new(file)));
        }
        let directory = path.parent().filter(|parent| *parent != Path::new(""));
        let directory = directory.unwrap_or(Path::new("."));
        if !directory.is_dir() {
            bail!(
                "{}: there is no directory {}",
                cannot(),
                directory.display()
            );
        }
        let file = tempfile::Builder::new()
            .prefix(".unstuck-")
            .tempfile_in(directory)
            // The name of the temporary file would only confuse.
            .map_err(|error| io::Error::from(error.kind()))
            .with_context(cannot)?;
        Ok(Self::File {
            path: path.to_owned(),
            file: Plain::new(BufWriter::new(file)),
        })
    }

    /// Writes a JSON document whose text cannot act on a terminal.
    pub(crate) fn json(&mut self, value: &Value) -> Result<()> {
        let text = format!("{value:#}");
        writeln!(self, "{}", quiet_json(&text))?;
        Ok(())
    }

    /// Completes the result. A file appears only now.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut out) => out.flush()?,
            Self::Special(mut file) => file.flush()?,
            Self::File { path, file } => {
                let cannot = || format!("cannot write {}", path.display());
                let file = file.inner.into_inner();
                let file = file.map_err(io::IntoInnerError::into_error);
                let file = file.with_context(cannot)?;
                file.as_file().sync_all().with_context(cannot)?;
                file.persist(&path)
                    .map_err(|error| error.error)
                    .with_context(cannot)?;
                notes::print(format_args!("wrote {}", Shown::line(path.display())));
            }
        }
        Ok(())
    }
}

impl<W: Write> Plain<W> {
    fn new(inner: W) -> Self {
        Self {
            inner,
            state: StripBytes::new(),
        }
    }
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if ColorChoice::global() == ColorChoice::Always {
            self.inner.write_all(bytes)?;
        } else {
            for part in self.state.strip_next(bytes) {
                self.inner.write_all(part)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::Special(file) => file.write(bytes),
            Self::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::Special(file) => file.flush(),
            Self::File { file, .. } => file.flush(),
        }
    }
}
