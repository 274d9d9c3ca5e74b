//! Which arguments a policy reads, found before any call is judged.
//!
//! Only these are converted for Cedar: a policy about `path` costs nothing for a call with a large `content`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    Asked,
    tree::{context_path, has_path, parts},
};

/// Members of one record of the context that are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Names {
    /// The record is not mentioned.
    #[default]
    Unread,
    /// These members.
    Only(BTreeSet<Box<str>>),
    /// The record as a whole.
    All,
}

/// The calls that a policy can apply to, by its scope.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scope {
    Any,
    /// `resource == Tool::"server/tool"`.
    Tool(Box<str>),
    /// `resource in Server::"server"`.
    Server(Box<str>),
}

/// What one policy reads of the calls that it can apply to.
#[derive(Clone, Debug)]
pub(super) struct Needs {
    scope: Scope,
    pub(super) arguments: Names,
    pub(super) types: Names,
    pub(super) numbers: Names,
}

impl Needs {
    pub(super) fn of(policy: &Value) -> Self {
        let mut needs = Self {
            scope: Scope::of(&policy["resource"]),
            arguments: Names::Unread,
            types: Names::Unread,
            numbers: Names::Unread,
        };
        needs.walk(&policy["conditions"]);
        needs
    }

    /// Whether the policy's scope matches the call.
    pub(super) fn applies_to(&self, asked: &Asked<'_>) -> bool {
        match &self.scope {
            Scope::Any => true,
            Scope::Server(server) => **server == *asked.server,
            Scope::Tool(tool) => {
                let tool = tool.strip_prefix(asked.server);
                tool.and_then(|tool| tool.strip_prefix('/')) == Some(asked.tool)
            }
        }
    }

    fn walk(&mut self, expression: &Value) {
        if let Some(path) = context_path(expression) {
            self.note(&path);
        } else if let Some(path) = has_path(expression) {
            match path[..] {
                // The record itself is always there once it is mentioned.
                [record] => self.note(&[record, ""]),
                _ => self.note(&path),
            }
        } else {
            parts(expression).for_each(|part| self.walk(part));
        }
    }

    fn note(&mut self, path: &[&str]) {
        let [record, rest @ ..] = path else {
            for names in [&mut self.arguments, &mut self.types, &mut self.numbers] {
                *names = Names::All;
            }
            return;
        };
        let names = match *record {
            "arguments" => &mut self.arguments,
            "types" => &mut self.types,
            "numbers" => &mut self.numbers,
            _ => return,
        };
        match rest.first() {
            Some(name) => names.add(name),
            None => *names = Names::All,
        }
    }
}

impl Names {
    pub(super) fn contains(&self, name: &str) -> bool {
        match self {
            Self::Unread => false,
            Self::Only(names) => names.contains(name),
            Self::All => true,
        }
    }

    fn add(&mut self, name: &str) {
        match self {
            Self::Unread => *self = Self::Only(BTreeSet::from([name.into()])),
            Self::Only(names) => {
                names.insert(name.into());
            }
            Self::All => {}
        }
    }
}

impl Scope {
    fn of(resource: &Value) -> Self {
        let entity = &resource["entity"];
        let id = |kind: &str| match (entity["type"] == kind, entity["id"].as_str()) {
            (true, Some(id)) => Some(Box::from(id)),
            _ => None,
        };
        let scope = match resource["op"].as_str() {
            Some("==") => id("Tool").map(Self::Tool),
            Some("in") => id("Server").map(Self::Server),
            _ => None,
        };
        scope.unwrap_or(Self::Any)
    }
}
