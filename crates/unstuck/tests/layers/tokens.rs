//! Words and signs of Rust sources.

/// A word, `::`, or one other character.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: usize,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// The tokens of a source without comments, texts and `#[cfg(test)]` items.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    without_tests(&scan(source))
}

fn scan(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let word = rest.find(|each| !is_word(each)).unwrap_or(rest.len());
        let (length, is_token) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("/*") {
            (block_comment(rest), false)
        } else if let Some(length) = text_literal(rest) {
            (length, false)
        } else if word > 0 {
            (word, true)
        } else if rest.starts_with("::") {
            (2, true)
        } else {
            (first.len_utf8(), !first.is_whitespace())
        };
        let (token, after) = rest.split_at(length);
        if is_token {
            tokens.push(Token {
                text: token.to_owned(),
                line,
            });
        }
        line += token.matches('\n').count();
        rest = after;
    }
    tokens
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    loop {
        match rest.get(at..at + 2) {
            Some("/*") => (depth, at) = (depth + 1, at + 2),
            Some("*/") => (depth, at) = (depth - 1, at + 2),
            // Between two bytes of one character, or at the end.
            _ => at += 1,
        }
        if depth == 0 || at >= rest.len() {
            return at.min(rest.len());
        }
    }
}

/// The length of a string or character literal that starts here.
fn text_literal(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix(['b', 'c']).unwrap_or(rest);
    let prefix = rest.len() - body.len();
    if let Some(raw) = body.strip_prefix('r') {
        let fences = raw.bytes().take_while(|byte| *byte == b'#').count();
        if let Some(text) = raw[fences..].strip_prefix('"') {
            let close = format!("\"{}", "#".repeat(fences));
            let end = text.find(&close)? + close.len();
            return Some(prefix + 1 + fences + 1 + end);
        }
    }
    let quote = body.chars().next()?;
    let is_character = match (quote, body[1..].chars().next()) {
        ('"', _) => false,
        ('\'', Some('\\')) => true,
        // `'a'` is a character, `'a` a lifetime.
        ('\'', Some(each)) => body[1 + each.len_utf8()..].starts_with('\''),
        _ => return None,
    };
    if quote == '\'' && !is_character {
        return None;
    }
    let mut escaped = false;
    for (at, each) in body.char_indices().skip(1) {
        match each {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if each == quote => return Some(prefix + at + 1),
            _ => {}
        }
    }
    None
}

/// Leaves out items with `#[cfg(test)]`.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let attribute = tokens.get(at..at + TEST.len());
        let is_test = attribute
            .is_some_and(|found| found.iter().zip(TEST).all(|(token, text)| token.is(text)));
        if !is_test {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        // The item ends at a semicolon or a closing brace outside of all brackets.
        at += TEST.len();
        let mut depth = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match &*token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && (token.is(";") || token.is("}")) {
                break;
            }
        }
    }
    kept
}
