//! The chain: lines that are written together end with a hash of themselves and of the hash before.

use std::fmt;

/// How a line ends that seals a group: `,"chain":"` and 64 digits and `"}`.
const MARK: &[u8] = b",\"chain\":\"";
const TAIL: usize = MARK.len() + 64 + 2;

/// What every line begins with.
const START: &[u8] = b"{\"line\":";

/// A group of this size is sealed, and another begun: longer ones are hashed no faster.
const GROUP: usize = 16 << 10;

/// How far a log goes: the number of its last line, and that line's hash.
///
/// It is written as the number and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The number of the last line, counted from 1.
    pub line: u64,
    pub(crate) hash: [u8; 32],
}

impl Head {
    /// Before the first line.
    pub(crate) const START: Self = Self {
        line: 0,
        hash: [0; 32],
    };

    /// Reads what [`Display`](fmt::Display) writes.
    pub fn parse(text: &str) -> Option<Self> {
        let (line, hash) = text.trim().split_once(' ')?;
        Some(Self {
            line: line.parse().ok()?,
            hash: *blake3::Hash::from_hex(hash.as_bytes()).ok()?.as_bytes(),
        })
    }

    /// Appends lines with these members and goes on to the last. They are hashed together: one hash of much takes a
    /// fraction of the time that many hashes of little take.
    pub(crate) fn seal<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>, out: &mut Vec<u8>) {
        let mut lines = lines.into_iter().peekable();
        let mut start = out.len();
        while let Some(members) = lines.next() {
            self.line += 1;
            out.extend_from_slice(START);
            out.extend_from_slice(itoa::Buffer::new().format(self.line).as_bytes());
            out.push(b',');
            out.extend_from_slice(members.as_bytes());
            if lines.peek().is_some() && out.len() - start < GROUP {
                out.extend_from_slice(b"}\n");
                continue;
            }
            self.hash = link(&self.hash, &out[start..]);
            out.extend_from_slice(MARK);
            out.extend_from_slice(hex(&self.hash).as_bytes());
            out.extend_from_slice(b"\"}\n");
            start = out.len();
        }
    }

    /// Where a log stands whose last line this is, if it seals a group. The line itself is believed.
    pub(crate) fn of_last(line: &[u8]) -> Option<Self> {
        let (body, hash) = open(line)?;
        Some(Self {
            line: number(body)?,
            hash,
        })
    }
}

/// Lines that are read one after another, and whether they are what was written.
pub(crate) struct Reading {
    /// The end of the last group.
    pub(crate) head: Head,
    /// The lines since then, which nothing vouches for yet.
    group: Vec<u8>,
    lines: u64,
}

impl Reading {
    /// Goes on after this line.
    pub(crate) fn after(head: Head) -> Self {
        Self {
            head,
            group: Vec::new(),
            lines: 0,
        }
    }

    /// Takes the next line, with its end. Once a line seals them, the lines that belong together are given to `sealed`.
    pub(crate) fn follow(&mut self, line: &[u8], sealed: impl FnMut(&[u8])) -> Result<(), Broken> {
        let number = number(line).ok_or(Broken::Unreadable)?;
        let expected = self.head.line + self.lines + 1;
        if number != expected {
            return Err(Broken::OutOfOrder {
                expected,
                found: number,
            });
        }
        self.lines += 1;
        let before = self.group.len();
        self.group.extend_from_slice(line);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let Some((body, hash)) = open(line) else {
            return match before {
                // Writers seal a group before it is this long.
                GROUP.. => Err(Broken::Changed { lines: self.lines }),
                _ => Ok(()),
            };
        };
        if link(&self.head.hash, &self.group[..before + body.len()]) != hash {
            return Err(Broken::Changed { lines: self.lines });
        }
        self.head = Head { line: number, hash };
        self.lines = 0;
        let lines = self.group.split(|byte| *byte == b'\n');
        lines.filter(|line| !line.is_empty()).for_each(sealed);
        self.group.clear();
        Ok(())
    }

    /// Lines that nothing vouches for.
    pub(crate) fn unsealed(&self) -> u64 {
        self.lines
    }
}

/// The last line that seals a group in the end of a log, without its line end, and where what follows it begins.
/// Nothing where what follows cannot have been written to a log.
pub(crate) fn last_sealed(tail: &[u8]) -> Option<(Option<&[u8]>, usize)> {
    let mut rest = tail.len();
    while let Some(end) = memchr::memrchr(b'\n', &tail[..rest]) {
        let start = memchr::memrchr(b'\n', &tail[..end]).map_or(0, |end| end + 1);
        if !may_be_torn(&tail[end + 1..rest]) {
            return None;
        }
        if open(&tail[start..end]).is_some() {
            return Some((Some(&tail[start..end]), end + 1));
        }
        rest = end;
    }
    may_be_torn(&tail[..rest]).then_some((None, 0))
}

/// Whether a writer that was killed may have left these bytes after the last sealed line: lines of a group that is not
/// sealed yet, and a part of a line.
pub(crate) fn is_torn(rest: &[u8]) -> bool {
    let mut lines = rest.split_inclusive(|byte| *byte == b'\n');
    lines.all(|line| match line.strip_suffix(b"\n") {
        // A sealed line would have continued the chain.
        Some(line) => may_be_torn(line) && open(line).is_none(),
        None => may_be_torn(line),
    })
}

/// Whether the first member after a line's number is this one. What clients write into a line comes later.
pub(crate) fn begins_with(line: &[u8], member: &str) -> bool {
    let rest = line.strip_prefix(START).unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = rest[digits..].strip_prefix(b",").unwrap_or_default();
    rest.strip_prefix(member.as_bytes())
        .is_some_and(|rest| matches!(rest.first(), None | Some(b',' | b'}')))
}

/// Bytes at the end of every sealed line, its line end included.
pub(crate) const SEAL: usize = TAIL + 1;

/// Whether these bytes end with the line whose hash this is.
pub(crate) fn ends_with(bytes: &[u8], head: Head) -> bool {
    let line = bytes.strip_suffix(b"\n").unwrap_or_default();
    open(line).is_some_and(|(_, hash)| hash == head.hash)
}

/// Whether this may be what is left of a line. Space that was never written to is read as zeros.
fn may_be_torn(line: &[u8]) -> bool {
    let begun = line.len().min(START.len());
    line[..begun] == START[..begun] || line.iter().all(|byte| *byte == 0)
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.line, hex(&self.hash))
    }
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Broken {
    /// It is not a line of an audit log.
    #[error("it is not a line of an audit log")]
    Unreadable,
    /// It is not the next one.
    #[error("line {expected} should be here, but this is line {found}")]
    OutOfOrder {
        /// The number that comes next.
        expected: u64,
        /// The number that is there.
        found: u64,
    },
    /// Its hash does not fit.
    #[error("{}", changed(*lines))]
    Changed {
        /// How many lines, up to this one, it vouches for.
        lines: u64,
    },
}

fn changed(lines: u64) -> String {
    match lines {
        1 => "it was changed, or the line before it was".to_owned(),
        lines => {
            format!(
                "one of the {lines} lines that end here was changed, or the line before them was"
            )
        }
    }
}

fn link(previous: &[u8; 32], body: &[u8]) -> [u8; 32] {
    *blake3::keyed_hash(previous, body).as_bytes()
}

/// What is hashed of a line, and its hash.
fn open(line: &[u8]) -> Option<(&[u8], [u8; 32])> {
    let at = line.len().checked_sub(TAIL)?;
    let (body, tail) = line.split_at(at);
    let digits = tail.strip_prefix(MARK)?.strip_suffix(b"\"}")?;
    // Upper-case digits would be another spelling of the same line.
    if digits.iter().any(u8::is_ascii_uppercase) {
        return None;
    }
    Some((body, *blake3::Hash::from_hex(digits).ok()?.as_bytes()))
}

fn number(body: &[u8]) -> Option<u64> {
    let rest = body.strip_prefix(START)?;
    let end = rest.iter().position(|byte| *byte == b',')?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

pub(crate) fn hex(hash: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*hash).to_string()
}
