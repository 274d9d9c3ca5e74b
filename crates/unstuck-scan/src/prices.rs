//! What requests to models cost.

use std::collections::{BTreeMap, BTreeSet};

use unstuck::settings::ToolPattern;
use unstuck_config::Price;
use unstuck_transcript::{Tokens, Usage};

/// The day the list below was looked up.
pub const LISTED_ON: &str = "2026-11-15";

/// List prices of well-known models, in dollars for a million tokens: read, written, read from the cache, written to it.
/// The first pattern that matches counts. Long contexts, batches, regions and subscriptions cost otherwise; who needs to
/// know writes a table `[prices]`.
const LIST: &[(&str, f64, f64, f64, f64)] = &[
    ("*claude-fable-5-1*", 10.0, 50.0, 0.25, 12.5),
    ("*claude-fable-5*", 10.0, 50.0, 1.0, 12.5),
    ("*claude-mythos-5-1*", 10.0, 50.0, 0.25, 12.5),
    ("*claude-mythos-5*", 10.0, 50.0, 1.0, 12.5),
    ("*claude-opus-5-5*", 4.0, 20.0, 0.2, 5.0),
    ("*claude-opus-5*", 5.0, 25.0, 0.5, 6.25),
    ("*claude-opus-4-5*", 5.0, 25.0, 0.5, 6.25),
    ("*claude-opus-4-6*", 5.0, 25.0, 0.5, 6.25),
    ("*claude-opus-4-7*", 5.0, 25.0, 0.5, 6.25),
    ("*claude-opus-4-8*", 5.0, 25.0, 0.5, 6.25),
    ("*claude-opus-4*", 15.0, 75.0, 1.5, 18.75),
    ("*claude-sonnet-5*", 2.0, 10.0, 0.2, 2.5),
    ("*claude-sonnet-4*", 3.0, 15.0, 0.3, 3.75),
    ("*claude-3-7-sonnet*", 3.0, 15.0, 0.3, 3.75),
    ("*claude-3-5-sonnet*", 3.0, 15.0, 0.3, 3.75),
    ("*claude-haiku-5-5*", 0.1, 0.5, 0.01, 0.125),
    ("*claude-haiku-4*", 1.0, 5.0, 0.1, 1.25),
    ("*claude-3-5-haiku*", 0.8, 4.0, 0.08, 1.0),
    ("*gpt-6.1-sol*", 2.0, 10.0, 0.1, 2.5),
    ("*gpt-6.1-terra*", 1.0, 5.0, 0.05, 1.25),
    ("*gpt-6-sol*", 2.0, 10.0, 0.2, 2.5),
    ("*gpt-6-luna*", 0.1, 0.5, 0.01, 0.125),
    ("*gpt-5.6-sol*", 5.0, 30.0, 0.5, 5.0),
    ("*gpt-5.6-terra*", 2.0, 12.0, 0.2, 2.0),
    ("*gpt-5.6-luna*", 0.2, 1.2, 0.02, 0.2),
    ("*gpt-5.5-pro*", 30.0, 180.0, 30.0, 30.0),
    ("*gpt-5.5", 5.0, 30.0, 0.5, 5.0),
    ("*gpt-5.5-20*", 5.0, 30.0, 0.5, 5.0),
    ("*gpt-5.4-pro*", 30.0, 180.0, 30.0, 30.0),
    ("*gpt-5.4-mini*", 0.75, 4.5, 0.075, 0.75),
    ("*gpt-5.4-nano*", 0.2, 1.25, 0.02, 0.2),
    ("*gpt-5.4*", 2.5, 15.0, 0.25, 2.5),
    ("*gpt-5.3-codex*", 1.75, 14.0, 0.175, 1.75),
    ("*gpt-5.2*", 1.75, 14.0, 0.175, 1.75),
    ("*gpt-5.1*", 1.25, 10.0, 0.125, 1.25),
    ("*gpt-5-mini*", 0.25, 2.0, 0.025, 0.25),
    ("*gpt-5-nano*", 0.05, 0.4, 0.005, 0.05),
    ("*gpt-5-codex*", 1.25, 10.0, 0.125, 1.25),
    ("*gpt-5", 1.25, 10.0, 0.125, 1.25),
    ("*gpt-5-20*", 1.25, 10.0, 0.125, 1.25),
    ("*gpt-4.1-mini*", 0.4, 1.6, 0.1, 0.4),
    ("*gpt-4.1-nano*", 0.1, 0.4, 0.025, 0.1),
    ("*gpt-4.1*", 2.0, 8.0, 0.5, 2.0),
    ("*gpt-4o-mini*", 0.15, 0.6, 0.075, 0.15),
    ("*gpt-4o*", 2.5, 10.0, 1.25, 2.5),
    ("*gemini-4-argon*", 2.0, 10.0, 0.1, 2.0),
    ("*gemini-3.6-flash*", 1.5, 7.5, 0.15, 1.5),
    ("*gemini-3.5-flash*", 1.5, 9.0, 0.15, 1.5),
    ("*gemini-3*-pro*", 2.0, 12.0, 0.2, 2.0),
    ("*gemini-2.5-pro*", 1.25, 10.0, 0.125, 1.25),
    ("*gemini-2.5-flash-lite*", 0.1, 0.4, 0.01, 0.1),
    ("*gemini-2.5-flash*", 0.3, 2.5, 0.03, 0.3),
];

/// Models that are looked up once; more than that are looked up each time.
const MAX_KNOWN: usize = 1_024;

/// Prices, and the models that have none.
pub(crate) struct Prices<'a> {
    own: &'a unstuck_config::Prices,
    known: BTreeMap<Box<str>, Option<Price>>,
    unpriced: BTreeSet<String>,
}

impl<'a> Prices<'a> {
    pub(crate) fn new(own: &'a unstuck_config::Prices) -> Self {
        Self {
            own,
            known: BTreeMap::new(),
            unpriced: BTreeSet::new(),
        }
    }

    /// What a request cost, in dollars. What the transcript says itself goes before all prices.
    pub(crate) fn price(&mut self, usage: &Usage) -> Option<f64> {
        if let Some(micros) = usage.cost_micros {
            return Some(tokens(micros) / 1e6);
        }
        let count = usage.tokens;
        if count.total() == 0 {
            return None;
        }
        let Some(price) = self.of(&usage.model) else {
            if self.unpriced.len() < MAX_KNOWN {
                self.unpriced.insert(match &*usage.model {
                    "" => "a model without a name".to_owned(),
                    name => name.to_owned(),
                });
            }
            return None;
        };
        Some(dollars(&price, count))
    }

    /// The models that were asked for in vain.
    pub(crate) fn into_unpriced(self) -> BTreeSet<String> {
        self.unpriced
    }

    fn of(&mut self, model: &str) -> Option<Price> {
        if let Some(known) = self.known.get(model) {
            return *known;
        }
        let price = price_of(self.own, model);
        if self.known.len() < MAX_KNOWN {
            self.known.insert(model.into(), price);
        }
        price
    }
}

/// The price of a model: the user's own, or else the list price. `None` if neither is known.
pub fn price_of(own: &unstuck_config::Prices, model: &str) -> Option<Price> {
    own.of(model).or_else(|| listed(model))
}

/// What tokens cost at a price, in dollars.
pub fn dollars(price: &Price, count: Tokens) -> f64 {
    let dollars = tokens(count.input) * price.input
        + tokens(count.output) * price.output
        + tokens(count.cache_read) * price.cache_read.unwrap_or(price.input)
        + tokens(count.cache_write) * price.cache_write.unwrap_or(price.input);
    dollars / 1e6
}

fn listed(model: &str) -> Option<Price> {
    LIST.iter()
        .find(|(pattern, ..)| ToolPattern::new(*pattern).matches(model))
        .map(|(_, input, output, read, write)| {
            Price::new(*input, *output).with_cache(*read, *write)
        })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "money does not need the last of sixteen digits"
)]
fn tokens(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
