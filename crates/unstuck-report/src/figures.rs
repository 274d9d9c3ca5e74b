//! Numbers and times as people read them.

use jiff::Timestamp;

use crate::{
    plain::{Cut, one_line},
    report::{Loop, Totals, Wasted},
};

/// Stands below a report with loops.
pub(crate) const WOULD_HAVE: &str =
    "Verdicts are what unstuck would have done; nothing was stopped.";

/// Stands for what is not known.
pub(crate) const UNKNOWN: &str = "–";

/// `1,234,567`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 loop`, `1,234 loops`
pub fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// `1 token`, `940 tokens`, `12.3k tokens`
pub(crate) fn counted_tokens(number: u64) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} token{plural}", short(number))
}

/// `7 of 11 runs got stuck in loops`, without a full stop.
pub(crate) fn stuck(totals: &Totals) -> String {
    match (totals.runs, totals.loops) {
        (1, 1) => "The run got stuck in a loop".to_owned(),
        (1, _) => "The run got stuck in loops".to_owned(),
        _ => format!(
            "{} of {} got stuck in loops",
            grouped(totals.stuck),
            counted(totals.runs, "run")
        ),
    }
}

/// `9 laps of 1 call`; loops of words have no calls: `9 times`.
pub(crate) fn laps(each: &Loop) -> String {
    if each.members.is_empty() {
        return counted(each.repeats, "time");
    }
    format!(
        "{} of {}",
        counted(each.repeats, "lap"),
        counted(each.period.max(1), "call")
    )
}

/// `940`, `12.3k`, `4.5M`
pub(crate) fn short(number: u64) -> String {
    scaled(number, 1000, &["", "k", "M", "G", "T"])
}

/// `940 B`, `12.3 kB`, `4.5 GB`
pub(crate) fn bytes(number: u64) -> String {
    scaled(number, 1000, &[" B", " kB", " MB", " GB", " TB"])
}

/// `$12.40`; small sums as less than a cent, so that they do not look free.
pub(crate) fn dollars(amount: f64) -> String {
    if amount > 0.0 && amount < 0.01 {
        return "under 1¢".to_owned();
    }
    let cents = (amount.max(0.0) * 100.0).round();
    #[expect(
        clippy::cast_sign_loss,
        reason = "not negative, and a cast of a float saturates"
    )]
    let cents = cents as u64;
    format!("${}.{:02}", grouped(cents / 100), cents % 100)
}

/// What money is known to have been spent. Nothing at all, in a report with models that have no price, is not known to
/// be nothing.
pub(crate) fn priced(wasted: &Wasted, totals: &Totals) -> Option<f64> {
    wasted
        .usd
        .filter(|usd| *usd > 0.0 || totals.unpriced.is_empty())
}

/// Tokens for a table.
pub(crate) fn tokens(wasted: &Wasted) -> String {
    match wasted.tokens {
        0 => UNKNOWN.to_owned(),
        tokens => short(tokens),
    }
}

/// Money for a table.
pub(crate) fn money(wasted: &Wasted, totals: &Totals) -> String {
    priced(wasted, totals).map_or_else(|| UNKNOWN.to_owned(), dollars)
}

/// The models without a price, the first few of them.
pub(crate) fn unpriced(totals: &Totals) -> String {
    const SHOWN: usize = 4;
    let names = totals.unpriced.iter().take(SHOWN).map(|model| {
        if model.is_empty() {
            "(unnamed model)".to_owned()
        } else {
            one_line(model, 40, Cut::End)
        }
    });
    let names: Vec<_> = names.collect();
    let more = match totals.unpriced.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("No price for: {}{more}.", names.join(", "))
}

/// `7.0 %`; nothing where there is nothing to take a share of.
pub(crate) fn share(part: u64, whole: u64) -> Option<String> {
    if whole == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let percent = part as f64 * 100.0 / whole as f64;
    Some(format!("{percent:.1} %"))
}

/// `13 calls · 42.0k tokens · $0.12`, without what is not known.
pub(crate) fn cost(wasted: &Wasted) -> String {
    let mut parts = Vec::new();
    // A loop of words wastes tokens and no call.
    if wasted.calls > 0 || wasted.tokens == 0 {
        parts.push(counted(wasted.calls, "call"));
    }
    if wasted.tokens > 0 {
        parts.push(counted_tokens(wasted.tokens));
    }
    if let Some(usd) = wasted.usd.filter(|usd| *usd > 0.0) {
        parts.push(dollars(usd));
    }
    parts.join(" · ")
}

/// `52 loops`, and behind it `1,284 calls wasted, 7.0 % of all · 3.2M tokens · $41.20`.
pub(crate) fn waste(totals: &Totals) -> [String; 2] {
    let wasted = &totals.wasted;
    let calls = format!("{} wasted", counted(wasted.calls, "call"));
    let mut parts = vec![match share(wasted.calls, totals.calls) {
        Some(share) => format!("{calls}, {share} of all"),
        None => calls,
    }];
    if wasted.tokens > 0 {
        parts.push(counted_tokens(wasted.tokens));
    }
    if let Some(usd) = priced(wasted, totals) {
        let least = if totals.unpriced.is_empty() {
            ""
        } else {
            "at least "
        };
        parts.push(format!("{least}{}", dollars(usd)));
    } else if wasted.tokens > 0 {
        parts.push("cost unknown".to_owned());
    }
    [counted(totals.loops, "loop"), parts.join(" · ")]
}

/// `2026-11-14`, in UTC.
pub(crate) fn day(milliseconds: i64) -> Option<String> {
    Some(date(milliseconds)?.strftime("%Y-%m-%d").to_string())
}

/// `2026-11-14T09:30:00Z`
pub(crate) fn second(milliseconds: i64) -> Option<String> {
    let time = date(milliseconds)?;
    Some(time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// Agents may count time from anywhere: a time before 2015 is not shown as a date. The page has the same rule.
fn date(milliseconds: i64) -> Option<Timestamp> {
    const EARLIEST: i64 = 1_420_070_400_000;
    (milliseconds >= EARLIEST).then_some(())?;
    Timestamp::from_millisecond(milliseconds).ok()
}

fn scaled(number: u64, step: u64, units: &[&str]) -> String {
    let mut unit = 0;
    let mut size = 1_u64;
    // A tenth below the next unit would be rounded up to it: 999,950 is 1.0M, not 1000.0k.
    while unit + 1 < units.len() && number >= size * step - size * step / 20_000 {
        unit += 1;
        size *= step;
    }
    let name = units.get(unit).copied().unwrap_or_default();
    if unit == 0 {
        return format!("{number}{name}");
    }
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let value = number as f64 / size as f64;
    format!("{value:.1}{name}")
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
