//! Calls that a model wrote as text, for harnesses that do not use the tools of an API.
//!
//! Each text is gone through once from its start to its end, whatever tags are missing.

use std::collections::BTreeMap;

use unstuck::Json;

/// Longer names are not those of tools and parameters.
const LONGEST_NAME: usize = 100;
/// Parameters of a call beyond this are left out.
const MOST_PARAMETERS: usize = 64;

/// A call, and the text before it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Written<'a> {
    pub(crate) before: &'a str,
    pub(crate) tool: &'a str,
    /// Parameters by name; all values are text.
    pub(crate) args: Json,
    /// The text behind it.
    pub(crate) behind: &'a str,
}

/// The first call written as `<function=name><parameter=name>value</parameter></function>`. One that is cut off has
/// the parameters before that: models stop before the last tag.
pub(crate) fn function(text: &str) -> Option<Written<'_>> {
    let start = text.find("<function=")?;
    let (tool, rest) = name(&text[start + "<function=".len()..], ">")?;
    let (body, behind) = rest.split_once("</function>").unwrap_or((rest, ""));
    let mut parameters = BTreeMap::new();
    let mut body = body;
    while let Some((_, next)) = body.split_once("<parameter=") {
        // Some models write an equals sign in place of the bracket.
        let Some((key, next)) = name(next, ">=") else {
            body = next;
            continue;
        };
        let (value, next) = next.split_once("</parameter>").unwrap_or((next, ""));
        body = next;
        if parameters.len() < MOST_PARAMETERS {
            parameters.insert(key, value.trim_matches('\n'));
        }
    }
    Some(Written {
        before: &text[..start],
        tool,
        args: Json::from_serialize(&parameters).unwrap_or_default(),
        behind,
    })
}

/// The first call written as a tag with its parameters as tags: `<read_file><path>a</path></read_file>`.
///
/// It begins a line, and its name has an underscore, as those of all tools that are called this way have; tags of
/// markup have none. One that is cut off has the parameters before that.
pub(crate) fn tag(text: &str) -> Option<Written<'_>> {
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        at = start + 1;
        let line = text[..start].rsplit('\n').next().unwrap_or_default();
        if !line.trim().is_empty() {
            // A line is looked at once: nothing behind text begins it.
            at = text[start..]
                .find('\n')
                .map_or(text.len(), |end| start + end);
            continue;
        }
        let Some((tool, rest)) = name(&text[at..], ">") else {
            continue;
        };
        if !tool.contains('_') || !is_lower(tool) {
            continue;
        }
        if let Some((parameters, behind)) = parameters(tool, rest) {
            return Some(Written {
                before: &text[..start],
                tool,
                args: Json::from_serialize(&parameters).unwrap_or_default(),
                behind,
            });
        }
    }
    None
}

/// The parameters of a tool's tag, and the text behind it. `None` if it has neither parameters nor an end.
fn parameters<'a>(tool: &str, text: &'a str) -> Option<(BTreeMap<&'a str, &'a str>, &'a str)> {
    let mut parameters = BTreeMap::new();
    let mut rest = text.trim_start();
    while parameters.len() < MOST_PARAMETERS {
        let Some(tag) = rest.strip_prefix('<') else {
            break;
        };
        if let Some(behind) = closed(tag, tool) {
            return Some((parameters, behind));
        }
        let Some((key, value)) = name(tag, ">").filter(|(key, _)| is_lower(key)) else {
            break;
        };
        let (value, behind) = value_of(key, value);
        parameters.insert(key, value.trim_matches('\n'));
        rest = behind.trim_start();
    }
    (!parameters.is_empty()).then_some((parameters, rest))
}

/// The value of a parameter and the text behind its end. Values may hold the end tag themselves: the one counts that
/// another tag follows, if it comes before the next call.
fn value_of<'a>(key: &str, text: &'a str) -> (&'a str, &'a str) {
    let end = format!("</{key}>");
    let Some(first) = text.find(&end) else {
        return (text, "");
    };
    let behind = |at: usize| text[at + end.len()..].trim_start();
    let ends = |at: usize| behind(at).is_empty() || behind(at).starts_with('<');
    let mut last = first;
    if !ends(first) {
        // No further than to the next call: so no text is searched twice, however many calls lack their ends.
        let start = first + end.len();
        let rest = &text[start..start + next_call(&text[start..])];
        for (at, _) in rest.match_indices(&end) {
            last = start + at;
            if ends(last) {
                break;
            }
        }
    }
    (&text[..last], behind(last))
}

/// Where the next line begins that is the tag of a tool, or the end of the text.
fn next_call(text: &str) -> usize {
    let mut lines = text.match_indices('\n');
    let begins_call = |line: &str| {
        let tag = line.trim_start_matches([' ', '\t']).strip_prefix('<');
        tag.and_then(|tag| name(tag, ">"))
            .is_some_and(|(tool, _)| tool.contains('_') && is_lower(tool))
    };
    lines
        .find(|(at, _)| begins_call(&text[at + 1..]))
        .map_or(text.len(), |(at, _)| at)
}

/// What follows the end tag of `tool`, if this begins with it.
fn closed<'a>(tag: &'a str, tool: &str) -> Option<&'a str> {
    tag.strip_prefix('/')?.strip_prefix(tool)?.strip_prefix('>')
}

/// A name up to one of these signs, and the text behind it.
fn name<'a>(text: &'a str, ends: &str) -> Option<(&'a str, &'a str)> {
    let is_end = |byte: u8| ends.as_bytes().contains(&byte);
    let mut bytes = text.bytes().take(LONGEST_NAME + 1);
    let end = bytes.position(|byte| is_end(byte) || !is_of_name(byte))?;
    let is_whole = end > 0 && text.as_bytes().get(end).copied().is_some_and(is_end);
    is_whole.then(|| (&text[..end], &text[end + 1..]))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn is_lower(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
#[path = "written_tests.rs"]
mod tests;
