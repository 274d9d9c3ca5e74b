//! Servers in JSON with comments.

use jsonc_parser::{ast, common::Ranged as _};

use super::entry::{Arguments, Command, Entry, List, Token};
use crate::{
    EditError,
    edit::json::{member, parse},
};

/// Names that clients give to the address of a server.
const URLS: [&str; 4] = ["url", "httpUrl", "serverUrl", "uri"];

/// The entries of the table at these keys.
pub(super) fn entries(text: &str, table: &[String]) -> Result<Vec<(String, Entry)>, EditError> {
    let read = parse(text)?;
    let mut found = read.value.as_ref();
    for key in table {
        let inner = found.and_then(ast::Value::as_object);
        found = inner.and_then(|inner| Some(&member(inner, key)?.value));
    }
    let Some(servers) = found.and_then(ast::Value::as_object) else {
        return Ok(Vec::new());
    };
    let members = servers.properties.iter();
    let entries = members.filter_map(|one| {
        let entry = one.value.as_object()?;
        Some((one.name.as_str().to_owned(), entry_of(entry, text)))
    });
    Ok(entries.collect())
}

fn entry_of(entry: &ast::Object<'_>, text: &str) -> Entry {
    let url = URLS.iter().find_map(|key| {
        let url = member(entry, key)?.value.as_string_lit()?;
        Some(url.value.to_string())
    });
    let command = member(entry, "command")
        .map_or(Command::Missing, |command| command_of(entry, command, text));
    Entry { command, url }
}

fn command_of(entry: &ast::Object<'_>, command: &ast::ObjectProp<'_>, text: &str) -> Command {
    if let Some(list) = command.value.as_array() {
        return list_of(list).map_or(Command::Missing, Command::Whole);
    }
    let Some(program) = token(&command.value) else {
        return Command::Missing;
    };
    let arguments = match member(entry, "args") {
        None => absent(command, text),
        Some(args) => match args.value.as_array().and_then(list_of) {
            Some(list) => Arguments::Listed(list),
            None => return Command::Missing,
        },
    };
    Command::Split { program, arguments }
}

/// The member would stand behind the command, on a line of its own where the command has one.
fn absent(command: &ast::ObjectProp<'_>, text: &str) -> Arguments {
    let start = command.range.start;
    let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let indent = &text[line..start];
    let apart = if line > 0 && indent.chars().all(char::is_whitespace) {
        let newline = if text[..line].ends_with("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        format!(",{newline}{indent}")
    } else {
        ", ".to_owned()
    };
    Arguments::Absent {
        at: command.value.range().end,
        before: format!("{apart}\"args\": "),
        after: String::new(),
    }
}

fn list_of(list: &ast::Array<'_>) -> Option<List> {
    let items: Option<Vec<_>> = list.elements.iter().map(token).collect();
    Some(List {
        open: list.range.start,
        items: items?,
    })
}

fn token(value: &ast::Value<'_>) -> Option<Token> {
    let value = value.as_string_lit()?;
    Some(Token {
        range: value.range.start..value.range.end,
        value: value.value.to_string(),
    })
}
