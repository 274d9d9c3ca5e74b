//! Links and headings of a Markdown text. Code is skipped.

use std::collections::BTreeMap;
use std::ops::Range;

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// Number of its line, from 1.
    pub(super) line: usize,
    /// Place of the brackets' content in the text. It may begin in an earlier line.
    pub(super) text: Range<usize>,
    /// Place of the target in the text, without a title.
    pub(super) target: Range<usize>,
    pub(super) is_image: bool,
}

impl Link {
    /// Place of the whole link in the text.
    pub(super) fn whole(&self, text: &str) -> Range<usize> {
        let end = text[self.target.end..]
            .find(')')
            .map_or(self.target.end, |at| self.target.end + at + 1);
        self.text.start - 1 - usize::from(self.is_image)..end
    }
}

/// Whether a target is a place in the repository, and not an address or an empty link.
pub(super) fn is_relative(target: &str) -> bool {
    let scheme = target.split(['/', '#', '?']).next().unwrap_or_default();
    !target.is_empty() && !scheme.contains(':') && !target.starts_with("//")
}

/// All links of a text, in order.
pub(super) fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for line in prose(text) {
        let mut from = line.range.start;
        while let Some(at) = text[from..line.range.end].find("](") {
            let middle = from + at;
            let start = middle + 2;
            from = start;
            if line.code.iter().any(|code| code.contains(&middle)) {
                continue;
            }
            let Some(length) = text[start..line.range.end].find([')', ' ']) else {
                continue;
            };
            let Some(open) = opening(text, middle) else {
                continue;
            };
            links.push(Link {
                line: line.number,
                text: open + 1..middle,
                target: start..start + length,
                is_image: text[..open].ends_with('!'),
            });
        }
    }
    links
}

/// Names by which the headings of a page can be linked to, as GitHub makes them.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).filter_map(|line| heading(&text[line.range]));
    headings
        .map(|heading| {
            let name = anchor(heading);
            let number = seen.entry(name.clone()).or_default();
            *number += 1;
            match *number - 1 {
                0 => name,
                again => format!("{name}-{again}"),
            }
        })
        .collect()
}

/// The first heading of a page.
pub(super) fn title(text: &str) -> Option<&str> {
    prose(text).find_map(|line| heading(&text[line.range]))
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let depth = line.len() - rest.len();
    let text = rest.strip_prefix(' ')?;
    ((1..=6).contains(&depth)).then(|| text.trim())
}

fn anchor(heading: &str) -> String {
    let mut shown = heading.to_owned();
    for link in links(heading).iter().rev() {
        let text = heading[link.text.clone()].to_owned();
        shown.replace_range(link.whole(heading), &text);
    }
    shown
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ if c.is_alphanumeric() => c.to_lowercase().next(),
            _ => None,
        })
        .collect()
}

/// The bracket that opens the one at `middle`.
fn opening(text: &str, middle: usize) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text[..middle].char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A line outside of fenced code.
struct Line {
    number: usize,
    range: Range<usize>,
    /// Places of code within the line.
    code: Vec<Range<usize>>,
}

fn prose(text: &str) -> impl Iterator<Item = Line> {
    let mut fence: Option<&str> = None;
    let mut end = 0;
    text.split_inclusive('\n')
        .enumerate()
        .filter_map(move |(at, line)| {
            let start = end;
            end += line.len();
            let marker = line.trim_start();
            let opens = ["```", "~~~"]
                .into_iter()
                .find(|mark| marker.starts_with(mark));
            match (fence, opens) {
                (Some(mark), Some(found)) if mark == found => fence = None,
                (None, Some(found)) => fence = Some(found),
                (Some(_), _) => {}
                (None, None) => {
                    return Some(Line {
                        number: at + 1,
                        range: start..start + line.trim_end().len(),
                        code: code(line.trim_end(), start),
                    });
                }
            }
            None
        })
}

/// Code between equal runs of backticks.
fn code(line: &str, offset: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = line[from..].find('`') {
        let start = from + at;
        let rest = line[start..].trim_start_matches('`');
        let ticks = &line[start..line.len() - rest.len()];
        let inside = start + ticks.len();
        let closing = line[inside..].match_indices(ticks).find(|(at, _)| {
            let after = &line[inside + at + ticks.len()..];
            !after.starts_with('`') && !line[..inside + at].ends_with('`')
        });
        from = match closing {
            Some((length, _)) => {
                found.push(offset + start..offset + inside + length);
                inside + length + ticks.len()
            }
            None => inside,
        };
    }
    found
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
