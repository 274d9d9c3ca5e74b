//! Stack traces of programs that ended with an error: the line that says what went wrong.
//!
//! | language | the line is |
//! |---|---|
//! | Python | the exception below `Traceback (most recent call last)` |
//! | Java | the last `Caused by:`, or the exception above the first `at` |
//! | JavaScript, .NET | the exception above the first `at` |
//! | Go | behind `panic:`, where a goroutine is printed |
//! | Rust | below `thread 'main' panicked at src/main.rs:1:2:` |
//! | Ruby | behind `file.rb:1:in 'method':` |
//! | PHP | above `Stack trace:` |

use memchr::memmem;

/// How many lines above a stack the message may begin.
const LONGEST_MESSAGE: usize = 20;

/// What stands above a stack of Python.
const UNWOUND: &str = "Traceback (most recent call last)";

/// What stands between the place and the method in a stack of Ruby.
const RUBY_FRAME: &str = ":in ";

/// What went wrong, where the text holds a stack that is recognised.
pub(super) fn message(text: &str) -> Option<&str> {
    python(text).or_else(|| by_line(text))
}

/// Whether the beginning of a JSON value may hold a stack, without decoding it.
pub(super) fn may_be_in(json: &str) -> bool {
    let bytes = json.as_bytes();
    let says = |words: &str| memmem::find(bytes, words.as_bytes()).is_some();
    if says(UNWOUND) || says(RUBY_FRAME) || may_begin(json.strip_prefix('"').unwrap_or(json)) {
        return true;
    }
    let mut at = 0;
    while let Some(escape) = memchr::memchr(b'\\', &bytes[at..]) {
        at += escape + 2;
        let line = json.get(at..).unwrap_or_default();
        if bytes.get(at - 1) == Some(&b'n') && may_begin(line) {
            return true;
        }
        at = at.min(bytes.len());
    }
    false
}

/// Whether a line that is not decoded may belong to a stack.
fn may_begin(line: &str) -> bool {
    const BLANKS: [&str; 4] = ["\\t", "\\r", "\\f", "\\u000b"];
    let mut content = line.trim_start();
    while let Some(rest) = BLANKS.iter().find_map(|blank| content.strip_prefix(blank)) {
        content = rest.trim_start();
    }
    let starts = ["at ", "panic: ", "thread '", "Stack trace:"];
    starts.iter().any(|start| content.starts_with(start))
}

fn python(text: &str) -> Option<&str> {
    let at = memmem::find(text.as_bytes(), UNWOUND.as_bytes())?;
    let unwound = &text[at + UNWOUND.len()..];
    unwound.lines().skip(1).find(|line| names_exception(line))
}

/// The first line that belongs to a stack decides.
fn by_line(text: &str) -> Option<&str> {
    // What does not follow one line does not follow a later one either.
    let mut may_panic = true;
    // Most texts have none, and to look for it in each line takes much longer.
    let may_be_ruby = memmem::find(text.as_bytes(), RUBY_FRAME.as_bytes()).is_some();
    let ends = memchr::memchr_iter(b'\n', text.as_bytes());
    let mut next = 0;
    for end in ends.chain([text.len()]) {
        let start = next;
        next = end + 1;
        let line = &text[start..end];
        let line = if end < text.len() {
            line.strip_suffix('\r').unwrap_or(line)
        } else {
            line
        };
        let above = &text[..start];
        let rest = &text[start + line.len()..];
        let content = line.trim_start();
        let found = match content.as_bytes().first() {
            Some(b'a') if content.len() < line.len() && is_frame(content) => {
                return caused_by(rest).or_else(|| exception_above(above));
            }
            Some(b'p') if may_panic && content.starts_with("panic: ") => {
                may_panic = rest.contains("goroutine ");
                may_panic.then_some(line)
            }
            Some(b't') if content.starts_with("thread '") => rust(content, rest),
            Some(b'S') if content == "Stack trace:" => exception_above(above),
            _ if may_be_ruby => ruby(content),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `at f (a.js:1:2)`, `at a.b.C.d(C.java:1)`, `at A.B() in a.cs:line 1`, `at async a.js:1:2`.
fn is_frame(content: &str) -> bool {
    content.strip_prefix("at ").is_some_and(|frame| {
        let placed = frame.rsplit([':', ' ']).next().unwrap_or_default();
        frame.ends_with(')') || placed.bytes().any(|byte| byte.is_ascii_digit())
    })
}

/// The last cause of a Java exception: it comes first in time.
fn caused_by(stack: &str) -> Option<&str> {
    let mut causes = stack
        .lines()
        .filter_map(|line| line.strip_prefix("Caused by: "));
    causes.next_back()
}

/// The line above a stack that names an exception, or the last one that is not empty.
fn exception_above(above: &str) -> Option<&str> {
    let lines = || {
        above
            .lines()
            .rev()
            .map(bare)
            .filter(|line| !line.is_empty())
    };
    lines()
        .take(LONGEST_MESSAGE)
        .find(|line| names_exception(line))
        .or_else(|| lines().next())
}

/// An exception without the words that runtimes put before its name.
fn bare(line: &str) -> &str {
    const LABELS: [&str; 6] = [
        "PHP ",
        "Fatal error: ",
        "Uncaught ",
        "Unhandled exception. ",
        "Unhandled Exception: ",
        "---> ",
    ];
    let mut line = line.trim();
    for label in LABELS {
        line = line.strip_prefix(label).unwrap_or(line).trim_start();
    }
    match line.strip_prefix("Exception in thread \"") {
        Some(thread) => thread
            .split_once("\" ")
            .map_or(line, |(_, exception)| exception),
        None => line,
    }
}

/// `thread 'main' panicked at src/main.rs:1:2:` with the message below it, or with the message quoted before the place.
fn rust<'t>(content: &'t str, below: &'t str) -> Option<&'t str> {
    let (_, place) = content.split_once(" panicked at ")?;
    if let Some(quoted) = place.strip_prefix('\'') {
        return quoted.split_once("', ").map(|(message, _)| message);
    }
    below.lines().find(|line| !line.trim().is_empty())
}

/// `a.rb:1:in 'm': undefined method 'x' for nil (NoMethodError)`, and older ones with a backquote.
fn ruby(content: &str) -> Option<&str> {
    let (place, rest) = content.split_once(RUBY_FRAME)?;
    let (file, line) = place.rsplit_once(':')?;
    let is_ruby =
        file.rsplit('.').next() == Some("rb") && line.bytes().all(|byte| byte.is_ascii_digit());
    let (_, message) = rest.split_once("': ").filter(|_| is_ruby)?;
    Some(message)
}

/// `KeyError: 'a'`, `sqlite3.OperationalError: no such table`.
fn names_exception(line: &str) -> bool {
    let word = line.split([':', ' ', '\r']).next().unwrap_or_default();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._".contains(&byte);
    !word.is_empty()
        && word.bytes().all(is_name)
        && (line.starts_with(|first: char| first.is_ascii_alphabetic()))
        && (line[word.len()..].starts_with(':')
            || word.ends_with("Error")
            || word.ends_with("Exception")
            || word.ends_with("Exit")
            || word.ends_with("Interrupt"))
}

#[cfg(test)]
#[path = "stack_trace_tests.rs"]
mod tests;
