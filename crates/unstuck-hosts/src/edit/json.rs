//! JSON with comments and trailing commas.
//!
//! The parser only tells where things are; the text is changed here, byte by byte, because no formatter may come near it.

mod remove;
mod scan;

pub(crate) use remove::{command_of_member, commands, has_member, remove, remove_member, rest};

use jsonc_parser::{CollectOptions, ParseOptions, ast};

use super::{
    EditError, Edited, Node, Record, Step, Wish, newline_of,
    node::{Layout, quoted},
};
use scan::{after_comments_of_line, after_last_comment, indent_of_line, next_significant};

/// A list or table of the text, by places in it.
#[derive(Clone, Debug)]
struct Spot {
    /// The opening bracket.
    open: usize,
    /// The closing bracket.
    close: usize,
    /// Start and end of each member or element.
    items: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    List,
    Table,
}

/// Adds what is wished for, and members of the root that the format demands, if they are missing. A text without any
/// value counts as an empty object.
pub(crate) fn insert(
    text: &str,
    defaults: &[(&str, Node)],
    wishes: &[Wish],
) -> Result<Edited, EditError> {
    let mut editor = Editor::new(text)?;
    for (key, value) in defaults {
        if editor.is_missing(key)? {
            editor.record.created.push(vec![(*key).to_owned()]);
            editor.add(&[], Some(key), value)?;
        }
    }
    for Wish { list, element } in wishes {
        for depth in 1..=list.len() {
            let kind = if depth == list.len() {
                Kind::List
            } else {
                Kind::Table
            };
            editor.ensure(&list[..depth], kind)?;
        }
        editor.add(list, None, element)?;
    }
    // What was written must be readable again, whatever the text before was like.
    parse(&editor.text)?;
    Ok(Edited {
        text: editor.text,
        record: editor.record,
    })
}

struct Editor {
    text: String,
    record: Record,
    newline: &'static str,
    unit: String,
    /// Whether all of the text is on one line.
    inline: bool,
}

impl Editor {
    fn new(text: &str) -> Result<Self, EditError> {
        let newline = newline_of(text);
        let mut editor = Self {
            text: text.to_owned(),
            record: Record::default(),
            newline,
            unit: "  ".to_owned(),
            inline: false,
        };
        if parse(text)?.value.is_none() {
            let apart = if text.is_empty() || text.ends_with('\n') {
                ""
            } else {
                newline
            };
            editor.step(text.len(), format!("{apart}{{}}{newline}"));
        }
        let root = editor.spot(&[], Kind::Table)?;
        if let Some(&(first, _)) = root.items.first() {
            editor.inline = !editor.text[root.open..root.close].contains('\n');
            if let Some(indent) = own_line(&editor.text, first).filter(|indent| !indent.is_empty())
            {
                indent.clone_into(&mut editor.unit);
            }
        }
        Ok(editor)
    }

    /// Makes the list or table at a path, if there is none.
    fn ensure(&mut self, path: &[String], kind: Kind) -> Result<(), EditError> {
        let Some((key, parent)) = path.split_last() else {
            return Ok(());
        };
        let is_there = {
            let read = parse(&self.text)?;
            let parent = walk(&read, parent, &self.text)?;
            let parent = parent.as_object().ok_or_else(|| self.broken(0))?;
            match member(parent, key) {
                Some(found) => {
                    expect(&found.value, kind, path, &self.text)?;
                    true
                }
                None => false,
            }
        };
        if !is_there {
            self.record.created.push(path.to_vec());
            let empty = match kind {
                Kind::List => Node::List(Vec::new()),
                Kind::Table => Node::Table(Vec::new()),
            };
            self.add(parent, Some(key), &empty)?;
        }
        Ok(())
    }

    /// Adds a member or an element at the end of the table or list at a path.
    fn add(&mut self, path: &[String], key: Option<&str>, node: &Node) -> Result<(), EditError> {
        let kind = key.map_or(Kind::List, |_| Kind::Table);
        let spot = self.spot(path, kind)?;
        let key = key.map_or(String::new(), |key| format!("{}: ", quoted(key)));
        let newline = self.newline;
        let Some(&(start, end)) = spot.items.last() else {
            let at = after_last_comment(&self.text, spot.open + 1, spot.close);
            if self.inline {
                let node = node.to_json(Layout::Inline);
                self.step(at, format!("{key}{node}"));
                return Ok(());
            }
            let outer = indent_of_line(&self.text, spot.open).to_owned();
            let indent = format!("{outer}{}", self.unit);
            let node = self.on_lines(node, &indent);
            let ending = if self.text[at..spot.close].contains('\n') {
                String::new()
            } else {
                format!("{newline}{outer}")
            };
            self.step(at, format!("{newline}{indent}{key}{node}{ending}"));
            return Ok(());
        };
        let comma = next_significant(&self.text, end);
        let comma = self.text[comma..].starts_with(',').then_some(comma);
        if !self.text[spot.open..spot.close].contains('\n') {
            let node = node.to_json(Layout::Inline);
            match comma {
                Some(comma) => self.step(comma + 1, format!(" {key}{node},")),
                None => self.step(end, format!(", {key}{node}")),
            }
            return Ok(());
        }
        let indent = match own_line(&self.text, start) {
            Some(indent) => indent.to_owned(),
            None => format!("{}{}", indent_of_line(&self.text, spot.open), self.unit),
        };
        let node = self.on_lines(node, &indent);
        if let Some(comma) = comma {
            let at = after_comments_of_line(&self.text, comma + 1);
            self.step(at, format!("{newline}{indent}{key}{node},"));
            return Ok(());
        }
        // A comment behind the last one stays behind it.
        let at = after_comments_of_line(&self.text, end);
        if at == end {
            self.step(at, format!(",{newline}{indent}{key}{node}"));
        } else {
            self.step(end, ",".to_owned());
            self.step(at + 1, format!("{newline}{indent}{key}{node}"));
        }
        Ok(())
    }

    fn step(&mut self, at: usize, text: String) {
        self.text.insert_str(at, &text);
        self.record.steps.push(Step { at, text });
    }

    fn is_missing(&self, key: &str) -> Result<bool, EditError> {
        let read = parse(&self.text)?;
        let root = walk(&read, &[], &self.text)?;
        Ok(root
            .as_object()
            .is_none_or(|root| member(root, key).is_none()))
    }

    fn spot(&self, path: &[String], kind: Kind) -> Result<Spot, EditError> {
        let read = parse(&self.text)?;
        let value = walk(&read, path, &self.text)?;
        expect(value, kind, path, &self.text)?;
        spot(value).ok_or_else(|| self.broken(0))
    }

    fn on_lines(&self, node: &Node, indent: &str) -> String {
        node.to_json(Layout::Lines {
            newline: self.newline,
            indent,
            unit: &self.unit,
        })
    }

    fn broken(&self, at: usize) -> EditError {
        EditError::new(&self.text, at, "this is not understood")
    }
}

/// Comments and trailing commas are fine: several hosts read them. What else deviates from JSON is refused.
pub(crate) fn parse(text: &str) -> Result<jsonc_parser::ParseResult<'_>, EditError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let message = format!("this is not JSON: {}", error.kind());
        EditError::new(text, error.range().start, message)
    })
}

fn walk<'a, 'b>(
    read: &'b jsonc_parser::ParseResult<'a>,
    path: &[String],
    text: &str,
) -> Result<&'b ast::Value<'a>, EditError> {
    let missing = || EditError::new(text, 0, format!("there is no `{}`", path.join(".")));
    let mut value = read.value.as_ref().ok_or_else(missing)?;
    for key in path {
        let table = value.as_object().ok_or_else(missing)?;
        value = &member(table, key).ok_or_else(missing)?.value;
    }
    Ok(value)
}

/// The last one of a name is the one that readers take.
pub(crate) fn member<'a, 'b>(
    table: &'b ast::Object<'a>,
    key: &str,
) -> Option<&'b ast::ObjectProp<'a>> {
    let mut members = table.properties.iter().rev();
    members.find(|member| member.name.as_str() == key)
}

fn expect(
    value: &ast::Value<'_>,
    kind: Kind,
    path: &[String],
    text: &str,
) -> Result<(), EditError> {
    let (fits, wanted) = match kind {
        Kind::List => (value.as_array().is_some(), "a list"),
        Kind::Table => (value.as_object().is_some(), "an object"),
    };
    if fits {
        return Ok(());
    }
    let what = if path.is_empty() {
        "the whole file".to_owned()
    } else {
        format!("`{}`", path.join("."))
    };
    Err(EditError::new(
        text,
        start_of(value),
        format!("{what} must be {wanted}"),
    ))
}

fn start_of(value: &ast::Value<'_>) -> usize {
    jsonc_parser::common::Ranged::range(value).start
}

fn spot(value: &ast::Value<'_>) -> Option<Spot> {
    let (range, items) = match value {
        ast::Value::Object(table) => {
            let items = table.properties.iter();
            (
                table.range,
                items
                    .map(|item| (item.range.start, item.range.end))
                    .collect(),
            )
        }
        ast::Value::Array(list) => {
            let items = list
                .elements
                .iter()
                .map(jsonc_parser::common::Ranged::range);
            (
                list.range,
                items.map(|range| (range.start, range.end)).collect(),
            )
        }
        _ => return None,
    };
    Some(Spot {
        open: range.start,
        close: range.end - 1,
        items,
    })
}

/// The indentation of what starts at a place, if it is the first on its line.
fn own_line(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    let before = &text[line..at];
    before.chars().all(char::is_whitespace).then_some(before)
}

#[cfg(test)]
#[path = "json/json_tests.rs"]
mod tests;
