//! Places of the members of a message, for changing one and leaving every other byte as it is.

use std::ops::Range;

use unstuck::JsonError;
use unstuck_json::{JsonKind, Scanner, Scratch};

/// Where the value of a member stands, by the names that lead to it.
///
/// ```
/// let line = r#"{"id":1,"params":{"_meta":{"progressToken":"p"}}}"#;
/// let found = unstuck_mcp::member(line, &["params", "_meta", "progressToken"]).unwrap();
/// assert_eq!(&line[found], r#""p""#);
/// assert!(unstuck_mcp::member(line, &["params", "id"]).is_none());
/// ```
pub fn member(line: &str, path: &[&str]) -> Option<Range<usize>> {
    let mut scratch = Scratch::default();
    let mut value = line;
    for name in path {
        value = inside(value, name, &mut scratch).ok()??;
    }
    // The value is a part of the line, so this is where it stands.
    let start = value.as_ptr().addr() - line.as_ptr().addr();
    Some(start..start + value.len())
}

fn inside<'a>(
    object: &'a str,
    name: &str,
    scratch: &mut Scratch,
) -> Result<Option<&'a str>, JsonError> {
    let mut scanner = Scanner::lossy(object, scratch);
    if scanner.peek_kind()? != JsonKind::Object {
        return Ok(None);
    }
    scanner.begin_object()?;
    while let Some(key) = scanner.next_key()? {
        let raw = scanner.raw()?;
        if key == name {
            return Ok(Some(raw));
        }
    }
    Ok(None)
}
