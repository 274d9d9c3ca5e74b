//! `budget`: limits on steps, tokens, cost and time.

use super::{Moment, RuleName, Scene, Spotted, documented};
use crate::fingerprint::Mark;

documented! {
    /// ## What it does
    ///
    /// Halts a run that has used up its steps, its tokens, its money or its time, and says so ahead of that where asked
    /// to. It is off unless a limit is set.
    ///
    /// ## Why
    ///
    /// The last resort against loops that nothing else recognises, and the only one whose price is known beforehand.
    ///
    /// ## Example
    ///
    /// ```toml
    /// [rules.budget]
    /// enabled = true
    /// steps = 200
    /// seconds = 1800
    /// nudge_percent = 80
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - ever: a budget does not ask why.
    ///
    /// ## Options
    ///
    /// - `steps`: tool calls and steps. `tokens`, `cost`: as reported with `turn` events (`tokens`, `cost`).
    ///   `seconds`: from the first event.
    /// - `nudge_percent`: the share of a limit at which a nudge is given.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let options = &scene.settings.rules.budget;
    let spent = &scene.timeline.spent;
    // The step that goes over a limit is the one too many: for a call that is the one about to be made.
    let coming = u64::from(matches!(moment, Moment::Call(_)));
    let steps = spent.steps.saturating_add(coming);
    let limits = [
        (
            "steps",
            amount(steps),
            options.steps.map(|limit| amount(limit.saturating_add(1))),
        ),
        ("tokens", amount(spent.tokens), options.tokens.map(amount)),
        ("cost", amount(spent.cost_micros) / 1e6, options.cost),
        (
            "seconds",
            amount(spent.milliseconds) / 1e3,
            options.seconds.map(amount),
        ),
    ];
    let share = |used: f64, limit: f64| {
        if limit > 0.0 {
            used / limit * 100.0
        } else {
            100.0
        }
    };
    let (name, used, limit) = limits
        .into_iter()
        .filter_map(|(name, used, limit)| Some((name, used, limit?)))
        .max_by(|a, b| share(a.1, a.2).total_cmp(&share(b.1, b.2)))?;
    #[expect(clippy::cast_sign_loss, reason = "what was used is never negative")]
    let percent = share(used, limit).min(1e6) as u32;
    let first_rung = options.nudge_percent.unwrap_or(100).min(100);
    if percent < first_rung {
        return None;
    }
    // A budget is used up from the first event on: all of it is one streak.
    let spotted = Spotted::single(RuleName::Budget, 1, (1, scene.line), Mark(0), None);
    let mut spotted = spotted.weighing(percent);
    // What people set is the number of steps that may be made, not the one that is too many.
    let (used, limit) = match name {
        "steps" => (amount(spent.steps), limit - 1.0),
        _ => (used, limit),
    };
    spotted.finding.pattern = vec![format!("{name} {used} of {limit}").into()];
    let used = format!("{used}");
    let unit = match &*used {
        "1" => name.trim_end_matches('s'),
        _ => name,
    };
    spotted.facts.budget = Some((format!("{used} {unit}").into(), format!("{limit}").into()));
    Some(spotted)
}

/// Amounts only serve for a share in percent: beyond 2^53 nobody misses the last digit.
#[expect(clippy::cast_precision_loss, reason = "as the comment says")]
fn amount(value: u64) -> f64 {
    value as f64
}
