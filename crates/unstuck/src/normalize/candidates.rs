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
        let (start, marks) = next_marked(bytes, 0);
        Self {
            bytes,
            marks,
            start,
        }
    }

    /// The first one from `at` on, or the end of the text. Nobody goes back.
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
    let mut last = [0; BLOCK + 1];
    loop {
        let whole = bytes.get(start..start + BLOCK + 1);
        let window = whole.and_then(<[u8]>::first_chunk).unwrap_or_else(|| {
            // The last one is not whole, or nothing is behind it.
            let rest = bytes.get(start..).unwrap_or_default();
            last[..rest.len()].copy_from_slice(rest);
            &last
        });
        let marks = judge(window);
        if marks != 0 || whole.is_none() {
            return (start, marks);
        }
        start += BLOCK;
    }
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
        *mark = u8::from(is_candidate(byte, next));
    }
    marks
}

/// The lowest bits of sixteen bytes.
#[inline]
fn gather(marks: u128) -> u64 {
    // The product gathers the lowest bits of eight bytes in its highest byte.
    let half = |half: u64| half.wrapping_mul(0x0102_0408_1020_4080) >> 56;
    half(marks as u64) | half((marks >> 64) as u64) << 8
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
