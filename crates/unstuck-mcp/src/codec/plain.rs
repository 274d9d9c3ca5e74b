//! Answers as most are: a result that is one text, and nothing else.
//!
//! Results are most of the bytes that pass. This reads the text of such a one once, into what it is compared by. Any
//! other message is left to the reader for all of them.

use unstuck::{Json, JsonError};
use unstuck_json::{JsonKind, Scanner};

use super::id::{Id, LONGEST_ID};
use super::message::{Body, Message, Response, TextResult};

/// The message, if it is such an answer.
pub(super) fn answer<'a>(mut scanner: Scanner<'a, '_>) -> Option<Message<'a>> {
    read(&mut scanner).ok().flatten()
}

fn read<'a>(scanner: &mut Scanner<'a, '_>) -> Result<Option<Message<'a>>, JsonError> {
    let mut version = None;
    let mut id = None;
    let mut result = None;
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        let first = match &*key {
            "jsonrpc" if scanner.peek_kind()? == JsonKind::String => {
                version.replace(scanner.string()?).is_none()
            }
            "id" if matches!(scanner.peek_kind()?, JsonKind::String | JsonKind::Number) => {
                id.replace(scanner.raw()?).is_none()
            }
            "result" if scanner.peek_kind()? == JsonKind::Object => {
                let Some(text) = text_result(scanner)? else {
                    return Ok(None);
                };
                result.replace(text).is_none()
            }
            _ => false,
        };
        if !first {
            return Ok(None);
        }
    }
    scanner.end()?;
    let (Some(raw), Some(text)) = (id, result) else {
        return Ok(None);
    };
    if raw.len() > LONGEST_ID {
        return Ok(None);
    }
    Ok(Some(Message::Response(Response {
        id: Some(Id::of(raw)?),
        body: Body::Text(text),
    })))
}

/// `{"content":[{"type":"text","text":…}]}`, also with `isError`.
fn text_result(scanner: &mut Scanner<'_, '_>) -> Result<Option<TextResult>, JsonError> {
    let mut text = None;
    let mut is_error = None;
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        let first = match &*key {
            "content" if scanner.peek_kind()? == JsonKind::Array => {
                let Some(only) = only_text(scanner)? else {
                    return Ok(None);
                };
                text.replace(only).is_none()
            }
            "isError" if scanner.peek_kind()? == JsonKind::Bool => {
                is_error.replace(scanner.raw()? == "true").is_none()
            }
            _ => false,
        };
        if !first {
            return Ok(None);
        }
    }
    Ok(text.map(|text| TextResult {
        text,
        is_error: is_error.unwrap_or(false),
    }))
}

fn only_text(scanner: &mut Scanner<'_, '_>) -> Result<Option<Json>, JsonError> {
    let mut kind = None;
    let mut text = None;
    scanner.begin_array()?;
    if !scanner.next_element()? || scanner.peek_kind()? != JsonKind::Object {
        return Ok(None);
    }
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        let string = scanner.peek_kind()? == JsonKind::String;
        let first = match &*key {
            "type" if string => kind.replace(scanner.string()?).is_none(),
            "text" if string => text.replace(scanner.canonical()?).is_none(),
            _ => false,
        };
        if !first {
            return Ok(None);
        }
    }
    if scanner.next_element()? || kind.as_deref() != Some("text") {
        return Ok(None);
    }
    Ok(text)
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
