//! Members of arguments and outputs that change without meaning anything.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
};

use unstuck::{Event, EventKind, Json};
use unstuck_json::{JsonKind, JsonRef};

use super::story::{Happening, What, mark};

/// Tools whose members are looked at.
const MAX_TOOLS: usize = 256;
/// Different sets of members that changed, for each tool.
const MAX_SETS: usize = 32;
/// Larger objects are not compared.
const MAX_MEMBERS: usize = 64;
/// Answers that are remembered to be compared with the next.
const MAX_REMEMBERED: usize = 256;
/// Times a change has to be seen before it says anything.
const ENOUGH: u64 = 3;

/// What is known of the members of every tool.
#[derive(Default)]
pub struct Fields {
    tools: BTreeMap<Rc<str>, ToolFields>,
}

#[derive(Default)]
struct ToolFields {
    /// Equal calls with different answers: which members changed, and how often.
    answers: BTreeMap<Names, u64>,
    /// Different calls one after the other: which arguments changed, and whether the answer did.
    arguments: BTreeMap<Names, Answers>,
    /// All arguments ever given.
    all: Names,
}

#[derive(Clone, Copy, Default)]
struct Answers {
    same: u64,
    other: u64,
}

type Names = BTreeSet<String>;
type Members = BTreeMap<String, u64>;

/// The last value of each key, the one that was not asked for longest first.
type Lately<K, V> = VecDeque<(K, V)>;

/// What is remembered while one recording is read.
#[derive(Default)]
pub struct FieldMemory {
    /// The last answer to a call of an agent.
    answers: Lately<(usize, u64), Members>,
    /// The last call of a tool by an agent: its arguments and its answer.
    calls: Lately<(usize, Rc<str>), (Members, u64)>,
}

impl Fields {
    pub fn see(&mut self, event: &Event, happening: &Happening, memory: &mut FieldMemory) {
        let (EventKind::Result(outcome), What::Came(made, _)) = (&event.kind, &happening.what)
        else {
            return;
        };
        if !self.tools.contains_key(&made.tool) && self.tools.len() >= MAX_TOOLS {
            return;
        }
        let tool = self.tools.entry(Rc::clone(&made.tool)).or_default();
        let agent = happening.agent;
        let output = outcome.output.as_ref();
        if let Some(members) = output.and_then(|output| members(output.view())) {
            let before = remember(&mut memory.answers, (agent, made.mark), members.clone());
            if let Some(before) = before {
                let changed = changed(&before, &members);
                // Where nothing stays the same the answer is another one altogether.
                if !changed.is_empty() && changed.len() < members.len() {
                    *slot(&mut tool.answers, changed) += 1;
                }
            }
        }
        let arguments = made.args.as_ref().and_then(|args| members(args.view()));
        if let Some(arguments) = arguments.filter(|arguments| !arguments.is_empty()) {
            if tool.all.len() <= MAX_MEMBERS {
                tool.all.extend(arguments.keys().cloned());
            }
            let answer = mark(&output.map(Json::as_str));
            let key = (agent, Rc::clone(&made.tool));
            let before = remember(&mut memory.calls, key, (arguments.clone(), answer));
            if let Some((before, answer_before)) = before {
                let changed = changed(&before, &arguments);
                if !changed.is_empty() {
                    let seen = slot(&mut tool.arguments, changed);
                    if answer == answer_before {
                        seen.same += 1;
                    } else {
                        seen.other += 1;
                    }
                }
            }
        }
    }

    /// For each tool the members of its answers that may be volatile, with the times only they changed.
    pub fn volatile(&self) -> impl Iterator<Item = (&Rc<str>, Vec<String>, u64)> {
        self.tools.iter().filter_map(|(tool, fields)| {
            let times: u64 = fields.answers.values().sum();
            let mut by_name: BTreeMap<&String, u64> = BTreeMap::new();
            for (names, count) in &fields.answers {
                for name in names {
                    *by_name.entry(name).or_default() += count;
                }
            }
            // What changes every other time or more; a state that changes now and then is news.
            let often = by_name.into_iter().filter(|(_, count)| count * 2 >= times);
            let often: Names = often.map(|(name, _)| name.clone()).collect();
            let only = fields.answers.iter();
            let only: u64 = only
                .filter(|(names, _)| names.is_subset(&often))
                .map(|(_, count)| count)
                .sum();
            (!often.is_empty() && only >= ENOUGH).then(|| (tool, often.into_iter().collect(), only))
        })
    }

    /// For each tool the arguments that matter where others do not, with the times the others changed alone and the
    /// answer stayed the same.
    pub fn keys(&self) -> impl Iterator<Item = (&Rc<str>, Vec<String>, u64)> {
        self.tools.iter().filter_map(|(tool, fields)| {
            let idle = fields.arguments.iter();
            let (idle, times) = idle
                .filter(|(_, answers)| answers.other == 0 && answers.same >= ENOUGH)
                .max_by_key(|(_, answers)| answers.same)?;
            // An answer that never changes with anything tells nothing: `ok` for every item of a list.
            let telling = fields
                .arguments
                .iter()
                .any(|(names, answers)| names.is_disjoint(idle) && answers.other > 0);
            let key: Vec<_> = fields.all.difference(idle).cloned().collect();
            (telling && !key.is_empty() && fields.all.len() <= MAX_MEMBERS)
                .then_some((tool, key, times.same))
        })
    }
}

fn members(value: JsonRef<'_>) -> Option<Members> {
    if value.kind() != JsonKind::Object {
        return None;
    }
    let members = value.members().take(MAX_MEMBERS + 1);
    let members: Members = members
        .map(|(name, value)| (name.into_owned(), mark(&value.as_str())))
        .collect();
    (members.len() <= MAX_MEMBERS).then_some(members)
}

fn changed(before: &Members, now: &Members) -> Names {
    let names = before.keys().chain(now.keys());
    names
        .filter(|name| before.get(*name) != now.get(*name))
        .cloned()
        .collect()
}

/// The counter of a set. When there are too many different sets, further ones count for nothing.
fn slot<T: Default>(sets: &mut BTreeMap<Names, T>, names: Names) -> &mut T {
    let full = sets.len() >= MAX_SETS && !sets.contains_key(&names);
    // The empty set is never asked for.
    sets.entry(if full { Names::new() } else { names })
        .or_default()
}

/// Puts a value in place of the one before, which is returned; the oldest makes room.
fn remember<K: PartialEq, V>(memory: &mut Lately<K, V>, key: K, value: V) -> Option<V> {
    let at = memory.iter().position(|(known, _)| *known == key);
    let before = at.and_then(|at| memory.remove(at)).map(|(_, value)| value);
    if memory.len() >= MAX_REMEMBERED {
        memory.pop_front();
    }
    memory.push_back((key, value));
    before
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
