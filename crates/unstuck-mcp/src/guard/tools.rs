//! What servers say about their tools, as seen in the lists they gave.

use std::collections::BTreeMap;

use unstuck::{
    Json, Preset, Settings,
    settings::{DenyRung, Rung, ToolLadder, ToolSettings},
};
use unstuck_json::{JsonKind, JsonRef};

use super::mirrored::Mirrored;

/// More tools than anybody offers.
const MOST: usize = 4_096;

/// What is known of the tools of one server.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    known: BTreeMap<Box<str>, Tool>,
    /// Arguments that are repeated in headers, of the tools that have any.
    mirrored: BTreeMap<Box<str>, Vec<Mirrored>>,
}

/// What a server says about a tool. Hints: they make the guard a little stricter or looser, and no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tool {
    pub(super) read_only: Option<bool>,
    pub(super) idempotent: Option<bool>,
    pub(super) destructive: Option<bool>,
    pub(super) output: Output,
}

/// Whether a tool promised a form of its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Output {
    /// It did, or its description was not seen.
    #[default]
    Promised,
    Free,
}

/// Whether anything was learned that changes a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learned {
    Nothing,
    Ladders,
}

impl Tools {
    pub(super) fn get(&self, name: &str) -> Tool {
        self.known.get(name).copied().unwrap_or_default()
    }

    /// The arguments of a tool that are repeated in headers.
    pub(super) fn mirrored(&self, name: &str) -> &[Mirrored] {
        self.mirrored.get(name).map_or(&[], Vec::as_slice)
    }

    /// Takes in the result of `tools/list`.
    pub(super) fn learn(&mut self, result: &Json) -> Learned {
        let mut learned = Learned::Nothing;
        let Some(list) = result.view().get("tools") else {
            return learned;
        };
        for entry in list.elements() {
            let Some(name) = entry.get("name").and_then(JsonRef::text) else {
                continue;
            };
            if self.known.len() >= MOST && !self.known.contains_key(&*name) {
                continue;
            }
            let mirrored = Mirrored::all_of(entry.get("inputSchema"));
            if mirrored.is_empty() {
                self.mirrored.remove(&*name);
            } else {
                self.mirrored.insert(name.clone().into(), mirrored);
            }
            let tool = Tool::read(entry);
            let before = self.known.insert(name.into(), tool).unwrap_or_default();
            if before.ladder() != tool.ladder() {
                learned = Learned::Ladders;
            }
        }
        learned
    }

    /// Ladders for these tools, to be added behind what a person set for tools. Only `standard` has ladders to change:
    /// the others are systems of their own.
    pub(super) fn ladders(&self, server: &str, settings: &Settings) -> Vec<ToolSettings> {
        let mut ladders = Vec::new();
        if settings.preset != Preset::Standard {
            return ladders;
        }
        for (name, tool) in &self.known {
            let Some(ladder) = tool.ladder() else {
                continue;
            };
            let name = full_name(server, name);
            if name.contains(['*', '?']) {
                continue;
            }
            let mut entry = ToolSettings::new(name);
            entry.ladder = ladder;
            ladders.push(entry);
        }
        ladders
    }
}

impl Tool {
    fn read(entry: JsonRef<'_>) -> Self {
        let annotations = entry.get("annotations");
        let hint = |name| annotations?.get(name)?.boolean();
        let read_only = hint("readOnlyHint");
        let destructive = hint("destructiveHint");
        let schema = entry.get("outputSchema");
        Self {
            read_only: match (read_only, destructive) {
                // What destroys something does not only read.
                (None, Some(true)) => Some(false),
                _ => read_only,
            },
            idempotent: hint("idempotentHint"),
            destructive,
            output: match schema.map(JsonRef::kind) {
                None | Some(JsonKind::Null) => Output::Free,
                Some(_) => Output::Promised,
            },
        }
    }

    /// Rungs other than the rules' own: sooner for what destroys and adds up, later for what only reads.
    fn ladder(self) -> Option<ToolLadder> {
        let mut ladder = ToolLadder::default();
        let (nudge, deny, halt) = match self {
            Self {
                read_only: Some(true),
                ..
            } => (4, 8, 12),
            Self {
                destructive: Some(true),
                idempotent: None | Some(false),
                ..
            } => (2, 4, 6),
            _ => return None,
        };
        ladder.nudge = Some(Rung::at(nudge));
        ladder.deny = Some(DenyRung::at(deny));
        ladder.halt = Some(Rung::at(halt));
        Some(ladder)
    }
}

/// A tool's name among those of other servers.
pub(super) fn full_name(server: &str, tool: &str) -> String {
    [server, "__", tool].concat()
}
