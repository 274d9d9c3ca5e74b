//! The Markdown of rule pages on a terminal: headings, paragraphs, lists, code.

use crate::style::{CODE, DIM, HEADING, paint};

const WIDTH: usize = 80;

/// Renders a page. Only what our own pages use is understood; anything else comes out as it is.
pub(crate) fn render(page: &str) -> String {
    let mut out = String::new();
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in page.lines() {
        if line.starts_with("```") {
            flush(&mut paragraph, &mut out);
            in_code = !in_code;
        } else if in_code {
            out += &paint(DIM, &format!("    {line}"));
            out.push('\n');
        } else if let Some(heading) = line.strip_prefix("## ") {
            flush(&mut paragraph, &mut out);
            out += &paint(HEADING, heading);
            out.push('\n');
        } else if line.trim().is_empty() {
            flush(&mut paragraph, &mut out);
            out.push('\n');
        } else {
            if line.starts_with("- ") {
                flush(&mut paragraph, &mut out);
            } else if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph += line.trim();
        }
    }
    flush(&mut paragraph, &mut out);
    out.trim_end().to_owned() + "\n"
}

/// Writes the lines of a paragraph or of an item of a list.
fn flush(paragraph: &mut String, out: &mut String) {
    let indent = if paragraph.starts_with("- ") {
        "    "
    } else {
        "  "
    };
    let mut line = String::from("  ");
    let mut width = line.len();
    let mut in_code = false;
    for word in paragraph.split_whitespace() {
        let length = word.chars().filter(|c| *c != '`').count();
        if width + length > WIDTH && !line.trim().is_empty() {
            *out += line.trim_end();
            out.push('\n');
            indent.clone_into(&mut line);
            width = indent.len();
        }
        line += &inline(word, &mut in_code);
        line.push(' ');
        width += length + 1;
    }
    if !paragraph.is_empty() {
        *out += line.trim_end();
        out.push('\n');
    }
    paragraph.clear();
}

/// A word in which what stands between backticks is coloured; code may go on over several words.
fn inline(word: &str, in_code: &mut bool) -> String {
    let mut out = String::new();
    for (at, part) in word.split('`').enumerate() {
        if at > 0 {
            *in_code = !*in_code;
        }
        if *in_code && !part.is_empty() {
            out += &paint(CODE, part);
        } else {
            out += part;
        }
    }
    out
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
