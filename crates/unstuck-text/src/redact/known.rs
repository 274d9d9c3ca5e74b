//! Hashes and ids that are not secret: their surroundings say what they are.
//!
//! A digest, the name of a commit, an id or a file under its hash looks as random as a key does. It stays only where a
//! table of this module names its place: the name before it, the line it stands on, or the path it is a part of.

use std::ops::Range;

use super::{names::strength, opaque::is_random};

/// Names behind which a hash is that of something everyone may read, in order.
const HASHES: [&str; 22] = [
    "blob",
    "checksum",
    "commit",
    "digest",
    "etag",
    "h1",
    "integrity",
    "object",
    "oid",
    "parent",
    "ref",
    "rev",
    "revision",
    "sha",
    "sha256",
    "sha384",
    "sha512",
    "span",
    "trace",
    "traceparent",
    "tree",
    "treeish",
];

/// Names behind which a UUID or a hash is an id, in order.
const IDS: [&str; 4] = ["guid", "id", "ids", "uuid"];

/// Beginnings of lines on which hashes name commits and files.
const LINES: [&str; 8] = [
    "MD5 (", "SHA1 (", "SHA256 (", "SHA512 (", "commit ", "git ", "tree ", "uses: ",
];

/// What stands behind a hash at the beginning of a line that names a commit.
const FOLLOWED: [&str; 3] = ["\tHEAD", "\trefs/", " Mon Sep 17 00:00:00 2001"];

/// What stands between a checksum at the beginning of a line and the name of the file.
const SUMMED: [&str; 2] = ["  ", " *"];

/// How ids begin that services give to what they made, and whether only hexadecimal digits follow.
const ISSUED: [(&str, bool); 24] = [
    ("toolu_", false),
    ("srvtoolu_", false),
    ("call_", false),
    ("chatcmpl-", false),
    ("msg_", false),
    ("run_", false),
    ("req_", false),
    ("resp_", false),
    ("thread_", false),
    ("asst_", false),
    ("file-", false),
    ("i-", true),
    ("ami-", true),
    ("vpc-", true),
    ("subnet-", true),
    ("sg-", true),
    ("vol-", true),
    ("snap-", true),
    ("eni-", true),
    ("rtb-", true),
    ("igw-", true),
    ("nat-", true),
    ("eipalloc-", true),
    ("lt-", true),
];

/// How public keys begin that SSH writes.
const PUBLIC_KEYS: [&str; 3] = [
    "AAAAB3NzaC1yc2E",
    "AAAAC3NzaC1lZDI1NTE5",
    "AAAAE2VjZHNhLXNoYTI",
];

/// Directories whose entries have random names.
const STORES: [&str; 2] = ["/nix/store/", "/var/folders/"];

/// Schemes of URLs that name a file.
const FILES: [&str; 6] = ["file", "gs", "hdfs", "s3", "s3a", "vscode"];

/// Parts of a URL behind which a hash names a commit.
const COMMITS: [&str; 9] = [
    "archive", "blame", "blob", "commit", "commits", "compare", "raw", "tarball", "tree",
];

/// Parts of a path behind which an id opens something.
const GRANTS: [&str; 26] = [
    "auth",
    "calendar",
    "catch",
    "claim",
    "confirm",
    "confirmation",
    "hook",
    "hooks",
    "ical",
    "invitation",
    "invite",
    "invites",
    "join",
    "link",
    "links",
    "login",
    "magic",
    "ping",
    "reset",
    "session",
    "share",
    "shared",
    "token",
    "unsubscribe",
    "verification",
    "verify",
];

/// Bytes before a word that are looked at.
const BEFORE: usize = 160;

/// Whether a word that looks random is a hash or an id by what stands around it.
pub(super) fn is_known(text: &str, word: Range<usize>) -> bool {
    let inner = &text[word.clone()];
    let bare = inner.trim_matches(['.', '-', '/', ':', '_']);
    if is_issued_id(bare) || PUBLIC_KEYS.iter().any(|start| bare.starts_with(start)) {
        return true;
    }
    let from = crate::floor_char_boundary(text, word.start.saturating_sub(BEFORE));
    let line = &text[from..word.start];
    let line = &line[line.rfind('\n').map_or(0, |end| end + 1)..];
    if let Some(media) = line.strip_suffix(";base64,") {
        let kind = media.rfind("data:").map_or("", |at| &media[at + 5..]);
        return kind.starts_with("image/") || kind.starts_with("font/");
    }
    if let Some((kind, digest)) = inner.split_once('-')
        && matches!(kind, "sha256" | "sha384" | "sha512")
    {
        return is_base64_digest(digest.as_bytes());
    }
    let name = name_before(line);
    // `auth_token=`, `session id`, `Authorization: token`.
    if strength(&line[name.start..name.end]).is_some()
        || strength(&line[name.both..name.end]).is_some()
    {
        return false;
    }
    let last = last_word(&line[name.start..name.end]);
    let named = |table: &[&str]| {
        last.len() <= 12 && table.binary_search(&&*last.to_ascii_lowercase()).is_ok()
    };
    let separator = &line[name.end..];
    if is_hash(bare) {
        let sums =
            !last.starts_with("sha2") && !last.starts_with("SHA2") || separator.starts_with(':');
        return named(&HASHES) && sums
            || named(&IDS)
            // `content-hash`, but not `hash` alone.
            || last == "hash" && name.end - name.start > last.len()
            || LINES.iter().any(|start| begins(line, start))
            || (line.is_empty() || line == "From ")
                && is_followed(&text[word.end..]);
    }
    if matches!(last, "SHA256" | "sha256" | "h1") && separator == ":" {
        return is_base64_digest(inner.as_bytes());
    }
    is_uuid(bare) && named(&IDS) || last == "traceparent" && is_trace(bare.as_bytes())
}

/// Whether a word is a version, a trace, a span and flags, as the header `traceparent` has them.
fn is_trace(word: &[u8]) -> bool {
    const LENGTHS: [usize; 4] = [2, 32, 16, 2];
    let parts = word.split(|byte| *byte == b'-');
    parts.clone().map(<[u8]>::len).eq(LENGTHS) && parts.flatten().all(u8::is_ascii_hexdigit)
}

/// Whether a hash at the beginning of a line is that of a commit or of a file.
fn is_followed(behind: &str) -> bool {
    let is_file = |rest: &str| {
        let name = rest
            .bytes()
            .take(128)
            .take_while(|byte| !byte.is_ascii_whitespace());
        name.into_iter().any(|byte| matches!(byte, b'.' | b'/'))
    };
    FOLLOWED.iter().any(|known| behind.starts_with(known))
        || SUMMED
            .iter()
            .any(|known| behind.strip_prefix(known).is_some_and(is_file))
}

/// Whether the last command on a line begins so.
fn begins(line: &str, start: &str) -> bool {
    let behind = |signs: &[char]| &line[line.rfind(signs).map_or(0, |at| at + 1)..];
    let command = behind(&['|', ';', '&']).trim_start();
    let command = command.strip_prefix("- ").unwrap_or(command);
    let inner = behind(&['|', ';', '&', '$', '"', '(']).trim_start();
    // A setting may be a key.
    let sets = |command: &str| {
        let mut words = command.split_ascii_whitespace().skip(1);
        start == "git " && matches!(words.next(), Some("config" | "-c" | "credential"))
    };
    let starts = |command: &str| command.starts_with(start) && !sets(command);
    starts(command) || starts(inner) || line.ends_with(start)
}

/// The name before a word, and with it the word before the name.
struct Name {
    both: usize,
    start: usize,
    end: usize,
}

fn name_before(line: &str) -> Name {
    let bytes = line.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let word = |end: usize| {
        let end = bytes[..end]
            .iter()
            .rposition(is_name)
            .map_or(0, |at| at + 1);
        let start = bytes[..end]
            .iter()
            .rposition(|byte| !is_name(byte))
            .map_or(0, |at| at + 1);
        (start, end)
    };
    let (start, end) = word(bytes.len());
    let (both, before) = word(start);
    // Only a space joins two words to a name.
    let both = if start - before == 1 && bytes[before] == b' ' {
        both
    } else {
        start
    };
    Name { both, start, end }
}

/// `sha` of `commit_sha`, `Id` of `requestId`.
fn last_word(name: &str) -> &str {
    let bytes = name.as_bytes();
    let mut start = bytes.len();
    while start > 0 && bytes[start - 1].is_ascii_alphanumeric() {
        start -= 1;
        let hump =
            bytes[start].is_ascii_uppercase() && start > 0 && bytes[start - 1].is_ascii_lowercase();
        if hump {
            break;
        }
    }
    &name[start..]
}

/// Hexadecimal digits in one of the lengths that hashes have, one or two of them with dots between.
fn is_hash(word: &str) -> bool {
    let mut hashes = word.split("..").map(|hash| hash.trim_matches('.'));
    hashes.all(|hash| {
        matches!(hash.len(), 16 | 32 | 40 | 56 | 64 | 96 | 128) && is_hex(hash.as_bytes())
    })
}

fn is_hex(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        || bytes
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'))
}

fn is_uuid(word: &str) -> bool {
    word.len() == 36 && word.split('-').map(str::len).eq([8, 4, 4, 4, 12])
}

/// A digest of 256, 384 or 512 bits in Base64, without its padding.
fn is_base64_digest(digest: &[u8]) -> bool {
    matches!(digest.len(), 43 | 64 | 86)
        && digest
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// An id that begins as those of a service do, or an address in memory.
fn is_issued_id(word: &str) -> bool {
    // `segfault at 00007f3e1c2a4b5d`
    let padded = word.len() == 16 && word.starts_with("0000") && is_hex(word.as_bytes());
    let address = padded
        || word
            .strip_prefix("0x")
            .is_some_and(|digits| digits.len() <= 16);
    address
        || ISSUED.iter().any(|(start, hex)| {
            word.strip_prefix(start).is_some_and(|rest| {
                let rest = rest.as_bytes();
                if *hex {
                    matches!(rest.len(), 8 | 17) && is_hex(rest)
                } else {
                    rest.len() <= 40 && rest.iter().all(u8::is_ascii_alphanumeric)
                }
            })
        })
}

/// Whether the parts of a word are those of a path, rather than of Base64 with slashes in it.
pub(super) fn is_path(word: &[u8]) -> bool {
    word.contains(&b'/')
        && (word.starts_with(b"./")
            || word.starts_with(b"../")
            || word.starts_with(b"~/")
            || plain_bytes(word) > 0)
}

/// Whether plain words are a good part of a path: Base64 has one by chance, and a short one.
pub(super) fn is_plain_path(word: &[u8]) -> bool {
    plain_bytes(word) * 6 >= word.len()
}

/// Bytes of the parts of a word that are plain words.
fn plain_bytes(word: &[u8]) -> usize {
    let is_vowel = |byte: &u8| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u');
    let plain = |part: &&[u8]| {
        part.len() >= 3 && part.iter().all(u8::is_ascii_lowercase) && part.iter().any(is_vowel)
    };
    word.split(|byte| *byte == b'/')
        .map(|part| part.strip_prefix(b".").unwrap_or(part))
        .filter(plain)
        .map(<[u8]>::len)
        .sum()
}

/// A word whose parts between slashes are judged one by one.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In a file system.
    Path,
    /// In a directory whose entries have random names.
    Store,
    /// In a URL.
    Url,
}

/// What a word with slashes in it names, if it is not Base64.
pub(super) fn place(text: &str, word: Range<usize>) -> Option<Place> {
    let inner = &text[word.clone()];
    if STORES.iter().any(|store| inner.contains(store)) {
        Some(Place::Store)
    } else if is_url(text, &word) {
        Some(Place::Url)
    } else {
        is_path(inner.as_bytes()).then_some(Place::Path)
    }
}

/// Whether a part of a path stays although it looks random: a hash or an id that names a file, a commit or a record.
/// `parent` is the part before it.
pub(super) fn is_known_part(place: Place, parent: &str, part: &str) -> bool {
    let lower = parent[..crate::floor_char_boundary(parent, 64)].to_ascii_lowercase();
    if strength(parent).is_some()
        || GRANTS.binary_search(&&*lower).is_ok()
        || GRANTS
            .binary_search(&lower.strip_suffix('s').unwrap_or(&lower))
            .is_ok()
        || lower.contains("hook")
    {
        return false;
    }
    match place {
        Place::Store => true,
        Place::Url => {
            let plural = lower.len() >= 4
                && lower.ends_with('s')
                && lower.bytes().all(|byte| byte.is_ascii_lowercase());
            COMMITS.binary_search(&&*lower).is_ok() && is_hash(part) || plural && is_uuid(part)
        }
        Place::Path => part
            .as_bytes()
            .split(|byte| !byte.is_ascii_alphanumeric())
            .all(|run| run.len() < 16 || is_hex(run) || !is_random(run)),
    }
}

/// Whether a word is a URL, or one without its scheme.
fn is_url(text: &str, word: &Range<usize>) -> bool {
    let inner = &text[word.clone()];
    if inner.starts_with("//") {
        let before = text[..word.start].strip_suffix(':').unwrap_or_default();
        let scheme = before
            .rfind(|letter: char| !letter.is_ascii_alphanumeric())
            .map_or(0, |at| at + 1);
        let scheme = before.get(scheme..).unwrap_or_default();
        return FILES.binary_search(&scheme).is_err();
    }
    let first = inner.split('/').next().unwrap_or_default();
    !first.starts_with('.')
        && first
            .trim_end_matches(|letter: char| letter.is_ascii_lowercase())
            .ends_with('.')
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
