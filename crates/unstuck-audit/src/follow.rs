//! Reading a log that other processes write.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

use crate::{
    chain::{self, Head, Reading, begins_with, hex, is_torn, last_sealed},
    files::{Create, LONGEST_LINE, Writes, numbers, open, open_log},
    kept::{Break, Kept, now},
    log::{BROKEN, RESUMED, ROTATED},
    verify::before,
};

/// Lines that were read from some place on.
#[derive(Debug)]
pub(crate) struct Followed {
    /// The last sealed line.
    pub(crate) head: Head,
    /// Where it ends.
    pub(crate) end: u64,
    /// Bytes after it that a killed process left.
    pub(crate) torn: u64,
    /// Whether it is the last line of a full file.
    pub(crate) rotated: bool,
}

/// Reads from this place, where this line ends, to the end of the file. `None` if the lines there do not continue the
/// chain, or mark the log as broken.
pub(crate) fn follow(mut file: &File, from: u64, after: Head) -> io::Result<Option<Followed>> {
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut reading = Reading::after(after);
    let mut followed = Followed {
        head: after,
        end: from,
        torn: 0,
        rotated: false,
    };
    let mut line = Vec::new();
    let mut place = from;
    let mut is_marked = false;
    loop {
        line.clear();
        let read = (&mut reader)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        place += read as u64;
        let sealed = |line: &[u8]| is_marked |= begins_with(line, BROKEN);
        if !line.ends_with(b"\n") || reading.follow(&line, sealed).is_err() {
            break;
        }
        if reading.unsealed() == 0 {
            followed.end = place;
            followed.rotated = begins_with(&line, ROTATED);
        }
    }
    followed.head = reading.head;
    if is_marked {
        return Ok(None);
    }
    followed.torn = size(file)?.saturating_sub(followed.end);
    if followed.torn > 0 {
        if followed.torn > 2 * LONGEST_LINE {
            return Ok(None);
        }
        let mut rest = Vec::new();
        file.seek(SeekFrom::Start(followed.end))?;
        file.take(followed.torn).read_to_end(&mut rest)?;
        if !is_torn(&rest) {
            return Ok(None);
        }
    }
    Ok(Some(followed))
}

/// Finds the place of the head in a log whose head file was written by an older version. `None` if it is not there.
pub(crate) fn with_length(kept: Kept, mut log: &File, path: &Path) -> io::Result<Option<Kept>> {
    let found = |length| {
        Ok(Some(Kept {
            length: Some(length),
            files: numbers(path).last().copied().unwrap_or(0),
            ..kept
        }))
    };
    if kept.head.line == 0 {
        return found(0);
    }
    log.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(log);
    let mut line = Vec::new();
    let mut reading: Option<Reading> = None;
    let mut place = 0;
    loop {
        line.clear();
        let read = (&mut reader)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        place += read as u64;
        let reading = reading.get_or_insert_with(|| Reading::after(before(&line)));
        if read == 0 || reading.follow(&line, |_| {}).is_err() {
            return Ok(None);
        }
        if reading.head == kept.head {
            return found(place);
        }
    }
}

/// Whether a file of the log begins with this line, written when a person closed a broken log.
pub(crate) fn resumes_at(path: &Path, line: u64) -> bool {
    let resumes = |path: &Path| -> io::Result<bool> {
        let mut first = Vec::new();
        BufReader::new(open_log(path)?)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut first)?;
        let mut reading = Reading::after(before(&first));
        let is_sealed = reading.follow(&first, |_| {}).is_ok() && reading.unsealed() == 0;
        Ok(is_sealed && reading.head.line == line && begins_with(&first, RESUMED))
    };
    let files = super::verify::log_files(path);
    files.iter().any(|file| resumes(file).unwrap_or(false))
}

/// Appends the line that marks a log as broken, if the file ends with a whole line and is not marked yet.
pub(crate) fn mark_line(file: &mut File, why: Break, last: Head) {
    let mut write = || -> io::Result<()> {
        let length = size(file)?;
        let tail = tail(file, length)?;
        let mut head = match last_sealed(&tail) {
            Some((Some(line), end)) if end == tail.len() && !begins_with(line, BROKEN) => {
                Head::of_last(line).ok_or(io::ErrorKind::InvalidData)?
            }
            Some((None, _)) if length == 0 => Head::START,
            _ => return Ok(()),
        };
        let mut sealed = Vec::new();
        let members = format!(
            "{BROKEN},\"what\":\"{}\",\"at\":{},\"last_line\":{},\"last_chain\":\"{}\"",
            why.as_str(),
            now(),
            last.line,
            hex(&last.hash)
        );
        head.seal([&*members], &mut sealed);
        file.write_all(&sealed)?;
        file.sync_data()
    };
    // The head file says the same.
    let _ = write();
}

/// The last sealed line of a log; `None` if there is none. It is an error if the file is not a log.
pub(crate) fn last_head(file: &mut File) -> io::Result<Option<Head>> {
    let foreign = || io::Error::other("its last line is not a line of an audit log");
    let length = size(file)?;
    let tail = tail(file, length)?;
    let (last, _) = last_sealed(&tail).ok_or_else(foreign)?;
    match last {
        None if length > LONGEST_LINE => Err(foreign()),
        None => Ok(None),
        Some(line) => Head::of_last(line).map(Some).ok_or_else(foreign),
    }
}

pub(crate) fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match open(path, Create::Never, Writes::AtEnd) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The last sealed line of the log at this path, if it can be read.
pub(crate) fn last_head_at(path: &Path) -> Option<Head> {
    last_head(&mut open_log(path).ok()?).ok().flatten()
}

pub(crate) fn size(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.len())
}

/// Whether the line that ends at this place is the one with this hash.
pub(crate) fn ends_at(mut file: &File, place: u64, head: Head) -> io::Result<bool> {
    let length = place.min(chain::SEAL as u64);
    file.seek(SeekFrom::Start(place - length))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(chain::ends_with(&bytes, head))
}

fn tail(file: &mut File, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_LINE)))?;
    let mut tail = Vec::new();
    file.take(LONGEST_LINE.min(length)).read_to_end(&mut tail)?;
    Ok(tail)
}
