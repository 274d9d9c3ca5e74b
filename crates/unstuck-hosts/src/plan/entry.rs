//! Entries in the shapes that hosts share.

use super::{PlannedFile, Scope, Surroundings};
use crate::{Host, Invocation, Node, Wish, events};

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

/// `settings.json` as Gemini CLI has it, and whoever began with its code: in a directory of the home or of the project, with
/// names by which `/hooks` lists the hooks, and times in milliseconds.
pub(super) fn settings_of_gemini(
    host: Host,
    directory: &str,
    scope: Scope,
    around: &Surroundings<'_>,
    invocation: &Invocation,
) -> PlannedFile {
    let root = match scope {
        Scope::User => around.home,
        Scope::Project => around.project,
    };
    let wishes = events(host).iter().map(|event| {
        let mut members = vec![("name", text("unstuck"))];
        members.extend(handler(invocation.of(host), TIMEOUT_MILLISECONDS));
        group(event, members)
    });
    let path = root.join(directory).join("settings.json");
    PlannedFile::json(host, path, wishes.collect())
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
