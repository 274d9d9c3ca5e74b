//! The chain: every line carries a hash of itself and of the one before.

use std::fmt;

/// How a chained line ends: `,"chain":"` and 64 digits and `"}`.
const MARK: &[u8] = b",\"chain\":\"";
const TAIL: usize = MARK.len() + 64 + 2;

/// How far a log goes: the number of its last line, and that line's hash.
///
/// It is written as the number and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The number of the last line, counted from 1.
    pub line: u64,
    pub(super) hash: [u8; 32],
}

impl Head {
    /// Before the first line.
    pub(super) const START: Self = Self {
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

    /// Appends a line with these members and goes on to it.
    pub(super) fn seal(&mut self, members: &str, out: &mut Vec<u8>) {
        self.line += 1;
        let start = out.len();
        out.extend_from_slice(b"{\"line\":");
        out.extend_from_slice(itoa::Buffer::new().format(self.line).as_bytes());
        out.push(b',');
        out.extend_from_slice(members.as_bytes());
        self.hash = link(&self.hash, &out[start..]);
        out.extend_from_slice(MARK);
        let digits = out.len();
        out.resize(digits + 64, 0);
        write_hex(&self.hash, &mut out[digits..]);
        out.extend_from_slice(b"\"}\n");
    }

    /// Goes on to a line that is written, without its line end, if it is the next one.
    pub(super) fn follow(&mut self, line: &[u8]) -> Result<(), Broken> {
        let (body, hash) = open(line).ok_or(Broken::Unreadable)?;
        let number = number(body).ok_or(Broken::Unreadable)?;
        if number != self.line + 1 {
            return Err(Broken::OutOfOrder {
                expected: self.line + 1,
                found: number,
            });
        }
        if link(&self.hash, body) != hash {
            return Err(Broken::Changed);
        }
        *self = Self { line: number, hash };
        Ok(())
    }

    /// Where a log stands whose last line this is. The line itself is believed.
    pub(super) fn of_last(line: &[u8]) -> Option<Self> {
        let (body, hash) = open(line)?;
        Some(Self {
            line: number(body)?,
            hash,
        })
    }
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
    /// It is no line of an audit log.
    #[error("it is no line of an audit log")]
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
    #[error("it was changed, or the line before it was")]
    Changed,
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
    let rest = body.strip_prefix(b"{\"line\":")?;
    let end = rest.iter().position(|byte| *byte == b',')?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

pub(super) fn hex(hash: &[u8; 32]) -> impl fmt::Display {
    blake3::Hash::from_bytes(*hash).to_hex()
}

/// What [`hex`] gives, without the detour: every line ends with it.
fn write_hex(hash: &[u8; 32], out: &mut [u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (digits, byte) in out.chunks_exact_mut(2).zip(hash) {
        digits[0] = DIGITS[usize::from(byte >> 4)];
        digits[1] = DIGITS[usize::from(byte & 15)];
    }
}
