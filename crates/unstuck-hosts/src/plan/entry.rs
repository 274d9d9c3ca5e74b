//! Entries in the shapes that hosts share.

use super::{PlannedFile, Scope, Surroundings};
use crate::{Host, Invocation, Node, Wish};

/// Hooks have to answer within this time. They take a few milliseconds; a machine under load may need longer.
pub(crate) const TIMEOUT_SECONDS: u64 = 10;

const TIMEOUT_MILLISECONDS: u64 = TIMEOUT_SECONDS * 1_000;

/// A group with one handler for each event of a host, times in seconds.
pub(crate) fn groups(host: Host, invocation: &Invocation) -> Vec<Wish> {
    let wish = |event: &&str| group(event, handler(invocation.of(host), TIMEOUT_SECONDS));
    host.events().iter().map(wish).collect()
}

/// `{command, timeout}` for each event of a host, without groups.
pub(crate) fn commands(host: Host, invocation: &Invocation) -> Vec<Wish> {
    let wish = |event: &&str| {
        let members = vec![
            ("command", Node::Text(invocation.of(host))),
            ("timeout", Node::Number(TIMEOUT_SECONDS)),
        ];
        in_hooks(event, members)
    };
    host.events().iter().map(wish).collect()
}

/// `{matcher, hooks: [handler]}` at the end of `hooks.EVENT`.
fn group(event: &str, handler: Vec<(&'static str, Node)>) -> Wish {
    let handlers = Node::List(vec![Node::Table(handler)]);
    let mut members = Vec::new();
    if is_about_one_call(event) {
        members.push(("matcher", text("*")));
    }
    members.push(("hooks", handlers));
    in_hooks(event, members)
}

/// An element of `hooks.EVENT`.
pub(crate) fn in_hooks(event: &str, members: Vec<(&'static str, Node)>) -> Wish {
    Wish {
        list: vec!["hooks".to_owned(), event.to_owned()],
        element: Node::Table(members),
    }
}

/// `settings.json` as Gemini CLI and the agents derived from it have it: in a directory of the home or of the project, with
/// names by which `/hooks` lists the hooks, and times in milliseconds.
pub(crate) fn settings_of_gemini(
    host: Host,
    directory: &str,
    scope: Scope,
    around: &Surroundings<'_>,
    invocation: &Invocation,
) -> PlannedFile {
    let wishes = host.events().iter().map(|event| {
        let mut members = vec![("name", text("unstuck"))];
        members.extend(handler(invocation.of(host), TIMEOUT_MILLISECONDS));
        group(event, members)
    });
    let path = around.root(scope).join(directory).join("settings.json");
    PlannedFile::json(host, path, wishes.collect())
}

/// `{type, command, timeout}`.
fn handler(command: String, timeout: u64) -> Vec<(&'static str, Node)> {
    vec![
        ("type", text("command")),
        ("command", Node::Text(command)),
        ("timeout", Node::Number(timeout)),
    ]
}

pub(crate) fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

/// Only such events can be limited to some tools; hosts warn about a matcher elsewhere, or refuse it.
fn is_about_one_call(event: &str) -> bool {
    let event = event.to_ascii_lowercase();
    (event.contains("tool") && !event.contains("batch")) || event == "permissionrequest"
}
