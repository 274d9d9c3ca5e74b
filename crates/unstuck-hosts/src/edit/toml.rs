//! TOML: tables of arrays are added at the end of the file, and cut out by their places.

use std::ops::Range;

use toml_edit::{Document, Item, Table, TableLike};

use super::{EditError, Edited, IsOurs, Node, Record, Rest, Step, Wish, newline_of, node::quoted};

/// Adds what is wished for, as arrays of tables at the end.
pub(crate) fn insert(text: &str, wishes: &[Wish]) -> Result<Edited, EditError> {
    let document = parse(text)?;
    let newline = newline_of(text);
    let mut blocks = Vec::new();
    for Wish { list, element } in wishes {
        expect_tables(document.as_table(), list, text)?;
        blocks.push(block(&list.join("."), element, newline));
    }
    let apart = if text.trim().is_empty() {
        String::new()
    } else if text.ends_with('\n') {
        newline.to_owned()
    } else {
        newline.repeat(2)
    };
    let step = Step {
        at: text.len(),
        text: format!("{apart}{}", blocks.join(newline)),
    };
    let new = format!("{text}{}", step.text);
    parse(&new).map_err(|error| EditError {
        message: format!("nothing can be added to this file: {}", error.message),
        ..error
    })?;
    let record = Record {
        steps: vec![step],
        created: Vec::new(),
    };
    Ok(Edited { text: new, record })
}

/// Takes out every handler whose command is ours, with what was only there for it.
pub(crate) fn remove(text: &str, base: &[&str], ours: IsOurs<'_>) -> Result<String, EditError> {
    let mut text = text.to_owned();
    while let Some(range) = first_cut(&text, base, ours)? {
        text.replace_range(range, "");
    }
    Ok(text)
}

/// What a text holds: comments count, too.
pub(crate) fn rest(text: &str) -> Rest {
    if text.trim().is_empty() {
        Rest::Nothing
    } else {
        Rest::Something
    }
}

/// Every command that a handler under `base` runs, with the key it stands under.
pub(crate) fn commands(text: &str, base: &[&str]) -> Result<Vec<(String, String)>, EditError> {
    let document = parse(text)?;
    let mut found = Vec::new();
    let Some(events) = table_at(document.as_table(), base) else {
        return Ok(found);
    };
    for (event, groups) in events.iter() {
        for group in tables(groups) {
            for handler in group.get("hooks").map(tables).unwrap_or_default() {
                found.extend(runs(handler).map(|command| (event.to_owned(), command)));
            }
        }
    }
    Ok(found)
}

/// Whether there are lists under `base`.
pub(crate) fn has_lists(text: &str, base: &[&str]) -> Result<bool, EditError> {
    let document = parse(text)?;
    let Some(table) = table_at(document.as_table(), base) else {
        return Ok(false);
    };
    Ok(table
        .iter()
        .any(|(_, item)| item.is_array_of_tables() || item.is_array()))
}

fn first_cut(
    text: &str,
    base: &[&str],
    ours: IsOurs<'_>,
) -> Result<Option<Range<usize>>, EditError> {
    let document = parse(text)?;
    let Some(events) = table_at(document.as_table(), base) else {
        return Ok(None);
    };
    for (_, groups) in events.iter() {
        let Some(groups) = groups.as_array_of_tables() else {
            continue;
        };
        for group in groups {
            let Some(handlers) = group.get("hooks").and_then(Item::as_array_of_tables) else {
                continue;
            };
            let is_ours = |handler: &&Table| {
                let mut commands = runs(*handler).peekable();
                commands.peek().is_some() && commands.all(|command| ours(&command))
            };
            let Some(first) = handlers.iter().find(is_ours) else {
                continue;
            };
            let whole = handlers.iter().all(|handler| is_ours(&handler));
            let range = if whole { extent(group) } else { extent(first) };
            return Ok(range.map(|range| with_lines(text, range)));
        }
    }
    Ok(None)
}

/// From the header to the end of the last thing under it.
fn extent(table: &Table) -> Option<Range<usize>> {
    let mut range = table.span()?;
    for (_, item) in table {
        let spans: Vec<_> = match item.as_array_of_tables() {
            Some(tables) => tables.iter().filter_map(extent).collect(),
            None => item.span().into_iter().collect(),
        };
        for span in spans {
            range.end = range.end.max(span.end);
        }
    }
    Some(range)
}

/// Whole lines, with one blank line before them.
fn with_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |newline| range.end + newline + 1);
    let mut start = text[..range.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    for blank in ["\r\n\r\n", "\n\n"] {
        if text[..start].ends_with(blank) {
            start -= blank.len() / 2;
            break;
        }
    }
    start..end
}

pub(crate) fn parse(text: &str) -> Result<Document<&str>, EditError> {
    Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        EditError::new(text, at, format!("this is not TOML: {message}"))
    })
}

/// An array of tables can go on at the end of the file; a list in brackets cannot.
fn expect_tables(root: &Table, path: &[String], text: &str) -> Result<(), EditError> {
    let mut table = root;
    for (depth, key) in path.iter().enumerate() {
        let Some(item) = table.get(key) else {
            return Ok(());
        };
        let is_last = depth + 1 == path.len();
        if is_last && item.is_array_of_tables() {
            return Ok(());
        }
        match item.as_table() {
            Some(inner) if !is_last => table = inner,
            _ => {
                let path = path[..=depth].join(".");
                let wanted = if is_last {
                    format!("`[[{path}]]` tables")
                } else {
                    format!("a `[{path}]` table")
                };
                let at = item.span().map_or(0, |span| span.start);
                let message = format!("`{path}` is written inline; write it as {wanted}");
                return Err(EditError::new(text, at, message));
            }
        }
    }
    Ok(())
}

pub(crate) fn table_at<'a>(root: &'a Table, path: &[&str]) -> Option<&'a dyn TableLike> {
    let mut table: &dyn TableLike = root;
    for key in path {
        table = table.get(key)?.as_table_like()?;
    }
    Some(table)
}

/// The tables of a list, however it is written.
pub(crate) fn tables(item: &Item) -> Vec<&dyn TableLike> {
    if let Some(tables) = item.as_array_of_tables() {
        return tables.iter().map(|table| table as &dyn TableLike).collect();
    }
    let list = item.as_array().into_iter().flatten();
    list.filter_map(|value| value.as_inline_table().map(|table| table as &dyn TableLike))
        .collect()
}

fn runs(handler: &dyn TableLike) -> impl Iterator<Item = String> {
    let command = handler.get("command").and_then(Item::as_str);
    command.map(str::to_owned).into_iter()
}

/// `[[path]]` with its members, lists of tables below it.
fn block(path: &str, element: &Node, newline: &str) -> String {
    let mut text = format!("[[{path}]]{newline}");
    let mut below = String::new();
    let Node::Table(members) = element else {
        return text;
    };
    for (key, node) in members {
        match node {
            Node::List(items) if items.iter().all(|item| matches!(item, Node::Table(_))) => {
                for item in items {
                    below.push_str(&block(&format!("{path}.{key}"), item, newline));
                }
            }
            _ => text.extend([key, " = ", &inline(node), newline]),
        }
    }
    text + &below
}

fn inline(node: &Node) -> String {
    match node {
        Node::Text(text) => quoted(text),
        Node::Number(number) => number.to_string(),
        Node::List(items) => {
            let items: Vec<_> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Node::Table(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|(key, node)| format!("{key} = {}", inline(node)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

#[cfg(test)]
#[path = "toml_tests.rs"]
mod tests;
