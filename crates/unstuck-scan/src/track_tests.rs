use unstuck_report::ReportVerdict;

use super::*;

fn stretch(from: u64, to: u64, calls: u64, tokens: u64) -> Loop {
    Loop {
        verdict: ReportVerdict::Nudge,
        calls: Share { from, to },
        wasted: Wasted {
            calls,
            tokens,
            usd: Some(0.5),
        },
        ..Loop::default()
    }
}

#[test]
fn loops_together_cost_no_more_than_the_run() {
    let spent = Wasted {
        calls: 100,
        tokens: 1_000,
        usd: Some(0.75),
    };
    let loops = [stretch(1, 10, 9, 600), stretch(21, 30, 9, 600)];
    let together = sum(&loops, &spent);
    assert_eq!(together.calls, 18);
    assert_eq!(together.tokens, 1_000, "no more than was spent");
    assert_eq!(together.usd, Some(0.75));
}

#[test]
fn names_beyond_the_limit_count_as_the_last() {
    let mut counts = Counts::default();
    for number in 0..MAX_NAMES + 5 {
        counts.add(&format!("tool-{number}"));
    }
    counts.add("tool-0");
    let most: Vec<_> = counts.most(2).collect();
    assert_eq!(most[0], (format!("tool-{}", MAX_NAMES - 1), 6));
    assert_eq!(most[1], ("tool-0".to_owned(), 2));
}
