//! What another parser makes of a command: its simple commands, word by word, and what joins them.

use tree_sitter::{Node, Parser};
use unstuck_shell::{Script, Simple};

/// A script as both parsers can be compared by: words without quotes, operators in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A simple command.
    Command(Vec<String>),
    /// What joins two.
    Operator(String),
}

/// What tree-sitter-bash makes of it; `None` where its tree holds an error.
pub struct Oracle(Parser);

impl Oracle {
    /// A parser for bash.
    ///
    /// # Panics
    ///
    /// Where the grammar and the library do not fit, which the build would have to be wrong for.
    pub fn new() -> Self {
        let mut parser = Parser::new();
        let fits = parser.set_language(&tree_sitter_bash::LANGUAGE.into());
        assert!(fits.is_ok(), "the grammar does not fit the library");
        Self(parser)
    }

    /// The pieces of a script.
    pub fn pieces(&mut self, text: &str) -> Option<Vec<Piece>> {
        let tree = self.0.parse(text, None)?;
        let root = tree.root_node();
        if root.has_error() {
            return None;
        }
        let mut pieces = Vec::new();
        walk(root, text, &mut pieces);
        // An operator that nothing follows joins nothing.
        while matches!(pieces.last(), Some(Piece::Operator(_))) {
            pieces.pop();
        }
        Some(pieces)
    }

    /// Parses and throws away.
    pub fn parse(&mut self, text: &str) -> bool {
        self.0
            .parse(text, None)
            .is_some_and(|tree| !tree.root_node().has_error())
    }
}

impl Default for Oracle {
    fn default() -> Self {
        Self::new()
    }
}

/// What unstuck-shell makes of it.
pub fn ours(text: &str) -> Option<Vec<Piece>> {
    let script = Script::parse(text)?;
    let mut pieces = Vec::new();
    for command in script.commands() {
        let words: Vec<_> = command
            .words()
            .iter()
            .map(|word| bare(word.text()))
            .collect();
        if words.is_empty() {
            continue;
        }
        let operator = command.link().as_str();
        if !matches!(operator, "" | ";") && !pieces.is_empty() {
            pieces.push(Piece::Operator(operator.to_owned()));
        }
        pieces.push(Piece::Command(words));
    }
    Some(pieces)
}

fn walk(node: Node<'_>, text: &str, pieces: &mut Vec<Piece>) {
    match node.kind() {
        "command" => command(node, text, pieces),
        "test_command" | "declaration_command" | "unset_command" => {
            let words = split(&text[node.byte_range()]);
            pieces.push(Piece::Command(words));
        }
        "&&" | "||" | "|" | "|&" => {
            let operator = if node.kind() == "|&" {
                "|"
            } else {
                node.kind()
            };
            pieces.push(Piece::Operator(operator.to_owned()));
        }
        "&" => pieces.push(Piece::Operator("&".to_owned())),
        // Their insides are words of the command they stand in.
        "command_substitution" | "process_substitution" | "heredoc_body" => {}
        _ => {
            let mut cursor = node.walk();
            for child in node.children(&mut cursor) {
                walk(child, text, pieces);
            }
        }
    }
}

fn command(node: Node<'_>, text: &str, pieces: &mut Vec<Piece>) {
    let mut words = Vec::new();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "variable_assignment"
            | "file_redirect"
            | "heredoc_redirect"
            | "herestring_redirect" => {}
            _ => words.push(bare(&text[child.byte_range()])),
        }
    }
    pieces.push(Piece::Command(words));
}

/// The words of a command that the grammar has a node of its own for.
fn split(text: &str) -> Vec<String> {
    let script = Script::parse(text);
    let words = script
        .iter()
        .flat_map(Script::commands)
        .flat_map(Simple::words);
    words.map(|word| bare(word.text())).collect()
}

/// A word without all that is spelled in several ways: quotes, escapes, the braces of a variable.
fn bare(word: &str) -> String {
    let joined = word.replace("\\\n", "");
    joined
        .chars()
        .filter(|letter| !matches!(letter, '\'' | '"' | '\\' | '{' | '}'))
        .collect()
}
