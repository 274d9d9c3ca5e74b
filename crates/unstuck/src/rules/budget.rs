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
    // The call that is about to be made counts: it is the one that would go over.
    let coming = u64::from(matches!(moment, Moment::Call(_)));
    let limits = [
        (
            "steps",
            (spent.steps + coming) as f64,
            options.steps.map(|limit| limit as f64 + coming as f64),
        ),
        (
            "tokens",
            spent.tokens as f64,
            options.tokens.map(|limit| limit as f64),
        ),
        ("cost", spent.cost_micros as f64 / 1e6, options.cost),
        (
            "seconds",
            spent.milliseconds as f64 / 1e3,
            options.seconds.map(|limit| limit as f64),
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
    let line = u32::try_from(scene.line).unwrap_or(u32::MAX);
    let mut spotted = Spotted::single(RuleName::Budget, percent, (line, scene.line), Mark(0), None);
    spotted.finding.repeats = 1;
    spotted.finding.pattern = vec![format!("{name} {used} of {limit}").into()];
    spotted.facts.budget = Some((format!("{used} {name}").into(), format!("{limit}").into()));
    Some(spotted)
}
