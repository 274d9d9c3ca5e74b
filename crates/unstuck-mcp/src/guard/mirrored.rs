//! Arguments that clients repeat in headers, because a tool's schema asks for it with `x-mcp-header`.
//!
//! A program in front of a server may go by the header, and the server by the argument: they must not differ.

use unstuck::Json;
use unstuck_json::{JsonKind, JsonRef};

/// An argument that is repeated in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mirrored {
    /// The header's name behind `Mcp-Param-`.
    pub(super) header: Box<str>,
    /// The names that lead to the argument.
    path: Box<[Box<str>]>,
}

/// More than anybody asks for, of one tool.
const MOST: usize = 64;

/// Schemas that are nested deeper than this name no arguments that anybody gives.
const DEEPEST: usize = 16;

impl Mirrored {
    /// What a tool's schema asks for.
    pub(super) fn all_of(schema: Option<JsonRef<'_>>) -> Vec<Self> {
        let mut found = Vec::new();
        if let Some(schema) = schema {
            find(schema, &mut Vec::new(), &mut found);
        }
        found
    }

    /// The argument; nothing where it is not given.
    pub(super) fn argument<'a>(&self, arguments: Option<&'a Json>) -> Option<JsonRef<'a>> {
        let mut value = arguments?.view();
        for name in &self.path {
            value = value.get(name)?;
        }
        (value.kind() != JsonKind::Null).then_some(value)
    }
}

fn find(schema: JsonRef<'_>, path: &mut Vec<Box<str>>, found: &mut Vec<Mirrored>) {
    let Some(properties) = schema.get("properties") else {
        return;
    };
    for (name, property) in properties.members() {
        if found.len() >= MOST || path.len() >= DEEPEST {
            return;
        }
        path.push(name.into());
        let header = property.get("x-mcp-header").and_then(JsonRef::text);
        if let Some(header) = header.filter(|header| is_token(header)) {
            found.push(Mirrored {
                header: header.into(),
                path: path.clone().into(),
            });
        }
        find(property, path, found);
        path.pop();
    }
}

/// Whether a header can have this name. Others are never sent, so they are not asked for.
fn is_token(name: &str) -> bool {
    let is_sign = |byte: &u8| b"!#$%&'*+-.^_`|~".contains(byte);
    !name.is_empty()
        && name
            .as_bytes()
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || is_sign(byte))
}

#[cfg(test)]
#[path = "mirrored_tests.rs"]
mod tests;
