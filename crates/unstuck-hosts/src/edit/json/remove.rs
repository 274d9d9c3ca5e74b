//! Taking entries out, found by what they run.

use jsonc_parser::ast;

use super::{
    super::{EditError, IsOurs, Record, Rest},
    Spot, member, parse,
    scan::{before_blank, ends_in_line_comment, next_significant},
    spot,
};

/// Keys that hold what a handler runs.
const COMMANDS: [&str; 3] = ["command", "bash", "powershell"];

/// Takes out every handler under `base` whose command is ours, and the lists and tables that are empty afterwards and
/// were made for it. Without a record every list and table that gets empty is taken for one of those.
pub(crate) fn remove(
    text: &str,
    base: &[&str],
    ours: IsOurs<'_>,
    record: Option<&Record>,
) -> Result<String, EditError> {
    let is_made = |path: &[String]| {
        record.is_none_or(|record| record.created.iter().any(|created| created == path))
    };
    let mut text = text.to_owned();
    while let Some(cut) = first_cut(&text, base, ours, &is_made)? {
        let (spot, index) = cut;
        text = without(&text, &spot, index);
    }
    Ok(text)
}

/// Every command that a handler under `base` runs, with the key it stands under.
pub(crate) fn commands(text: &str, base: &[&str]) -> Result<Vec<(String, String)>, EditError> {
    let read = parse(text)?;
    let mut found = Vec::new();
    for (event, list) in lists(&read, base) {
        for element in &list.elements {
            let handlers = handlers(element);
            let alone = [element];
            let of = if handlers.is_empty() {
                alone.to_vec()
            } else {
                handlers.iter().collect()
            };
            for handler in of {
                found.extend(runs(handler).next().map(|command| (event.clone(), command)));
            }
        }
    }
    Ok(found)
}

/// What to take out next: an item of a list or table.
fn first_cut(
    text: &str,
    base: &[&str],
    ours: IsOurs<'_>,
    is_made: &dyn Fn(&[String]) -> bool,
) -> Result<Option<(Spot, usize)>, EditError> {
    let read = parse(text)?;
    // A handler that runs something else on another platform is its owner's.
    let is_ours = |value: &ast::Value<'_>| {
        let mut commands = runs(value).peekable();
        commands.peek().is_some() && commands.all(|command| ours(&command))
    };
    for (event, list) in lists(&read, base) {
        for (index, element) in list.elements.iter().enumerate() {
            let handlers = handlers(element);
            let of_us = handlers.iter().filter(|handler| is_ours(handler)).count();
            let whole = is_ours(element) || (of_us > 0 && of_us == handlers.len());
            if !whole && of_us == 0 {
                continue;
            }
            if !whole {
                let index = handlers.iter().position(is_ours).unwrap_or_default();
                let list = element.as_object().and_then(|group| member(group, "hooks"));
                return Ok(list
                    .and_then(|list| spot(&list.value))
                    .map(|spot| (spot, index)));
            }
            // The outermost thing that would be empty without it goes with it.
            let mut path: Vec<String> = base.iter().map(|&key| key.to_owned()).collect();
            path.push(event);
            let mut cut = spot_of_list(list).map(|spot| (spot, index));
            let mut lonely = list.elements.len() == 1;
            while lonely && is_made(&path) {
                let Some(key) = path.pop() else { break };
                let Some(table) = table_at(&read, &path) else {
                    break;
                };
                let mut members = table.properties.iter();
                let Some(index) = members.rposition(|one| one.name.as_str() == key) else {
                    break;
                };
                cut = spot_of_table(table).map(|spot| (spot, index));
                lonely = table.properties.len() == 1 && !path.is_empty();
            }
            return Ok(cut);
        }
    }
    Ok(None)
}

fn lists<'a, 'b>(
    read: &'b jsonc_parser::ParseResult<'a>,
    base: &[&str],
) -> Vec<(String, &'b ast::Array<'a>)> {
    let path: Vec<String> = base.iter().map(|&key| key.to_owned()).collect();
    let Some(table) = table_at(read, &path) else {
        return Vec::new();
    };
    let members = table.properties.iter();
    members
        .filter_map(|one| Some((one.name.as_str().to_owned(), one.value.as_array()?)))
        .collect()
}

fn table_at<'a, 'b>(
    read: &'b jsonc_parser::ParseResult<'a>,
    path: &[String],
) -> Option<&'b ast::Object<'a>> {
    let mut table = read.value.as_ref()?.as_object()?;
    for key in path {
        table = member(table, key)?.value.as_object()?;
    }
    Some(table)
}

/// The handlers of a group; none if the element is a handler itself.
fn handlers<'a, 'b>(element: &'b ast::Value<'a>) -> &'b [ast::Value<'a>] {
    let group = element.as_object();
    group
        .and_then(|group| member(group, "hooks")?.value.as_array())
        .map_or(&[], |list| &list.elements)
}

fn runs(handler: &ast::Value<'_>) -> impl Iterator<Item = String> {
    let table = handler.as_object();
    let of = |key| {
        Some(
            member(table?, key)?
                .value
                .as_string_lit()?
                .value
                .to_string(),
        )
    };
    COMMANDS
        .into_iter()
        .filter_map(of)
        .collect::<Vec<_>>()
        .into_iter()
}

fn spot_of_list(list: &ast::Array<'_>) -> Option<Spot> {
    spot(&ast::Value::Array(list.clone()))
}

fn spot_of_table(table: &ast::Object<'_>) -> Option<Spot> {
    spot(&ast::Value::Object(table.clone()))
}

/// The text without one item, its comma, and the white space before it.
fn without(text: &str, spot: &Spot, index: usize) -> String {
    let (start, end) = spot.items[index];
    let previous = index.checked_sub(1).map(|index| spot.items[index].1);
    let after = next_significant(text, end);
    let comma = text[after..].starts_with(',').then_some(after);
    let mut from = before_blank(text, start);
    let to = comma.map_or(end, |comma| comma + 1);
    // What follows on this line must not become part of a comment.
    let follows = text[to..].trim_start_matches([' ', '\t']);
    let scan_from = previous.unwrap_or(spot.open + 1);
    if !follows.starts_with(['\n', '\r']) && ends_in_line_comment(text, scan_from, from) {
        from = start;
    }
    let mut new = text.to_owned();
    if spot.items.len() == 1 {
        let inside = &text[spot.open + 1..start];
        let behind = &text[to..spot.close];
        if inside.trim().is_empty() && behind.trim().is_empty() {
            new.replace_range(spot.open + 1..spot.close, "");
            return new;
        }
    }
    new.replace_range(from..to, "");
    if let (Some(previous), None) = (previous, comma) {
        let before = next_significant(text, previous);
        new.replace_range(before..=before, "");
    }
    new
}

/// Whether the root has a member of that name.
pub(crate) fn has_member(text: &str, key: &str) -> Result<bool, EditError> {
    let read = parse(text)?;
    let root = table_at(&read, &[]);
    Ok(root.is_some_and(|root| member(root, key).is_some()))
}

/// The command that a member of the root runs.
pub(crate) fn command_of_member(text: &str, key: &str) -> Result<Option<String>, EditError> {
    let read = parse(text)?;
    let found = table_at(&read, &[]).and_then(|root| member(root, key));
    Ok(found.and_then(|found| runs(&found.value).next()))
}

/// Takes out a member of the root whose command is ours.
pub(crate) fn remove_member(text: &str, key: &str, ours: IsOurs<'_>) -> Result<String, EditError> {
    let read = parse(text)?;
    let cut = table_at(&read, &[]).and_then(|root| {
        let mut members = root.properties.iter();
        let index = members.rposition(|one| one.name.as_str() == key)?;
        let value = &root.properties[index].value;
        let is_ours = runs(value).next().is_some_and(|command| ours(&command));
        is_ours.then_some((spot_of_table(root)?, index))
    });
    Ok(match cut {
        Some((spot, index)) => without(text, &spot, index),
        None => text.to_owned(),
    })
}

/// What a text holds beside members that mean nothing by themselves.
pub(crate) fn rest(text: &str, defaults: &[&str]) -> Result<Rest, EditError> {
    let read = parse(text)?;
    let Some(root) = table_at(&read, &[]) else {
        return Ok(match read.value {
            None => Rest::Nothing,
            Some(_) => Rest::Something,
        });
    };
    let mut members = root.properties.iter();
    Ok(
        if members.all(|one| defaults.contains(&one.name.as_str())) {
            Rest::Nothing
        } else {
            Rest::Something
        },
    )
}
