//! Which kinds of bytes a text has to hold before a search for secrets can find anything in it.
//!
//! Most texts are short and hold no secret. One pass counts a few kinds of bytes, and a search runs only if the text
//! holds as many of them as every secret of that search does.

/// Counts of eight kinds of bytes, each in eight bits of which the highest stays zero. A count stops at [`MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts(u64);

/// The highest count.
const MOST: usize = 127;

/// The bits above the counts.
const SPARE: u64 = 0x8080_8080_8080_8080;

/// Fewest bytes of each kind that a text holds if a search can find anything in it.
pub(super) const NOTHING: Counts = Counts(0);
pub(super) const DIGIT: Counts = Counts(1);
pub(super) const UPPER: Counts = Counts(1 << 8);
pub(super) const DASH: Counts = Counts(1 << 16);
pub(super) const COLON: Counts = Counts(1 << 24);
/// A space, a line break or a comma.
pub(super) const SPACE: Counts = Counts(1 << 32);
/// One of `#$!@&^`.
pub(super) const SIGN: Counts = Counts(1 << 40);
pub(super) const DOLLAR: Counts = Counts(1 << 48);
pub(super) const FOREIGN: Counts = Counts(1 << 56);

impl Counts {
    /// The counts of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut all = 0;
        for part in text.as_bytes().chunks(MOST) {
            let (eights, rest) = part.as_chunks::<8>();
            let mut here = 0;
            for eight in eights {
                for byte in eight {
                    here += KINDS[usize::from(*byte)];
                }
            }
            for byte in rest {
                here += KINDS[usize::from(*byte)];
            }
            all += here;
            // A count that reaches its highest bit is set to the most again.
            let over = all & SPARE;
            all = (all | (over - (over >> 7))) & !SPARE;
        }
        Self(all)
    }

    /// So many of this kind.
    pub(super) const fn times(self, count: u64) -> Self {
        Self(self.0 * count)
    }

    /// Both of these.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Whether each count is at least that of `needs`: only then does no subtraction borrow the bit above its count.
    #[inline]
    pub(super) const fn reach(self, needs: Self) -> bool {
        ((self.0 | SPARE) - needs.0) & SPARE == SPARE
    }
}

/// What each byte adds to the counts.
static KINDS: [u64; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'0'..=b'9' => DIGIT.0,
            b'A'..=b'Z' => UPPER.0,
            b'-' => DASH.0,
            b':' => COLON.0,
            b' ' | b'\n' | b',' => SPACE.0,
            b'$' => SIGN.0 | DOLLAR.0,
            b'#' | b'!' | b'@' | b'&' | b'^' => SIGN.0,
            0x80.. => FOREIGN.0,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

#[cfg(test)]
#[path = "needs_tests.rs"]
mod tests;
