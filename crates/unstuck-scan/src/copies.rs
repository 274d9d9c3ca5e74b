//! Files that repeat others: byte for byte, or with the same messages, as a session does that was resumed or forked.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    fs::File,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, Read, Seek as _, SeekFrom},
    path::Path,
};

#[cfg(not(target_family = "wasm"))]
use unstuck_store::regular;

#[cfg(target_family = "wasm")]
use super::regular;
use super::{
    content::Content,
    find::{Candidate, Source},
    once::{Plan, RunMarks},
};

/// Bytes at the start and at the end that are compared first.
const ENDS: usize = 4 << 10;
const CHUNK: usize = 64 << 10;

/// Files that have the size of another one, by their numbers: only those can be equal.
pub(super) fn of_equal_size(files: &[Candidate]) -> Vec<usize> {
    let mut sizes: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, file) in files.iter().enumerate() {
        if file.size > 0 && matches!(file.source, Source::File(_)) {
            sizes.entry(file.size).or_default().push(at);
        }
    }
    let mut equal: Vec<usize> = sizes
        .into_values()
        .filter(|group| group.len() > 1)
        .flatten()
        .collect();
    equal.sort_unstable();
    equal
}

/// Differs for most files that differ: made of the first and the last bytes. `None` if the file cannot be read, or if
/// there is nothing in it: such a file is empty, and not a copy.
pub(super) fn print(file: &Candidate) -> Option<u64> {
    let mut opened = open(file).ok()?;
    let mut ends = Vec::new();
    opened
        .by_ref()
        .take(ENDS as u64)
        .read_to_end(&mut ends)
        .ok()?;
    opened
        .seek(SeekFrom::Start(file.size.saturating_sub(ENDS as u64)))
        .ok()?;
    opened.take(ENDS as u64).read_to_end(&mut ends).ok()?;
    if Content::of(&ends) == Content::Empty {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (file.size, ends).hash(&mut hasher);
    Some(hasher.finish())
}

/// For each file that is equal to another one, the first of them by name. Only files with equal prints are compared.
pub(super) fn equal(files: &[Candidate], prints: &[(usize, u64)]) -> BTreeMap<usize, usize> {
    let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, print) in prints {
        groups.entry(*print).or_default().push(*at);
    }
    let mut copies = BTreeMap::new();
    for mut group in groups.into_values() {
        group.sort_by(|one, other| files[*one].name.cmp(&files[*other].name));
        let mut originals: Vec<usize> = Vec::new();
        for at in group {
            let same =
                |original: &&usize| is_equal(&files[**original], &files[at]).unwrap_or(false);
            match originals.iter().find(same) {
                Some(original) => {
                    copies.insert(at, *original);
                }
                None => originals.push(at),
            }
        }
    }
    copies
}

fn open(file: &Candidate) -> io::Result<File> {
    match &file.source {
        Source::File(path) => regular::open(path),
        Source::Pipe(_) | Source::StandardInput | Source::Bytes(..) => regular::open(Path::new("")),
    }
}

fn is_equal(one: &Candidate, other: &Candidate) -> io::Result<bool> {
    let (mut one, mut other) = (open(one)?, open(other)?);
    let (mut left, mut right) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    loop {
        left.clear();
        right.clear();
        one.by_ref().take(CHUNK as u64).read_to_end(&mut left)?;
        other.by_ref().take(CHUNK as u64).read_to_end(&mut right)?;
        if left != right {
            return Ok(false);
        }
        if left.is_empty() {
            return Ok(true);
        }
    }
}

/// What has to be left out of a file because another one has it.
#[derive(Debug)]
pub(super) struct Repeats {
    pub(super) plan: Plan,
    /// A file that has the first message that is left out.
    pub(super) owner: usize,
}

/// One run of one file.
struct Known<'a> {
    file: usize,
    run: &'a RunMarks,
    size: usize,
}

/// Finds messages that several files have, and decides which file keeps them: the run with most messages, then the first
/// by name. The result depends on the files alone, not on the order they are given in or were read in.
pub(super) fn repeats(files: &[Candidate], marks: &[Vec<RunMarks>]) -> BTreeMap<usize, Repeats> {
    let shared = shared(marks);
    if shared.is_empty() {
        return BTreeMap::new();
    }
    let mut runs: Vec<Known<'_>> = Vec::new();
    for (file, of_file) in marks.iter().enumerate() {
        runs.extend(of_file.iter().map(|run| Known {
            file,
            run,
            size: run.marks.len(),
        }));
    }
    runs.retain(|known| known.run.marks.iter().any(|mark| shared.contains(mark)));
    runs.sort_by(|one, other| {
        // What can be read once only keeps what it has.
        let again = |known: &Known<'_>| matches!(files[known.file].source, Source::File(_));
        let rank = |known: &Known<'_>| (again(known), Reverse(known.size));
        rank(one)
            .cmp(&rank(other))
            .then_with(|| files[one.file].name.cmp(&files[other.file].name))
            .then_with(|| one.run.key.cmp(&other.run.key))
    });
    let mut owners: HashMap<u64, usize> = HashMap::new();
    let mut repeats: BTreeMap<usize, Repeats> = BTreeMap::new();
    for known in runs {
        let owned = |mark: &u64| owners.get(mark).filter(|owner| **owner != known.file);
        let first = known.run.marks.iter().find_map(owned).copied();
        if let Some(owner) = first
            && matches!(files[known.file].source, Source::File(_))
        {
            let flags = flags(&known.run.marks, |mark| owned(&mark).is_some());
            let of_file = repeats.entry(known.file).or_insert_with(|| Repeats {
                plan: Plan::new(),
                owner,
            });
            of_file.plan.insert(known.run.key.clone(), flags);
        }
        for mark in &known.run.marks {
            if shared.contains(mark) {
                owners.entry(*mark).or_insert(known.file);
            }
        }
    }
    repeats
}

/// Marks that are in more than one file.
fn shared(marks: &[Vec<RunMarks>]) -> HashSet<u64> {
    let runs = marks.iter().enumerate();
    let mut all: Vec<(u64, usize)> = runs
        .flat_map(|(file, runs)| runs.iter().map(move |run| (file, run)))
        .flat_map(|(file, run)| run.marks.iter().map(move |mark| (*mark, file)))
        .filter(|(mark, _)| *mark > 0)
        .collect();
    all.sort_unstable();
    all.dedup();
    let pairs = all.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    pairs.map(|pair| pair[0].0).collect()
}

/// Which of a run's calls and texts are left out. One without a mark has the fate of the next that has one, and behind
/// the last of those its fate.
fn flags(marks: &[u64], is_repeated: impl Fn(u64) -> bool) -> Vec<bool> {
    let mut flags = vec![false; marks.len()];
    let last = marks.iter().rev().find(|mark| **mark > 0);
    let mut fate = last.is_some_and(|mark| is_repeated(*mark));
    for (flag, mark) in flags.iter_mut().zip(marks).rev() {
        if *mark > 0 {
            fate = is_repeated(*mark);
        }
        *flag = fate;
    }
    flags
}
