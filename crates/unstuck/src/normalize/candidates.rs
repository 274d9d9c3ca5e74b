//! Where in a text something to replace may begin.

/// How many bytes are judged at once: as many as a word has bits.
const BLOCK: usize = 64;

/// How many of them one vector register holds, on every target.
const LANES: usize = 16;

/// Finds what may begin or belong to something to replace, a block at a time.
pub(super) struct Candidates<'a> {
    bytes: &'a [u8],
    /// The candidates of the block that was judged last, a bit for each byte, and where it starts.
    marks: u64,
    start: usize,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            marks: judge(bytes, 0),
            start: 0,
        }
    }

    /// The first one from `at` on, or the end of the text. Nobody goes back.
    #[inline]
    pub(super) fn next(&mut self, at: usize) -> usize {
        let mut at = at;
        loop {
            if let Some(passed @ 0..BLOCK) = at.checked_sub(self.start) {
                let rest = self.marks >> passed;
                if rest != 0 {
                    return at + rest.trailing_zeros() as usize;
                }
                at = self.start + BLOCK;
            }
            if at >= self.bytes.len() {
                return self.bytes.len();
            }
            self.start = at;
            self.marks = judge(self.bytes, at);
        }
    }
}

/// Marks the candidates among the bytes from `start` on.
#[inline]
fn judge(bytes: &[u8], start: usize) -> u64 {
    let Some(window) = bytes.get(start..start + BLOCK + 1) else {
        return judge_last(bytes, start);
    };
    let mut marks = 0;
    for part in 0..BLOCK / LANES {
        let at = part * LANES;
        if let (Some(block), Some(behind)) =
            (window[at..].first_chunk(), window[at + 1..].first_chunk())
        {
            marks |= u64::from(judge_lanes(block, behind)) << at;
        }
    }
    marks
}

/// The same for a block that is not whole.
#[inline(never)]
fn judge_last(bytes: &[u8], start: usize) -> u64 {
    let mut window = [0; BLOCK + 1];
    let rest = bytes.get(start..).unwrap_or_default();
    let rest = &rest[..rest.len().min(BLOCK + 1)];
    window[..rest.len()].copy_from_slice(rest);
    judge(&window, 0)
}

/// Marks the bytes of a register, each judged with the one behind it.
#[inline]
fn judge_lanes(block: &[u8; LANES], behind: &[u8; LANES]) -> u16 {
    let mut marks = [0; LANES];
    for ((mark, &byte), &next) in marks.iter_mut().zip(block).zip(behind) {
        *mark = u8::from(is_candidate(byte, next));
    }
    // The product gathers the lowest bits of eight bytes in its highest byte.
    let gather = |half: u64| (half.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16;
    let both = u128::from_le_bytes(marks);
    gather(both as u64) | gather((both >> 64) as u64) << 8
}

#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "only without branches it compiles to vector instructions"
)]
fn is_candidate(byte: u8, next: u8) -> bool {
    let digit = byte.wrapping_sub(b'0') < 10;
    let code = (byte == b'\\') & ((next == b'u') | (next == b'r'));
    let path = (byte == b'/') & (next | 2 == b'v');
    let note = (byte == b'[') & (next == b'u');
    let member = (byte == b'"') & (next == b':');
    digit | code | path | note | member
}

#[cfg(test)]
#[path = "candidates_tests.rs"]
mod tests;
