//! Finds the end of a substitution: `$(…)`, `${…}` and backticks, with nested quotes and substitutions.

/// Maximum nesting of substitutions. Commands written by hand stay far below it.
pub(crate) const MAX_DEPTH: usize = 32;

/// A construct that has been opened and not closed yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Parenthesis,
    Brace,
    Quotes,
    Backtick,
}

/// The end of the substitution whose opening is the last byte before `from`. One pass, and a stack of fixed depth.
fn end(bytes: &[u8], from: usize, first: Open, in_quotes: bool) -> Option<usize> {
    let mut stack = [first; MAX_DEPTH];
    let mut depth = 1;
    let mut quotes = usize::from(in_quotes);
    let mut at = from;
    let mut word_start = true;
    loop {
        let byte = *bytes.get(at)?;
        let top = stack[depth - 1];
        let next = bytes.get(at + 1).copied();
        let mut opened = None;
        let mut closed = false;
        match (byte, top) {
            (b'\\', _) => at += 1,
            (b'`', Open::Backtick) | (b'}', Open::Brace) | (b')', Open::Parenthesis) => {
                closed = true;
            }
            (b'`', _) if stack[..depth].contains(&Open::Backtick) => return None,
            (b'`', _) => opened = Some(Open::Backtick),
            (b'$', _) if next == Some(b'(') => {
                at += 1;
                opened = Some(Open::Parenthesis);
            }
            (b'$', _) if next == Some(b'{') => {
                at += 1;
                opened = Some(Open::Brace);
            }
            (b'"', Open::Quotes) => {
                closed = true;
                quotes -= 1;
            }
            (_, Open::Quotes) => {}
            (b'"', _) => {
                opened = Some(Open::Quotes);
                quotes += 1;
            }
            // Shells disagree about the quote in `"${x:-it's}"`.
            (b'\'', Open::Brace) if quotes > 0 => return None,
            (b'\'', _) => at = find(bytes, at + 1, b'\'')?,
            (b'(', Open::Parenthesis) => opened = Some(Open::Parenthesis),
            // A document in a substitution: its text could hold anything.
            (b'<', Open::Parenthesis) if next == Some(b'<') => {
                if bytes.get(at + 2) != Some(&b'<') {
                    return None;
                }
                at += 2;
            }
            (b'#', Open::Parenthesis) if word_start => at = find(bytes, at, b'\n')?,
            _ => {}
        }
        word_start = byte.is_ascii_whitespace() || matches!(byte, b'(' | b';' | b'|' | b'&');
        at += 1;
        if let Some(open) = opened {
            *stack.get_mut(depth)? = open;
            depth += 1;
        } else if closed {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
}

/// The end of `(…)`, from after the parenthesis.
pub(crate) fn parenthesis_end(bytes: &[u8], from: usize) -> Option<usize> {
    end(bytes, from, Open::Parenthesis, false)
}

/// The end of `${…}`, from after the brace.
pub(crate) fn brace_end(bytes: &[u8], from: usize, in_quotes: bool) -> Option<usize> {
    end(bytes, from, Open::Brace, in_quotes)
}

/// The end of a command in backticks, from after the first.
pub(crate) fn backtick_end(bytes: &[u8], from: usize) -> Option<usize> {
    end(bytes, from, Open::Backtick, false)
}

/// Returns the next position of the byte.
pub(crate) fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter()
        .position(|byte| *byte == wanted)
        .map(|at| from + at)
}
