//! What is in a file that is not a transcript of a known format.

use unstuck_report::SkipReason;

use super::skips::supported;

/// Why the content of a file cannot be read as a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// No bytes, or only blanks.
    Empty,
    /// Packed with this program.
    Packed(&'static str),
    Utf16,
    Utf32,
    /// A database without sessions that can be read.
    Database,
    Other,
}

/// How packed files begin that are not unpacked here.
const PACKED: [(&[u8], &str); 6] = [
    (b"BZh", "bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\x04\x22\x4d\x18", "LZ4"),
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
];

/// Where a tar archive has its mark.
const TAR: (usize, &[u8]) = (257, b"ustar");

impl Content {
    /// Looks at the first bytes of a file whose format is not known.
    pub(crate) fn of(head: &[u8]) -> Self {
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        if text.iter().all(blank) {
            return Self::Empty;
        }
        if let Some((_, program)) = PACKED.iter().find(|(magic, _)| head.starts_with(magic)) {
            return Self::Packed(program);
        }
        if head
            .get(TAR.0..)
            .is_some_and(|rest| rest.starts_with(TAR.1))
        {
            return Self::Packed("tar");
        }
        if is_utf32(head) {
            return Self::Utf32;
        }
        if is_utf16(head) {
            return Self::Utf16;
        }
        Self::Other
    }

    pub(crate) fn reason(self) -> SkipReason {
        match self {
            Self::Empty => SkipReason::Empty,
            Self::Packed(_) => SkipReason::Packed,
            Self::Utf16 => SkipReason::Utf16,
            Self::Utf32 => SkipReason::Utf32,
            Self::Database => SkipReason::Database,
            Self::Other => SkipReason::UnknownFormat,
        }
    }

    /// More about the reason, for a list of files.
    pub(crate) fn detail(self) -> &'static str {
        match self {
            Self::Packed(program) => program,
            Self::Utf32 => "iconv -f UTF-32 -t UTF-8 converts it",
            _ => "",
        }
    }

    /// What to say of a file that was named.
    pub(crate) fn sentence(self) -> String {
        match self {
            Self::Empty => "The file is empty.".to_owned(),
            Self::Packed(program) => {
                format!("Packed with {program}, which is not read. Unpack it first.")
            }
            Self::Utf16 => {
                "UTF-16 text is not read. Convert it first: iconv -f UTF-16 -t UTF-8 FILE"
                    .to_owned()
            }
            Self::Utf32 => {
                "UTF-32 text is not read. Convert it first: iconv -f UTF-32 -t UTF-8 FILE"
                    .to_owned()
            }
            Self::Database if cfg!(target_family = "wasm") => {
                "A database of SQLite. It is not read here: give it to `unstuck scan`.".to_owned()
            }
            Self::Database => {
                "A database, but without sessions of an agent that can be read.".to_owned()
            }
            Self::Other => format!("Unknown transcript format. {}", supported()),
        }
    }
}

/// A byte order mark, or ASCII with three NULs beside every character. Its mark begins as that of UTF-16.
fn is_utf32(head: &[u8]) -> bool {
    const LOOK: usize = 64;
    let marked = head.starts_with(b"\xff\xfe\0\0") || head.starts_with(b"\0\0\xfe\xff");
    let (units, _) = head[..head.len().min(LOOK)].as_chunks::<4>();
    let letters = |of: fn([u8; 4]) -> u32| {
        let is_letter = |unit: &[u8; 4]| {
            u8::try_from(of(*unit)).is_ok_and(|c| c.is_ascii_graphic() || c.is_ascii_whitespace())
        };
        units.len() >= 2 && units.iter().all(is_letter)
    };
    marked || letters(u32::from_le_bytes) || letters(u32::from_be_bytes)
}

/// A byte order mark, or ASCII with a NUL beside every character.
fn is_utf16(head: &[u8]) -> bool {
    const LOOK: usize = 64;
    let marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let (pairs, _) = head[..head.len().min(LOOK)].as_chunks::<2>();
    let nul_at = |place: usize| {
        let wide = |pair: &[u8; 2]| pair[place] == 0 && pair[1 - place] != 0;
        pairs.len() >= 2 && pairs.iter().all(wide)
    };
    marked || nul_at(0) || nul_at(1)
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
