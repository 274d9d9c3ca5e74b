//! `call-burst`: many identical calls in a short time.

use super::{Moment, RuleName, Scene, Spotted, Wording, documented};
use crate::{breaker::Admission, settings::WithoutTime};

documented! {
    /// ## What it does
    ///
    /// Lets 20 identical calls through in any 60 seconds and denies the next. Denied calls are not counted, so the
    /// breaker lets calls through again as soon as old ones have left the window; in the standard preset first a single
    /// one, and more only when that brought something new.
    ///
    /// ## Why
    ///
    /// Code that a model wrote can call a tool in a tight loop, thousands of times before the model sees anything. This
    /// rule looks at calls alone: it needs no results and never waits for any.
    ///
    /// ## Example
    ///
    /// ```text
    /// for (;;) fs.read_file("queue.json")      20 calls pass, then each is denied until a minute has gone by
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the calls are spread over time, or nobody says when they are made (`without_time`);
    /// - their arguments differ.
    ///
    /// ## Options
    ///
    /// - `limit`: identical calls that pass within the window.
    /// - `window_ms`: the window. A call exactly this old has left it.
    /// - `half_open`: whether an open breaker lets a single call through to see if things changed.
    /// - `without_time`: what to do while no event has a time: `count` all calls, or `ignore` the window.
    /// - `keys`: different calls whose windows are kept.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let Moment::Call(action) = moment else {
        return None;
    };
    let options = &scene.settings.rules.call_burst;
    let timeline = scene.timeline;
    if timeline.clock.is_none() && options.without_time == WithoutTime::Ignore {
        return None;
    }
    let Admission::Deny { passed } =
        timeline
            .breaker
            .admission(action.exact, timeline.now(), options)
    else {
        return None;
    };
    let line = u32::try_from(scene.line).unwrap_or(u32::MAX);
    let lines = (line, scene.line);
    let spotted = Spotted::single(
        RuleName::CallBurst,
        passed.saturating_add(1),
        lines,
        action.exact,
        &*action.label,
    );
    // A half-open breaker denies below its limit, too.
    let spotted = spotted.weighing(passed.max(options.limit).saturating_add(1));
    let spotted = if passed < options.limit {
        spotted.worded(Wording::AfterBurst)
    } else {
        spotted
    };
    Some(spotted.of_tool(&action.tool))
}
