//! Finding one's way between the values: white space and comments.

/// The place behind white space and comments.
pub(super) fn next_significant(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
        } else if let Some(length) = comment(rest) {
            at += length;
        } else {
            return at;
        }
    }
}

/// The place behind the last comment between two places, or the first of them if there is no comment.
pub(super) fn after_last_comment(text: &str, from: usize, to: usize) -> usize {
    let mut at = from;
    let mut behind = from;
    while at < to {
        let rest = &text[at..to];
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
        } else if let Some(length) = comment(rest) {
            at += length;
            behind = at;
        } else {
            break;
        }
    }
    behind
}

/// The place behind the comments that follow on the same line.
pub(super) fn after_comments_of_line(text: &str, from: usize) -> usize {
    let mut behind = from;
    loop {
        let rest = &text[behind..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        match comment(&rest[blank..]) {
            Some(length) if !rest[blank..blank + length].contains('\n') => behind += blank + length,
            _ => return behind,
        }
    }
}

/// The white space that the line of a place starts with.
pub(super) fn indent_of_line(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = &text[line..];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

/// The place behind the last character before `at` that is not white space.
pub(super) fn before_blank(text: &str, at: usize) -> usize {
    text[..at].trim_end().len()
}

/// Whether the line of a place has a line comment before it. `from` is a place outside of strings and comments.
pub(super) fn ends_in_line_comment(text: &str, from: usize, at: usize) -> bool {
    let mut here = from;
    while here < at {
        let rest = &text[here..];
        match comment(rest) {
            Some(length) => {
                here += length;
                if here == at && rest.starts_with("//") {
                    return true;
                }
            }
            None => here += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    false
}

/// The length of the comment that a text starts with. A line comment ends before its line does.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        let line = text.find('\n').unwrap_or(text.len());
        return Some(text[..line].trim_end_matches('\r').len());
    }
    let inside = text.strip_prefix("/*")?;
    inside.find("*/").map(|end| end + 4)
}
