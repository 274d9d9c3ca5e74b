//! Entries in the shapes that hosts share.

use crate::{Node, Wish};

/// Hooks have to answer within this time. They take a few milliseconds; a machine under load may need longer.
pub(super) const TIMEOUT_SECONDS: u64 = 10;

pub(super) const TIMEOUT_MILLISECONDS: u64 = TIMEOUT_SECONDS * 1_000;

/// `{matcher, hooks: [handler]}` at the end of `hooks.EVENT`.
pub(super) fn group(event: &str, handler: Vec<(&'static str, Node)>) -> Wish {
    let handlers = Node::List(vec![Node::Table(handler)]);
    let mut members = Vec::new();
    if is_about_one_call(event) {
        members.push(("matcher", text("*")));
    }
    members.push(("hooks", handlers));
    in_hooks(event, members)
}

/// An element of `hooks.EVENT`.
pub(super) fn in_hooks(event: &str, members: Vec<(&'static str, Node)>) -> Wish {
    Wish {
        list: vec!["hooks".to_owned(), event.to_owned()],
        element: Node::Table(members),
    }
}

/// `{type, command, timeout}`.
pub(super) fn handler(command: String, timeout: u64) -> Vec<(&'static str, Node)> {
    vec![
        ("type", text("command")),
        ("command", Node::Text(command)),
        ("timeout", Node::Number(timeout)),
    ]
}

pub(super) fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

/// Only such events can be limited to some tools; hosts warn about a matcher elsewhere, or refuse it.
fn is_about_one_call(event: &str) -> bool {
    let event = event.to_ascii_lowercase();
    (event.contains("tool") && !event.contains("batch")) || event == "permissionrequest"
}
