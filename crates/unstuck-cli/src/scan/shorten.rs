//! Texts of transcripts, made short enough to be shown.

/// What a JSON value says: a string without its quotes, anything else as it stands. The value may be cut off.
pub(crate) fn readable(json: &str) -> String {
    let Some(inner) = json.strip_prefix('"') else {
        return json.to_owned();
    };
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('t') => text.push('\t'),
                Some('u') => {
                    let digits: String = characters.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    text.extend(code.and_then(char::from_u32));
                }
                Some(escaped @ ('"' | '\\' | '/')) => text.push(escaped),
                Some(_) | None => {}
            },
            character => text.push(character),
        }
    }
    text
}

/// What a command said, without what the harness puts before it.
pub(crate) fn unwrapped(output: &str) -> &str {
    let inner = output
        .strip_prefix("<untrusted_context>\n")
        .unwrap_or(output);
    let inner = match inner.strip_prefix("Chunk ID: ") {
        Some(rest) => rest
            .split_once("\nOutput:\n")
            .map_or(inner, |(_, said)| said),
        None => inner.strip_prefix("Output: ").unwrap_or(inner),
    };
    if inner.trim().is_empty() {
        output
    } else {
        inner
    }
}

/// One line of at most so many characters.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(4 * limit));
    let mut length = 0;
    for word in text.split_whitespace() {
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        for character in word.chars() {
            if length >= limit {
                line.push('…');
                return line;
            }
            line.push(character);
            length += 1;
        }
    }
    line
}

/// The first so many characters, with their line ends.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "shorten_tests.rs"]
mod tests;
