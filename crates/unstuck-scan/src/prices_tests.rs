use unstuck_config::{Layer, load};

use super::*;

fn usage(model: &str, tokens: Tokens) -> Usage {
    Usage {
        model: model.into(),
        tokens,
        ..Usage::default()
    }
}

const MILLION: Tokens = Tokens {
    input: 1_000_000,
    output: 1_000_000,
    cache_read: 1_000_000,
    cache_write: 1_000_000,
};

fn own(text: &str) -> unstuck_config::Prices {
    let layer = Layer::new("unstuck.toml", text);
    load(&[layer], None).expect("prices").prices
}

#[test]
fn cached_tokens_have_their_own_price() {
    let own = own("");
    let mut prices = Prices::new(&own);
    let sonnet = usage("claude-sonnet-4-5-20250929", MILLION);
    assert_eq!(prices.price(&sonnet), Some(3.0 + 15.0 + 0.3 + 3.75));
    let regional = usage("us.anthropic.claude-sonnet-4-5-v1:0", MILLION);
    assert_eq!(prices.price(&regional), Some(22.05));
}

#[test]
fn newer_models_are_not_taken_for_their_ancestors() {
    let own = own("");
    let mut prices = Prices::new(&own);
    let one = Tokens {
        input: 1_000_000,
        ..Tokens::default()
    };
    let mut input = |model: &str| prices.price(&usage(model, one));
    assert_eq!(input("claude-opus-4-1-20250805"), Some(15.0));
    assert_eq!(input("claude-opus-4-5-20251101"), Some(5.0));
    assert_eq!(input("claude-opus-5-5"), Some(4.0));
    assert_eq!(input("gpt-5"), Some(1.25));
    assert_eq!(input("gpt-5-2025-08-07"), Some(1.25));
    assert_eq!(input("gpt-5-mini"), Some(0.25));
    // These have no price.
    assert_eq!(input("gpt-5.9"), None);
    assert_eq!(input("gpt-5-unheard-of"), None);
    assert_eq!(
        prices.into_unpriced().into_iter().collect::<Vec<_>>(),
        ["gpt-5-unheard-of", "gpt-5.9"]
    );
}

#[test]
fn own_prices_go_first_and_what_the_transcript_says_goes_before_them() {
    let own = own("[prices.\"claude-*\"]\ninput = 1\noutput = 1\n");
    let mut prices = Prices::new(&own);
    let mut request = usage("claude-opus-4-5", MILLION);
    assert_eq!(prices.price(&request), Some(4.0));
    request.cost_micros = Some(1_250_000);
    assert_eq!(prices.price(&request), Some(1.25));
}

#[test]
fn without_tokens_no_price_is_missing() {
    let own = own("");
    let mut prices = Prices::new(&own);
    assert_eq!(prices.price(&usage("<synthetic>", Tokens::default())), None);
    assert!(prices.into_unpriced().is_empty());
}
