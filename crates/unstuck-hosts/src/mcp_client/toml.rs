//! Servers in TOML.

use toml_edit::{Array, Item, Key, TableLike, Value};

use super::entry::{Arguments, Command, Entry, List, Token};
use crate::{
    EditError,
    edit::toml::{parse, table_at},
};

/// The entries of the table at these keys.
pub(super) fn entries(text: &str, table: &[String]) -> Result<Vec<(String, Entry)>, EditError> {
    let document = parse(text)?;
    let path: Vec<_> = table.iter().map(String::as_str).collect();
    let Some(servers) = table_at(document.as_table(), &path) else {
        return Ok(Vec::new());
    };
    let entries = servers.iter().filter_map(|(name, item)| {
        let entry = item.as_table_like()?;
        Some((name.to_owned(), entry_of(entry, text)))
    });
    Ok(entries.collect())
}

fn entry_of(entry: &dyn TableLike, text: &str) -> Entry {
    let url = entry.get("url").and_then(Item::as_str).map(str::to_owned);
    Entry {
        command: command_of(entry, text).unwrap_or(Command::Missing),
        url,
    }
}

fn command_of(entry: &dyn TableLike, text: &str) -> Option<Command> {
    let (key, command) = entry.get_key_value("command")?;
    let program = token(command.as_value()?)?;
    let arguments = match entry.get("args") {
        None => absent(key, text)?,
        Some(args) => Arguments::Listed(list_of(args.as_array()?)?),
    };
    Some(Command::Split { program, arguments })
}

/// The member would stand before the command: behind it, there may be a comment on the command. What stands before the
/// command's key on its line, it gets as well.
fn absent(key: &Key, text: &str) -> Option<Arguments> {
    let at = key.span()?.start;
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[line..at];
    let after = if before.contains(['{', ',']) {
        ", ".to_owned()
    } else {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        format!("{newline}{before}")
    };
    Some(Arguments::Absent {
        at,
        before: "args = ".to_owned(),
        after,
    })
}

fn list_of(list: &Array) -> Option<List> {
    let items: Option<Vec<_>> = list.iter().map(token).collect();
    Some(List {
        open: list.span()?.start,
        items: items?,
    })
}

fn token(value: &Value) -> Option<Token> {
    Some(Token {
        range: value.span()?,
        value: value.as_str()?.to_owned(),
    })
}
