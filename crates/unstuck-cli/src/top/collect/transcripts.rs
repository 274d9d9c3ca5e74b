//! Agents without hooks: what they record, followed as it grows.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use unstuck_scan::{Candidate, Follow, Found, Memory, Scan, Source as FileSource, directory_of};
use unstuck_session::clock;
use unstuck_store::About;

use crate::top::model::{Agent, Key, Source};

/// Files that are looked at, the newest ones. A follower holds as many.
const MAX_FILES: usize = 64;

/// New files are looked for every so many looks.
const SEARCH: u64 = 5;

/// A file that is not a list of lines is read from its beginning whenever it changes. Large ones therefore not at every look, but
/// at every so many looks as they have this many bytes.
const AT_ONCE: u64 = 4 << 20;

pub(super) struct Transcripts<'a> {
    scan: &'a Scan,
    follow: Follow<'a>,
    found: Found,
    looks: u64,
    /// Files of this look that are still to be looked at, the newest last.
    queue: Vec<Candidate>,
    /// Recent files beyond those that are looked at.
    left_out: usize,
    /// What was known of each file when it was last read.
    read: BTreeMap<PathBuf, File>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct File {
    size: u64,
    written: Option<SystemTime>,
    directory: Option<Box<str>>,
    agents: Vec<Arc<About>>,
}

impl<'a> Transcripts<'a> {
    pub(super) fn new(scan: &'a Scan) -> Self {
        Self {
            scan,
            follow: Follow::new(scan, Memory::Activities),
            found: Found::default(),
            looks: 0,
            queue: Vec::new(),
            left_out: 0,
            read: BTreeMap::new(),
        }
    }

    /// Begins a look: finds out which files have changed.
    pub(super) fn begin(&mut self, since: i64) {
        if self.looks.is_multiple_of(SEARCH) {
            self.found = self.scan.find();
        } else {
            self.found.refresh();
        }
        self.looks += 1;
        let mut files: Vec<_> = self.found.files.iter().cloned().map(with_log).collect();
        files.retain(|file| file.is_newer(since));
        files.sort_by_key(|file| Reverse(file.modified));
        self.left_out = files.len().saturating_sub(MAX_FILES);
        files.truncate(MAX_FILES);
        let kept: BTreeSet<_> = files.iter().filter_map(path).collect();
        self.read.retain(|path, _| kept.contains(&**path));
        let looks = self.looks;
        let read = &self.read;
        let mut queue: Vec<_> = files
            .iter()
            .filter(|file| {
                let known = path(file).and_then(|path| read.get(path));
                known.is_none_or(|known| {
                    (known.size, known.written) != (file.size, file.modified)
                        && (is_lines(file) || looks.is_multiple_of(file.size / AT_ONCE + 1))
                })
            })
            .cloned()
            .collect();
        queue.reverse();
        self.queue = queue;
    }

    /// Reads one of the files that have changed, if there is one left.
    pub(super) fn read_one(&mut self) -> bool {
        let Some(candidate) = self.queue.pop() else {
            return false;
        };
        self.follow.look(std::slice::from_ref(&candidate));
        let Some(path) = path(&candidate) else {
            return true;
        };
        let before = self.read.remove(path);
        let directory = before
            .and_then(|known| known.directory)
            .or_else(|| directory_of(&candidate.source));
        let agents = self.agents_of(path, &candidate, directory.as_deref());
        let file = File {
            size: candidate.size,
            written: candidate.modified,
            directory,
            agents,
        };
        self.read.insert(path.to_owned(), file);
        true
    }

    /// Files that are still to be read.
    pub(super) fn unread(&self) -> usize {
        self.queue.len()
    }

    /// Recent files that are not looked at, because there are too many.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    /// All agents, each once: a session that goes on in another file is one session.
    pub(super) fn agents(&self) -> Vec<Agent> {
        let mut agents: BTreeMap<Key, Agent> = BTreeMap::new();
        for about in self.read.values().flat_map(|file| &file.agents) {
            let agent = Agent {
                about: Arc::clone(about),
                source: Source::Transcript,
            };
            let newer = agents
                .get(&agent.key())
                .is_none_or(|known| known.about.last_seen < about.last_seen);
            if newer {
                agents.insert(agent.key(), agent);
            }
        }
        agents.into_values().collect()
    }

    fn agents_of(
        &self,
        path: &Path,
        candidate: &Candidate,
        directory: Option<&str>,
    ) -> Vec<Arc<About>> {
        let written = candidate.modified.map_or(0, clock::milliseconds);
        let all = self.follow.agents(path);
        all.filter(|(_, about)| about.calls > 0)
            .map(|(format, mut about)| {
                about.host = format.agent().into();
                about.directory = directory.map(Into::into);
                if about.last_seen == 0 {
                    about.last_seen = written;
                }
                Arc::new(about)
            })
            .collect()
    }
}

fn path(candidate: &Candidate) -> Option<&Path> {
    match &candidate.source {
        FileSource::File(path) => Some(path),
        _ => None,
    }
}

/// Is it read on from where it ended?
fn is_lines(candidate: &Candidate) -> bool {
    path(candidate).is_some_and(|path| path.extension().is_some_and(|end| end == "jsonl"))
}

/// A database is as new as the log beside it, where what was written last stands.
fn with_log(mut candidate: Candidate) -> Candidate {
    let log = path(&candidate)
        .filter(|path| path.extension().is_some_and(|end| end == "db"))
        .map(|path| path.with_extension("db-wal"));
    if let Some(found) = log.and_then(|log| fs::metadata(log).ok()) {
        candidate.size += found.len();
        candidate.modified = candidate.modified.max(found.modified().ok());
    }
    candidate
}
