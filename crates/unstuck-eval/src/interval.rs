//! How far a number could be off because there were few runs: 95 % intervals.

use serde::Serialize;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 1_000;

/// Where the resampling starts, so that the same runs give the same interval.
const SEED: u64 = 18;

/// Lower and upper bound of a 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "[f64; 2]")]
pub struct Interval {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl From<Interval> for [f64; 2] {
    fn from(interval: Interval) -> Self {
        [interval.low, interval.high]
    }
}

/// The interval of a share of counts, by Wilson's score; `None` of nothing.
pub fn wilson(part: u64, whole: u64) -> Option<Interval> {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if whole == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let (part, whole) = (part as f64, whole as f64);
    let share = part / whole;
    let scale = 1.0 + Z * Z / whole;
    let centre = (share + Z * Z / (2.0 * whole)) / scale;
    let spread = share * (1.0 - share) / whole + Z * Z / (4.0 * whole * whole);
    let half = Z * spread.sqrt() / scale;
    Some(Interval {
        low: (centre - half).max(0.0),
        high: (centre + half).min(1.0),
    })
}

/// The interval of a number that is computed from sums over groups of runs: groups are drawn again with replacement.
/// `None` with fewer than two groups, or where the number does not exist.
pub fn bootstrap<const N: usize>(
    groups: &[[f64; N]],
    number: impl Fn(&[f64; N]) -> Option<f64>,
) -> Option<Interval> {
    if groups.len() < 2 {
        return None;
    }
    let mut random = Random(SEED);
    let mut drawn: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            let mut sums = [0.0; N];
            for _ in 0..groups.len() {
                let group = &groups[random.below(groups.len())];
                for (sum, value) in sums.iter_mut().zip(group) {
                    *sum += value;
                }
            }
            number(&sums)
        })
        .collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let tail = drawn.len() / 40;
    Some(Interval {
        low: *drawn.get(tail)?,
        high: *drawn.get(drawn.len() - 1 - tail)?,
    })
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
#[path = "interval_tests.rs"]
mod tests;
