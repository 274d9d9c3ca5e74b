use super::*;

#[test]
fn thousands_are_grouped() {
    let all = [0, 12, 999, 1000, 1_234_567].map(grouped);
    assert_eq!(all, ["0", "12", "999", "1,000", "1,234,567"]);
    assert_eq!(counted(1, "loop"), "1 loop");
    assert_eq!(counted(1200, "loop"), "1,200 loops");
}

#[test]
fn large_numbers_are_shortened_without_a_thousand_of_a_unit() {
    let all = [0, 999, 1000, 12_340, 999_949, 999_950, 4_500_000, u64::MAX].map(short);
    assert_eq!(
        all,
        [
            "0",
            "999",
            "1.0k",
            "12.3k",
            "999.9k",
            "1.0M",
            "4.5M",
            "18446744.1T"
        ]
    );
    assert_eq!(bytes(1_200_000_000), "1.2 GB");
}

#[test]
fn money_has_cents_and_is_never_free_by_rounding() {
    let all = [0.0, 0.001, 0.014, 0.995, 12.4, 1234.5].map(dollars);
    assert_eq!(
        all,
        ["$0.00", "under 1¢", "$0.01", "$1.00", "$12.40", "$1,234.50"]
    );
}

#[test]
fn a_share_of_nothing_is_not_told() {
    assert_eq!(share(1, 0), None);
    assert_eq!(share(7, 100).as_deref(), Some("7.0 %"));
}

#[test]
fn a_cost_leaves_out_what_is_not_known() {
    let all = Wasted {
        calls: 13,
        tokens: 42_000,
        usd: Some(0.124),
    };
    assert_eq!(cost(&all), "13 calls · 42.0k tokens · $0.12");
    assert_eq!(
        cost(&Wasted {
            calls: 1,
            ..Wasted::default()
        }),
        "1 call"
    );
    assert_eq!(
        cost(&Wasted {
            tokens: 900,
            ..Wasted::default()
        }),
        "900 tokens"
    );
    assert_eq!(cost(&Wasted::default()), "0 calls");
}

#[test]
fn times_are_written_in_utc() {
    assert_eq!(day(1_420_070_400_000).as_deref(), Some("2015-01-01"));
    assert_eq!(
        second(1_794_646_800_123).as_deref(),
        Some("2026-11-14T09:00:00Z")
    );
    assert_eq!(day(i64::MAX), None);
    assert_eq!(day(91_000), None, "a clock that began with the run");
}

#[test]
fn a_cost_is_unknown_only_if_tokens_were_used() {
    let mut totals = Totals {
        loops: 2,
        calls: 10,
        ..Totals::default()
    };
    totals.wasted.calls = 3;
    assert_eq!(waste(&totals), ["2 loops", "3 calls wasted, 30.0 % of all"]);
    totals.wasted.tokens = 12_300;
    assert_eq!(
        waste(&totals)[1],
        "3 calls wasted, 30.0 % of all · 12.3k tokens · cost unknown"
    );
    totals.wasted.usd = Some(0.5);
    assert_eq!(
        waste(&totals)[1],
        "3 calls wasted, 30.0 % of all · 12.3k tokens · $0.50"
    );
}
