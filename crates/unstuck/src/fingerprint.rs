//! Fingerprints: identities of calls, results and texts.
//!
//! Scheme 1 is a keyed BLAKE3 of the canonical form, cut to 128 bits. Each domain has a key of its own, derived from
//! an optional secret, so that fingerprints can be shared between machines without giving the arguments away.

use std::{fmt, ops::Range};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::hash::{self, Tag};
use unstuck_json::Json;

/// Kind of a fingerprinted value. Equal texts in different domains have different fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Domain {
    /// A tool call: its tool and arguments.
    Action,
    /// The result of a call.
    Outcome,
    /// A text of the model.
    Text,
}

/// The 128-bit identity of an action, an outcome or a text.
///
/// It is written `1:` and 32 hexadecimal digits; `1` is the version of the scheme.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fingerprint([u8; 16]);

/// 64 bits that distinguish items within one session: a keyed hash for calls, results and texts, a [`Tag`] for kinds of
/// calls, files and complaints, or several marks joined.
///
/// Session state holds a few thousand of these: half the size, and a chance collision needs billions of calls.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub(crate) struct Mark(pub(crate) u64);

/// Bytes of a text that are copied into one buffer before they are hashed: as much as the widest vector instructions hash at
/// once. What follows such a piece is hashed from where it is. Behind a piece of a few bytes most of it would be hashed in
/// blocks that are too short for these instructions.
const FIRST_PIECE: usize = 16 << 10;

/// The key of marks that do not depend on the secret of the settings: the first digits of pi. It must not be text, because
/// a block of a text that is a part of the key hides the rest of the block.
const DATA_KEY: [u8; 32] = [
    0x24, 0x3f, 0x6a, 0x88, 0x85, 0xa3, 0x08, 0xd3, 0x13, 0x19, 0x8a, 0x2e, 0x03, 0x70, 0x73, 0x44,
    0xa4, 0x09, 0x38, 0x22, 0x29, 0x9f, 0x31, 0xd0, 0x08, 0x2e, 0xfa, 0x98, 0xec, 0x4e, 0x6c, 0x89,
];

/// Makes fingerprints under one secret.
///
/// ```
/// use unstuck::{Json, fingerprint::{Domain, Fingerprinter}};
///
/// let args = Json::parse(r#"{"path": "src/auth.py"}"#)?;
/// let plain = Fingerprinter::new(b"");
/// assert_eq!(plain.action("read_file", &args).to_string(), "1:c38055fb9c2486c2e8fd29455dcf977c");
///
/// let shared = Fingerprinter::new(b"team secret");
/// assert_ne!(shared.action("read_file", &args), plain.action("read_file", &args));
/// # Ok::<(), unstuck::JsonError>(())
/// ```
#[derive(Clone)]
pub struct Fingerprinter {
    action: [u8; 32],
    outcome: [u8; 32],
    text: [u8; 32],
}

impl Fingerprinter {
    /// A fingerprinter for a secret; the empty secret is the public default.
    pub fn new(secret: &[u8]) -> Self {
        let key =
            |domain: &str| blake3::derive_key(&format!("unstuck fingerprint 1 {domain}"), secret);
        Self {
            action: key("action"),
            outcome: key("outcome"),
            text: key("text"),
        }
    }

    /// The fingerprint of a call.
    pub fn action(&self, tool: &str, args: &Json) -> Fingerprint {
        // Setting up a hasher that takes pieces costs more than hashing a small text, so that is put together first.
        let first = FIRST_PIECE - BEFORE_ARGS.len();
        if args.as_str().len() <= first {
            return self.canonical(Domain::Action, action_text(tool, args).as_bytes());
        }
        let (first, rest) = args.as_str().as_bytes().split_at(first);
        let mut text = String::with_capacity(tool.len() + 24);
        push_tool(tool, &mut text);
        let mut hasher = self.hasher(Domain::Action);
        hasher.update(&[BEFORE_ARGS.as_bytes(), first].concat());
        hasher.update(rest);
        hasher.update(text.as_bytes());
        Fingerprint::from_hash(&hasher.finalize())
    }

    /// The mark of a call that is compared within one session only, and never shown.
    /// Arguments are canonical JSON, and `tool` is the [`part_mark`](Self::part_mark) of the tool's name.
    pub(crate) fn action_mark(&self, tool: Mark, args: &str) -> Mark {
        tool.join(self.part_mark(args))
    }

    /// The mark of a part of a call.
    pub(crate) fn part_mark(&self, text: &str) -> Mark {
        Mark(hash::keyed(&self.action, text.as_bytes()))
    }

    /// The mark of a text that is compared within one session only, and never shown.
    pub(crate) fn text_mark(&self, text: &[u8]) -> Mark {
        Mark(hash::keyed(&self.text, text))
    }

    /// The mark of a result that is compared within one session only, and never shown.
    pub(crate) fn outcome_mark(&self, meaning: &[u8]) -> Mark {
        Mark(hash::keyed(&self.outcome, meaning))
    }

    /// The fingerprint of canonical bytes in a domain.
    pub fn canonical(&self, domain: Domain, canonical: &[u8]) -> Fingerprint {
        Fingerprint::from_hash(&blake3::keyed_hash(self.key(domain), canonical))
    }

    pub(crate) fn hasher(&self, domain: Domain) -> blake3::Hasher {
        blake3::Hasher::new_keyed(self.key(domain))
    }

    fn key(&self, domain: Domain) -> &[u8; 32] {
        match domain {
            Domain::Action => &self.action,
            Domain::Outcome => &self.outcome,
            Domain::Text => &self.text,
        }
    }
}

/// What comes before the arguments in the canonical form of a call.
const BEFORE_ARGS: &str = "{\"args\":";

/// The canonical form of a call.
pub(crate) fn action_text(tool: &str, args: &Json) -> String {
    let args = args.as_str();
    let mut text = String::with_capacity(args.len() + tool.len() + 24);
    text.push_str(BEFORE_ARGS);
    text.push_str(args);
    push_tool(tool, &mut text);
    text
}

/// The canonical form of a call as if it had these arguments only, given by name and value as they are written, in
/// canonical order, and where in it the arguments are. They have at most `room` bytes together.
pub(crate) fn action_text_of<'a>(
    tool: &str,
    members: impl Iterator<Item = &'a str>,
    room: usize,
) -> (String, Range<usize>) {
    let mut text = String::with_capacity(room + tool.len() + 24);
    text.push_str(BEFORE_ARGS);
    text.push('{');
    for (at, member) in members.enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(member);
    }
    text.push('}');
    let args = BEFORE_ARGS.len()..text.len();
    push_tool(tool, &mut text);
    (text, args)
}

/// Appends what follows the arguments.
fn push_tool(tool: &str, text: &mut String) {
    text.push_str(",\"tool\":");
    Json::push_string(tool, text);
    text.push('}');
}

impl Default for Fingerprinter {
    fn default() -> Self {
        Self::new(b"")
    }
}

impl fmt::Debug for Fingerprinter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The keys are derived from a secret: never print them.
        f.debug_struct("Fingerprinter").finish_non_exhaustive()
    }
}

impl Fingerprint {
    pub(crate) fn from_hash(hash: &blake3::Hash) -> Self {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.as_bytes()[..16]);
        Self(bytes)
    }

    /// Appends it as it is written.
    ///
    /// ```
    /// use unstuck::fingerprint::{Domain, Fingerprinter};
    ///
    /// let print = Fingerprinter::new(b"").canonical(Domain::Text, b"stuck");
    /// let mut line = String::from("text ");
    /// print.push_to(&mut line);
    /// assert_eq!(line, format!("text {print}"));
    /// ```
    pub fn push_to(&self, out: &mut String) {
        self.with_digits(|digits| out.push_str(digits));
    }

    fn with_digits<T>(&self, use_them: impl FnOnce(&str) -> T) -> T {
        // Logs hold many of these, and formatting byte by byte would cost as much as hashing a small text. Without
        // looking anything up it compiles to vector instructions.
        let digit = |half: u8| half + b'0' + if half > 9 { b'a' - b'0' - 10 } else { 0 };
        let mut text = *b"1:................................";
        for (digits, byte) in text[2..].as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *digits = [digit(byte >> 4), digit(byte & 15)];
        }
        use_them(std::str::from_utf8(&text).unwrap_or_default())
    }

    /// The 16 bytes.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    pub(crate) fn mark(self) -> Mark {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0[..8]);
        Mark(u64::from_le_bytes(first))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_digits(|digits| f.write_str(digits))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Mark {
    /// The mark of arguments that are compared within one session only, without the secret of the settings.
    pub(crate) fn of_data(data: &str) -> Self {
        Self(hash::keyed(&DATA_KEY, data.as_bytes()))
    }

    /// Combines two marks into one, for example an action with its outcome. The order matters.
    pub(crate) fn join(self, other: Self) -> Self {
        // Marks of calls and results come from a hash that is good in all bits, those of kinds from FNV-1a, which is weak in
        // its upper bits: the product spreads both over all bits.
        Self(hash::fold(self.0 ^ hash::GOLDEN, other.0 | 1) ^ other.0.rotate_left(32))
    }
}

/// Makes marks for kinds of calls, files and complaints, without the secret of the settings.
impl From<Tag> for Mark {
    fn from(tag: Tag) -> Self {
        Self(tag.0)
    }
}

/// Lower-case hexadecimal SHA-256 of the canonical form, as the founding systems and the audit log write it.
///
/// ```
/// use unstuck::{Json, fingerprint::sha256_hex};
///
/// let hash = sha256_hex(&Json::parse(r#"{"b":2,"a":1}"#)?);
/// assert!(hash.starts_with("43258cff"));
/// # Ok::<(), unstuck::JsonError>(())
/// ```
pub fn sha256_hex(value: &Json) -> String {
    use fmt::Write as _;
    let digest = Sha256::digest(value.as_str().as_bytes());
    let mut hex = String::with_capacity(64);
    for byte in digest {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
