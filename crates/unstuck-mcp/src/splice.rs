//! Changes one result and leaves every other byte of its message as it is.

use unstuck::{Json, JsonError};
use unstuck_json::{JsonKind, Scanner, Scratch};

/// What happens to `structuredContent`, which some clients show in place of everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Structured {
    /// It stays: the tool promised it.
    Keep,
    /// It becomes a text beside the others.
    AsText,
}

/// The message with one more text in its result, or `None` where the result has no place for one.
pub(crate) fn add_text(line: &[u8], text: &str, structured: Structured) -> Option<Vec<u8>> {
    rewrite(line, |member, raw, result| match member {
        "content" => {
            let inside = raw.strip_suffix(']')?;
            result.content.push_str(inside);
            result.items += usize::from(!inside.trim_end().ends_with('['));
            Some(Member::Content)
        }
        "structuredContent" if structured == Structured::AsText => {
            result.texts.push(raw.to_owned());
            Some(Member::Dropped)
        }
        _ => Some(Member::Kept),
    })
    .and_then(|rewritten| rewritten.finish(line, text))
}

/// The message with this text in place of all that its result said.
pub(crate) fn replace_text(line: &[u8], text: &str) -> Option<Vec<u8>> {
    rewrite(line, |member, _, result| {
        Some(match member {
            "content" => {
                result.content.push('[');
                Member::Content
            }
            _ => Member::Kept,
        })
    })
    .and_then(|rewritten| rewritten.finish(line, text))
}

enum Member {
    Kept,
    Dropped,
    /// Its place is taken by the new content.
    Content,
}

/// A result, taken apart.
#[derive(Default)]
struct Rewritten {
    /// Where the result stands in the line.
    start: usize,
    end: usize,
    /// The members before and behind `content`, with their commas.
    before: String,
    behind: String,
    /// The content without its closing bracket, and whether anything stands in it.
    content: String,
    items: usize,
    /// What was taken out and should be said as text.
    texts: Vec<String>,
}

impl Rewritten {
    fn finish(mut self, line: &[u8], text: &str) -> Option<Vec<u8>> {
        if self.content.is_empty() {
            return None;
        }
        self.texts.push(text.to_owned());
        for text in &self.texts {
            if self.items > 0 {
                self.content.push(',');
            }
            self.items += 1;
            self.content.push_str(r#"{"type":"text","text":"#);
            self.content.push_str(Json::string(text).as_str());
            self.content.push('}');
        }
        let mut out = Vec::with_capacity(line.len() + text.len() + 64);
        out.extend_from_slice(line.get(..self.start)?);
        out.push(b'{');
        out.extend_from_slice(self.before.as_bytes());
        out.extend_from_slice(b"\"content\":");
        out.extend_from_slice(self.content.as_bytes());
        out.push(b']');
        out.extend_from_slice(self.behind.as_bytes());
        out.push(b'}');
        out.extend_from_slice(line.get(self.end..)?);
        Some(out)
    }
}

fn rewrite(
    line: &[u8],
    each: impl FnMut(&str, &str, &mut Rewritten) -> Option<Member>,
) -> Option<Rewritten> {
    let text = std::str::from_utf8(line).ok()?;
    walk(text, each).ok().flatten()
}

fn walk(
    text: &str,
    mut each: impl FnMut(&str, &str, &mut Rewritten) -> Option<Member>,
) -> Result<Option<Rewritten>, JsonError> {
    let mut scratch = Scratch::default();
    let mut scanner = Scanner::lossy(text, &mut scratch);
    scanner.begin_object()?;
    let mut result = None;
    while let Some(key) = scanner.next_key()? {
        let raw = scanner.raw()?;
        if key == "result" {
            result = Some(raw);
        }
    }
    let Some(result) = result else {
        return Ok(None);
    };
    let mut rewritten = Rewritten {
        // The result is a part of the line, so this is where it stands.
        start: result.as_ptr().addr() - text.as_ptr().addr(),
        ..Rewritten::default()
    };
    rewritten.end = rewritten.start + result.len();
    let mut scanner = Scanner::lossy(result, &mut scratch);
    if scanner.peek_kind()? != JsonKind::Object {
        return Ok(None);
    }
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        let raw = scanner.raw()?;
        match each(&key, raw, &mut rewritten) {
            Some(Member::Kept) => {
                let member = format!("{}:{raw}", Json::string(&key));
                if rewritten.content.is_empty() {
                    rewritten.before.push_str(&member);
                    rewritten.before.push(',');
                } else {
                    rewritten.behind.push(',');
                    rewritten.behind.push_str(&member);
                }
            }
            Some(Member::Dropped | Member::Content) => {}
            None => return Ok(None),
        }
    }
    Ok(Some(rewritten))
}

#[cfg(test)]
#[path = "splice_tests.rs"]
mod tests;
