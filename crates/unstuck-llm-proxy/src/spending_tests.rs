use std::sync::atomic::{AtomicI64, Ordering};

use unstuck_llm::Tokens;

use super::*;

static NOW: AtomicI64 = AtomicI64::new(0);

fn now() -> i64 {
    NOW.load(Ordering::Relaxed)
}

fn options(directory: Option<&std::path::Path>) -> SpendingOptions {
    SpendingOptions {
        session: SpendingLimit {
            micros: Some(1_000_000),
            tokens: None,
        },
        day: SpendingLimit {
            micros: None,
            tokens: Some(5_000),
        },
        warn_percent: vec![50, 80],
        price: Box::new(|used| (&*used.model != "free").then(|| used.tokens.total() * 1_000)),
        directory: directory.map(std::path::Path::to_owned),
        now,
    }
}

fn used(model: &str, tokens: u64) -> Used {
    Used {
        model: model.into(),
        tokens: Tokens {
            input: tokens,
            ..Tokens::default()
        },
        cost_micros: None,
    }
}

#[test]
fn shares_are_warned_of_once_and_the_limit_ends_it() {
    let spending = Spending::new(options(None));
    assert_eq!(spending.standing("a"), Standing::Within);
    assert_eq!(spending.spend("a", &used("m", 500)), None);
    let warned = spending.standing("a");
    let Standing::Warned(text) = &warned else {
        panic!("{warned:?}");
    };
    assert!(text.contains("50% of the limit of this session is used: $0.50 of $1.00"));
    assert_eq!(spending.standing("a"), Standing::Within);
    spending.spend("a", &used("m", 510));
    let over = spending.standing("a");
    let Standing::Over(text) = &over else {
        panic!("{over:?}");
    };
    assert!(text.contains("$1.01 of $1.00"), "{text}");
    assert!(text.contains("2 answers used 1010 tokens for $1.01"));
    assert!(text.contains("`spending.session_dollars`"));
    // Another session goes on until the day's limit.
    assert_eq!(spending.standing("b"), Standing::Within);
    assert_eq!(
        spending.spend("b", &used("free", 4_000)),
        Some("free".into())
    );
    assert_eq!(spending.spend("b", &used("free", 1)), None);
    let over = spending.standing("c");
    assert!(matches!(&over, Standing::Over(text) if text.contains("`spending.day_tokens`")));
}

#[test]
fn proxies_count_together_and_afresh_with_a_new_day() {
    let directory = std::env::temp_dir().join(format!("unstuck-spending-{}", std::process::id()));
    let one = Spending::new(options(Some(&directory)));
    let two = Spending::new(options(Some(&directory)));
    assert_eq!(two.standing("a"), Standing::Within);
    one.spend("a", &used("m", 600));
    two.spend("a", &used("m", 600));
    assert!(matches!(one.standing("a"), Standing::Over(_)));
    assert!(matches!(two.standing("a"), Standing::Over(_)));
    assert_eq!(one.of("a").tokens, 1_200);
    // One that starts later reads what was used before.
    let three = Spending::new(options(Some(&directory)));
    assert!(matches!(three.standing("a"), Standing::Over(_)));
    let text = std::fs::read_to_string(directory.join("1970-01-01.jsonl")).expect("a file");
    assert_eq!(text.lines().count(), 2);
    std::fs::remove_dir_all(&directory).expect("removed");
}

#[test]
fn sums_are_rounded_and_small_limits_keep_their_digits() {
    assert_eq!(dollars(55_800), "$0.06");
    assert_eq!(dollars(999_999), "$1.00");
    assert_eq!(dollars(12_340_000), "$12.34");
    assert_eq!(dollars(9_999), "under 1¢");
    assert_eq!(dollars(0), "$0.00");
    let spending = |model: &str, limit| {
        let mut options = options(None);
        options.session.micros = Some(limit);
        options.day = SpendingLimit {
            micros: None,
            tokens: Some(13),
        };
        let spending = Spending::new(options);
        spending.spend("a", &used(model, 13));
        spending
    };
    let over = spending("m", 12_500).standing("a");
    let Standing::Over(text) = &over else {
        panic!("{over:?}");
    };
    assert!(text.contains("$0.013 of $0.0125 today. In all, 1 answer used 13 tokens for $0.01."));
    // Without a price only tokens are known.
    let over = spending("free", 12_500).standing("a");
    assert!(
        matches!(&over, Standing::Over(text) if text.contains("In all, 1 answer used 13 tokens. To go on"))
    );
    let mut small = options(None);
    small.session.micros = Some(15_000);
    let small = Spending::new(small);
    small.spend("a", &used("m", 13));
    let warned = small.standing("a");
    assert!(
        matches!(&warned, Standing::Warned(text) if text.contains("86% of the limit of this session is used: $0.013 of $0.015"))
    );
}
