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
fn no_call_is_wasted_twice() {
    let spent = Wasted {
        calls: 100,
        tokens: 1_000,
        usd: Some(0.75),
    };
    let apart = [stretch(1, 10, 9, 100), stretch(21, 30, 9, 100)];
    assert_eq!(sum(&apart, &spent).calls, 18);
    // Twelve calls are in these two, and all of them were wasted.
    let crossed = [stretch(1, 10, 9, 600), stretch(9, 12, 4, 600)];
    let together = sum(&crossed, &spent);
    assert_eq!(together.calls, 12);
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
