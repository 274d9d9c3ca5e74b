//! Texts made short enough to be shown.

/// Returns the text of a JSON string without its quotes and escapes, and any other JSON unchanged. The JSON may be cut
/// off anywhere.
pub fn readable(json: &str) -> String {
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

/// Joins the words of a text to one line of at most `limit` characters, and marks a cut with `…`.
pub fn shorten(text: &str, limit: usize) -> String {
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

/// Returns the first `limit` characters of a text, with its line ends, and marks a cut with `…`.
pub fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
