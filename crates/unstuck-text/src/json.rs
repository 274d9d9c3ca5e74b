//! JSON that people may print to a terminal.

use std::{borrow::Cow, fmt::Write as _};

use crate::shown::acts_unseen;

/// Finished JSON, with every character that would act on a terminal as its escape (`\u009b`).
///
/// Serializers escape the control characters below the space only. DEL, the C1 controls and characters that turn or hide
/// text can stand in strings alone, so the result is JSON of the same meaning.
///
/// ```
/// use unstuck_text::quiet_json;
///
/// assert_eq!(quiet_json("[\"a\u{9b}2Jb\u{202e}\"]"), r#"["a\u009b2Jb\u202e"]"#);
/// ```
pub fn quiet_json(json: &str) -> Cow<'_, str> {
    let acts = |each: char| each == '\x7f' || acts_unseen(each);
    let Some(first) = json.find(acts) else {
        return json.into();
    };
    let (before, rest) = json.split_at(first);
    let mut out = String::with_capacity(json.len() + 64);
    out.push_str(before);
    for each in rest.chars() {
        if acts(each) {
            for unit in each.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(each);
        }
    }
    out.into()
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
