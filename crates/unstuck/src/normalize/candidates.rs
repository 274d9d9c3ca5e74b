//! Where in a text something to replace may begin.
//!
//! Candidates are all such places and a few others: the caller looks at each byte again.

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
        let (start, marks) = next_marked(bytes, 0);
        Self {
            bytes,
            marks,
            start,
        }
    }

    /// The first one from `at` on, or the end of the text. Positions only grow.
    #[inline]
    pub(super) fn next(&mut self, at: usize) -> usize {
        let mut at = at;
        loop {
            // Between `at` and a block that lies ahead there is nothing.
            let passed = at.saturating_sub(self.start);
            if passed < BLOCK {
                let rest = self.marks >> passed;
                if rest != 0 {
                    return self.start + passed + rest.trailing_zeros() as usize;
                }
                at = self.start + BLOCK;
            }
            if at >= self.bytes.len() {
                return self.bytes.len();
            }
            (self.start, self.marks) = next_marked(self.bytes, at);
        }
    }
}

/// The first block from `start` on, in steps of a block, that has a candidate: where it starts, and its candidates. The
/// last block is returned without any.
// In one function with its loop: the many constants are loaded once for a run of blocks.
#[inline(never)]
fn next_marked(bytes: &[u8], start: usize) -> (usize, u64) {
    let mut start = start;
    while let Some(window) = bytes.get(start..).and_then(<[u8]>::first_chunk) {
        let marks = judge(window);
        if marks != 0 {
            return (start, marks);
        }
        start += BLOCK;
    }
    // The last one is not whole, or nothing is behind it.
    let rest = bytes.get(start..).unwrap_or_default();
    let mut last = [0; BLOCK + 1];
    last[..rest.len()].copy_from_slice(rest);
    (start, judge(&last))
}

/// Marks the candidates of a block, which is given with the byte behind it.
#[expect(
    clippy::inline_always,
    reason = "it is called once for each block: a call costs a tenth of what it does"
)]
#[inline(always)]
fn judge(window: &[u8; BLOCK + 1]) -> u64 {
    let mut marks = [[0; LANES]; BLOCK / LANES];
    for (part, marks) in marks.iter_mut().enumerate() {
        let at = part * LANES;
        if let (Some(block), Some(behind)) =
            (window[at..].first_chunk(), window[at + 1..].first_chunk())
        {
            *marks = judge_lanes(block, behind);
        }
    }
    let [first, second, third, fourth] = marks.map(u128::from_le_bytes);
    // Most blocks have none.
    if first | second | third | fourth == 0 {
        return 0;
    }
    gather(first) | gather(second) << 16 | gather(third) << 32 | gather(fourth) << 48
}

/// Marks the bytes of a register, each judged with the one behind it.
#[inline]
fn judge_lanes(block: &[u8; LANES], behind: &[u8; LANES]) -> [u8; LANES] {
    let mut marks = [0; LANES];
    for ((mark, &byte), &next) in marks.iter_mut().zip(block).zip(behind) {
        // All bits of a byte, as vector comparisons set them.
        *mark = u8::from(may_begin(byte, next)).wrapping_neg();
    }
    marks
}

/// One bit for each of sixteen bytes that have all or none of theirs.
#[inline]
fn gather(marks: u128) -> u64 {
    // The product gathers the lowest bits of eight bytes in its highest byte.
    let half = |half: u64| (half & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    half(marks as u64) | half((marks >> 64) as u64) << 8
}

/// Whether something to replace may begin with these two bytes. Written so that it compiles to few vector instructions.
#[inline]
#[expect(
    clippy::needless_bitwise_bool,
    reason = "only without branches it compiles to vector instructions"
)]
fn may_begin(byte: u8, next: u8) -> bool {
    // From `0` to `9`: vectors compare signed bytes, so the digits are moved to the lowest ones.
    let digit = byte.wrapping_add(0x80 - b'0').cast_signed() < i8::MIN + 10;
    // `\u`, `\r` and `[u`, which has the difference of `\r`. Other pairs that rise by these are a capital and a small letter,
    // and rare.
    let difference = byte ^ next;
    let rises = next.cast_signed() > byte.cast_signed();
    let code_or_note = rises & ((difference == b'\\' ^ b'u') | (difference == b'\\' ^ b'r'));
    let path = (byte == b'/') & (next | 2 == b'v');
    let member = (byte == b'"') & (next == b':');
    digit | code_or_note | path | member
}

#[cfg(test)]
#[path = "candidates_tests.rs"]
mod tests;
