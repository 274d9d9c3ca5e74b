//! What a call sets, and apart from that to what.

use serde::{Deserialize, Serialize};

use super::CallView;
use crate::{
    fingerprint::Mark,
    vocab::{
        arguments::{ArgumentRole, PLACES, VALUES},
        tools::{self, ToolWords},
    },
};
use unstuck_json::JsonKind;

/// The target of a call that sets something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Target(pub(crate) Mark);

impl Target {
    /// The target of a call: its tool, and its arguments without the value. `None` for calls that do not put one value in
    /// the place of another.
    pub(crate) fn of(view: &CallView<'_>) -> Option<Self> {
        let adds = view.words.say(ToolWords::WRITES_IN_PART) || view.words.say(ToolWords::TELLS);
        if view.command.is_some() || adds {
            return None;
        }
        of(view)
    }
}

fn of(view: &CallView<'_>) -> Option<Target> {
    let (tool, words, args) = (&*view.call.tool, view.words, &view.args);
    if args.whole.kind() != JsonKind::Object || !words.say(ToolWords::SETS) {
        return None;
    }
    // An edit changes a part of something, and each of many parts once.
    let is_part =
        args.role(ArgumentRole::OldText).is_some() || args.role(ArgumentRole::Place).is_some();
    if is_part {
        return None;
    }
    let mut target = Mark::from(view.tool);
    let (mut values, mut others) = (0, 0);
    for member in &args.members {
        if is_value(tool, &member.name) {
            values += 1;
            continue;
        }
        others += 1;
        let value = Mark::of_data(member.value.as_str());
        target = target.join(Mark::from(member.tag)).join(value);
    }
    let is_whole = others == 0 && words.say(ToolWords::SETS_ONE);
    (values > 0 && (others > 0 || is_whole)).then_some(Target(target))
}

/// Whether an argument holds what is put somewhere. In `set_temperature {"temperature": 21}` the name of the tool says so.
fn is_value(tool: &str, name: &str) -> bool {
    let is_named = |last: &str| last == name && !PLACES.contains(&name);
    VALUES.contains(&name) || tools::words(tool).last().is_some_and(is_named)
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
