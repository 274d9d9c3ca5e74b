//! What was measured, side by side.

use std::fmt::Write as _;

use super::{Cores, Measured};

pub(super) const DIRECT: &str = "direct";
pub(super) const PIPE: &str = "byte pipe";
pub(super) const GUARD: &str = "unstuck mcp";
pub(super) const OTHER: &str = "unstuck mcp, other build";

/// All ways with so many calls at once of so many bytes. The first is the way without anything between.
pub(super) struct Table {
    pub(super) at_once: u32,
    pub(super) bytes: u32,
    pub(super) cores: Cores,
    /// All runs of each way; of each number the best is shown.
    pub(super) rows: Vec<(&'static str, Vec<Measured>)>,
}

impl Table {
    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "\n{:<27} {:>9} {:>9} {:>10} {:>9} {:>9}",
            match self.cores {
                Cores::All => format!("{} B, {} at once; µs", self.bytes, self.at_once),
                Cores::One => format!("{} B, {}, one core", self.bytes, self.at_once),
            },
            "median",
            "99 %",
            "calls/s",
            "+ median",
            "+ 99 %"
        );
        let Some((_, direct)) = self.rows.first() else {
            return out;
        };
        let direct = Measured::best(direct);
        for (name, runs) in &self.rows {
            let row = Measured::best(runs);
            let _ = writeln!(
                out,
                "{name:<27} {:>9.1} {:>9.1} {:>10.0} {:>9.1} {:>9.1}",
                row.median,
                row.slow,
                row.rate,
                row.median - direct.median,
                row.slow - direct.slow
            );
        }
        out
    }

    /// What `unstuck` adds beside what the others add.
    pub(super) fn sum_up(&self, floor: f64) -> String {
        let row = |name| self.rows.iter().find(|(found, _)| *found == name);
        let (Some((_, direct)), Some((_, pipe)), Some((_, guard))) =
            (row(DIRECT), row(PIPE), row(GUARD))
        else {
            return String::new();
        };
        let beside = |of: fn(&[Measured]) -> Measured| {
            let (direct, pipe, guard) = (of(direct), of(pipe), of(guard));
            format!(
                "median {:.2}, 99 % {:.2}; of its calls/s: {:.0} %; more than it: {:.2} of the engine's least",
                (guard.median - direct.median) / (pipe.median - direct.median),
                (guard.slow - direct.slow) / (pipe.slow - direct.slow),
                guard.rate / pipe.rate * 100.0,
                (guard.median - pipe.median) / floor
            )
        };
        let mut out = format!("= of what the byte pipe adds: {}", beside(Measured::best));
        let runs = guard.len();
        let middle = format!(
            "\n= in the middle of {runs} runs: {}",
            beside(Measured::middle)
        );
        let (direct, guard) = (Measured::best(direct), Measured::best(guard));
        let public = self.rows.iter().filter(|(name, _)| name.contains('.'));
        let best = public
            .map(|(_, runs)| Measured::best(runs).median - direct.median)
            .reduce(f64::min);
        if let Some(best) = best {
            let _ = write!(
                out,
                "; of the best public proxy: {:.3}",
                (guard.median - direct.median) / best
            );
        }
        if runs > 2 {
            out.push_str(&middle);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(median: f64) -> Measured {
        Measured {
            median,
            slow: median * 2.0,
            rate: 1e6 / median,
        }
    }

    #[test]
    fn what_is_added_is_told_beside_what_the_others_add() {
        let table = Table {
            at_once: 1,
            bytes: 100,
            cores: Cores::All,
            rows: vec![
                (DIRECT, vec![row(10.0), row(10.0), row(11.0)]),
                (PIPE, vec![row(20.0), row(30.0), row(99.0)]),
                (GUARD, vec![row(30.0), row(25.0), row(40.0)]),
                ("other 1.0", vec![row(310.0)]),
            ],
        };
        assert!(table.render().contains("other 1.0"));
        assert_eq!(
            table.sum_up(10.0),
            "= of what the byte pipe adds: median 1.50, 99 % 1.50; of its calls/s: 80 %; more than it: 0.50 of the engine's least; of the best public proxy: 0.050\n= in the middle of 3 runs: median 1.00, 99 % 1.00; of its calls/s: 100 %; more than it: 0.00 of the engine's least"
        );
    }
}
