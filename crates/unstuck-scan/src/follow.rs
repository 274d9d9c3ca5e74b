//! `--watch`: files that grow, and what is found in them as they do.

use std::{
    collections::BTreeMap,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use unstuck::event::MAX_LINE_BYTES;
use unstuck_store::About;
use unstuck_store::regular;
use unstuck_transcript::{Format, Layout, Origin, Sink as _, Transcript};

use super::{
    file_replay::{FileReplay, Told},
    find::{Candidate, Source},
    input,
    read::{self, Ending, Wanted},
    scan::Scan,
};

/// Files that are followed at the same time. Another one that grows takes the place of the one that was silent longest.
const MAX_FOLLOWED: usize = 64;
/// Bytes that are read at once.
const CHUNK: usize = 256 << 10;
/// What a format is recognised by.
const HEAD: usize = 256 << 10;

/// Follows files.
pub struct Follow<'a> {
    scan: &'a Scan,
    memory: Memory,
    /// How long every file was when it was last looked at.
    lengths: BTreeMap<PathBuf, Length>,
    followed: BTreeMap<PathBuf, Followed<'a>>,
    turns: u64,
}

/// Whether what agents do is remembered, or only the verdicts are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Only verdicts are reported.
    Verdicts,
    /// What agents do is remembered as well.
    Activities,
}

#[derive(Clone, Copy)]
struct Length {
    bytes: u64,
    /// Documents are written anew; their length may stay the same.
    modified: Option<std::time::SystemTime>,
}

/// One file that has grown.
struct Followed<'a> {
    format: Option<Format>,
    transcript: Option<Transcript>,
    replay: FileReplay<'a>,
    read: u64,
    /// What was read of a line whose end has not come.
    line: Vec<u8>,
    number: u64,
    /// The line is over the limit, and what comes of it is thrown away.
    overlong: bool,
    /// Things said about a document the last time.
    told: usize,
    turn: u64,
}

/// What a file had to say.
#[derive(Debug)]
#[non_exhaustive]
pub struct News {
    /// The file.
    pub path: PathBuf,
    /// What its agents would have been told since the last look.
    pub told: Vec<Told>,
}

impl<'a> Follow<'a> {
    /// Follows files that are read as this scan reads them.
    pub fn new(scan: &'a Scan, memory: Memory) -> Self {
        Self {
            scan,
            memory,
            lengths: BTreeMap::new(),
            followed: BTreeMap::new(),
            turns: 0,
        }
    }

    /// Remembers files as they are: what is in them already is not reported.
    pub fn begin(&mut self, files: &[Candidate]) {
        for candidate in files {
            if let Source::File(path) = &candidate.source {
                self.lengths.insert(path.clone(), Length::of(candidate));
            }
        }
    }

    /// Looks at files again. A file that was not there before is news from its beginning.
    pub fn look(&mut self, files: &[Candidate]) -> Vec<News> {
        self.turns += 1;
        let mut news = Vec::new();
        for candidate in files {
            let Source::File(path) = &candidate.source else {
                continue;
            };
            let now = Length::of(candidate);
            let before = self.lengths.insert(path.clone(), now);
            let old = before.map_or(0, |before| before.bytes);
            let changed = before
                .is_none_or(|before| before.bytes != now.bytes || before.modified != now.modified);
            if !changed {
                continue;
            }
            // What cannot be read now may be readable the next time.
            if let Ok(told) = self.grown(path, candidate, old)
                && !told.is_empty()
            {
                news.push(News {
                    path: path.clone(),
                    told,
                });
            }
        }
        self.lengths.retain(|path, _| path.exists());
        let lengths = &self.lengths;
        self.followed.retain(|path, _| lengths.contains_key(path));
        news
    }

    /// What the agents of a file did, where that is remembered.
    pub fn agents(&self, path: &Path) -> impl Iterator<Item = (Format, About)> {
        let followed = self.followed.get(path);
        let read = followed.and_then(|followed| Some((followed.format?, &followed.replay)));
        read.into_iter()
            .flat_map(|(format, replay)| replay.agents().map(move |about| (format, about)))
    }

    fn grown(&mut self, path: &Path, candidate: &Candidate, old: u64) -> io::Result<Vec<Told>> {
        // A file that became shorter is another file.
        let old = if candidate.size < old { 0 } else { old };
        if old == 0 {
            self.followed.remove(path);
        }
        if !self.followed.contains_key(path) {
            self.make_room();
            let followed = Followed::new(replay(self.scan, self.memory));
            self.followed.insert(path.to_owned(), followed);
        }
        let (scan, turn) = (self.scan, self.turns);
        let wanted = |format| scan.wants(format);
        let afresh = || replay(scan, self.memory);
        let Some(followed) = self.followed.get_mut(path) else {
            return Ok(Vec::new());
        };
        followed.turn = turn;
        if followed.transcript.is_none() {
            let mut head = Vec::new();
            let file = regular::open(path)?;
            file.take(HEAD as u64).read_to_end(&mut head)?;
            let format = Format::detect(&head).filter(|format| wanted(*format));
            let whole = format.map(Format::layout) == Some(Layout::Document);
            // A database is read like a document, and says itself what is in it.
            if whole || head.starts_with(input::SQLITE) {
                return Ok(followed.document(candidate, (afresh(), &wanted), old));
            }
            let Some(format) = format else {
                return Ok(Vec::new());
            };
            followed.format = Some(format);
            let origin = Origin {
                session: input::stem(&candidate.source).into(),
            };
            followed.transcript = Some(Transcript::new(format, &origin));
        }
        followed.read_on(path, old)
    }

    fn make_room(&mut self) {
        while self.followed.len() >= MAX_FOLLOWED {
            let oldest = self.followed.iter().min_by_key(|(_, one)| one.turn);
            let Some(path) = oldest.map(|(path, _)| path.clone()) else {
                return;
            };
            self.followed.remove(&path);
        }
    }
}

impl Length {
    fn of(candidate: &Candidate) -> Self {
        Self {
            bytes: candidate.size,
            modified: candidate.modified,
        }
    }
}

impl<'a> Followed<'a> {
    fn new(replay: FileReplay<'a>) -> Self {
        Self {
            format: None,
            transcript: None,
            replay,
            read: 0,
            line: Vec::new(),
            number: 0,
            overlong: false,
            told: 0,
            turn: 0,
        }
    }

    /// Reads what is new. What was there before is read as well, once, because loops begin there; but nothing is said
    /// about it.
    fn read_on(&mut self, path: &Path, old: u64) -> io::Result<Vec<Told>> {
        let mut file = regular::open(path)?;
        file.seek(SeekFrom::Start(self.read))?;
        let mut chunk = vec![0; CHUNK];
        loop {
            if self.read >= old {
                self.replay.listen();
            }
            // Up to where news begins, and not further.
            let limit = old.checked_sub(self.read).filter(|left| *left > 0);
            let limit = limit.map_or(CHUNK, |left| CHUNK.min(left as usize));
            let read = file.read(&mut chunk[..limit])?;
            if read == 0 {
                return Ok(self.replay.take_told());
            }
            self.read += read as u64;
            self.take(&chunk[..read]);
        }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.keep(&bytes[..end]);
            bytes = &bytes[end + 1..];
            self.number += 1;
            if let (false, Some(transcript)) = (self.overlong, &mut self.transcript) {
                transcript.line(self.number, &self.line, &mut self.replay);
            }
            self.overlong = false;
            self.line.clear();
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.line.len() + bytes.len() > MAX_LINE_BYTES {
            if !self.overlong {
                let length = self.line.len() + bytes.len();
                self.replay.problem(read::too_long(self.number + 1, length));
            }
            self.overlong = true;
            self.line = Vec::new();
        }
        if !self.overlong {
            self.line.extend_from_slice(bytes);
        }
    }

    /// A document is written anew whenever it grows, so all of it is read again; what was reported before is not reported again.
    fn document(
        &mut self,
        candidate: &Candidate,
        (mut replay, wanted): (FileReplay<'a>, Wanted<'_>),
        old: u64,
    ) -> Vec<Told> {
        replay.listen();
        let meter = input::Meter::default();
        let Ending::Read(format) = read::read(candidate, wanted, &meter, &mut replay) else {
            return Vec::new();
        };
        let mut told = replay.take_told();
        self.format = Some(format);
        self.replay = replay;
        // Of a document that was there before the watch began it is not known what was in it.
        let known = if old > 0 && self.told == 0 && self.read == 0 {
            told.len().saturating_sub(1)
        } else {
            self.told
        };
        self.told = told.len();
        self.read = 1;
        told.drain(..known.min(told.len()));
        told
    }
}

fn replay(scan: &Scan, memory: Memory) -> FileReplay<'_> {
    let mut replay = FileReplay::new(&scan.settings, &scan.prices);
    if memory == Memory::Activities {
        replay.remember();
    }
    replay
}
