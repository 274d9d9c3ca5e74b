//! The pages of the book, and where they are in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::check::{Documents, resolve};
use super::links::{is_relative, links, title};

const SUMMARY: &str = "docs/SUMMARY.md";

/// The table of contents.
#[derive(Debug)]
pub(super) struct Book {
    lines: Vec<Line>,
}

#[derive(Debug)]
enum Line {
    /// A heading or a blank line.
    Plain(String),
    Page {
        indent: usize,
        /// Without a bullet for pages before and after the numbered ones.
        has_bullet: bool,
        title: String,
        /// Relative to the root of the repository.
        path: String,
    },
}

impl Book {
    /// Reads the list of pages. A page `README.md` in a directory of its own brings the other pages of that directory with
    /// it, so that rules and decisions need not be listed.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join(SUMMARY))
            .with_context(|| format!("cannot read {SUMMARY}"))?;
        let mut book = Self::parse(&text);
        let listed: Vec<String> = book.pages().map(str::to_owned).collect();
        let mut lines = Vec::new();
        for line in book.lines {
            let children = match &line {
                Line::Page { indent, path, .. } => path
                    .strip_suffix("/README.md")
                    .filter(|directory| *directory != "docs")
                    .map(|directory| (indent + 2, directory.to_owned())),
                Line::Plain(_) => None,
            };
            lines.push(line);
            if let Some((indent, directory)) = children {
                lines.extend(pages_in(root, &directory, indent, &listed)?);
            }
        }
        book.lines = lines;
        Ok(book)
    }

    fn parse(text: &str) -> Self {
        let page = |line: &str| {
            let link = links(line).into_iter().next()?;
            let (path, _) = resolve(SUMMARY, &line[link.target])?;
            Some(Line::Page {
                indent: line.len() - line.trim_start().len(),
                has_bullet: line.trim_start().starts_with("- "),
                title: line[link.text].to_owned(),
                path,
            })
        };
        let lines = text
            .lines()
            .map(|line| page(line).unwrap_or_else(|| Line::Plain(line.to_owned())));
        Self {
            lines: lines.collect(),
        }
    }

    fn pages(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| match line {
            Line::Page { path, .. } => Some(path.as_str()),
            Line::Plain(_) => None,
        })
    }

    /// One line for each page of `docs` that the book does not have, and for each that it has twice.
    pub(super) fn faults(&self, documents: &Documents) -> Vec<String> {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for page in self.pages() {
            *count.entry(page).or_default() += 1;
        }
        let missing = documents
            .keys()
            .filter(|path| path.starts_with("docs/") && *path != SUMMARY)
            .filter(|path| !count.contains_key(path.as_str()))
            .map(|path| format!("{path}: not in {SUMMARY}"));
        let twice = count
            .iter()
            .filter(|(_, number)| **number > 1)
            .map(|(path, _)| format!("{path}: more than once in {SUMMARY}"));
        missing.chain(twice).collect()
    }

    /// Writes the sources of the book.
    pub(super) fn write(&self, root: &Path, to: &Path) -> Result<()> {
        put(to, "SUMMARY.md", self.summary().as_bytes())?;
        for page in self.pages() {
            let text = fs::read_to_string(root.join(page))
                .with_context(|| format!("cannot read {page}"))?;
            let (text, files) = self.moved(page, &text, |path| root.join(path).is_file());
            put(to, &place(page), text.as_bytes())?;
            for file in files {
                let bytes =
                    fs::read(root.join(&file)).with_context(|| format!("cannot read {file}"))?;
                put(to, &place(&file), &bytes)?;
            }
        }
        Ok(())
    }

    fn summary(&self) -> String {
        let lines = self.lines.iter().map(|line| match line {
            Line::Plain(text) => format!("{text}\n"),
            Line::Page {
                indent,
                has_bullet,
                title,
                path,
            } => {
                let bullet = if *has_bullet { "- " } else { "" };
                format!(
                    "{}{bullet}[{title}]({})\n",
                    " ".repeat(*indent),
                    place(path)
                )
            }
        });
        lines.collect()
    }

    /// The text of a page for its place in the book, and the files that it links to. A link to something that is neither
    /// a page of the book nor a file to copy, such as a directory, becomes plain text.
    fn moved(
        &self,
        page: &str,
        text: &str,
        is_file: impl Fn(&str) -> bool,
    ) -> (String, Vec<String>) {
        let mut moved = text.to_owned();
        let mut files = Vec::new();
        for link in links(text).into_iter().rev() {
            let target = &text[link.target.clone()];
            if !is_relative(target) || target.starts_with('#') {
                continue;
            }
            let Some((path, anchor)) = resolve(page, target) else {
                continue;
            };
            let is_page = self.pages().any(|known| known == path);
            if !is_page && (is_markdown(&path) || !is_file(&path)) {
                let shown = text[link.text.clone()].to_owned();
                moved.replace_range(link.whole(text), &shown);
                continue;
            }
            let anchor = anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
            let target = format!("{}{anchor}", relative(&place(page), &place(&path)));
            moved.replace_range(link.target, &target);
            if !is_page {
                files.push(path);
            }
        }
        (moved, files)
    }
}

fn pages_in(root: &Path, directory: &str, indent: usize, listed: &[String]) -> Result<Vec<Line>> {
    let entries =
        fs::read_dir(root.join(directory)).with_context(|| format!("cannot read {directory}"))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if is_markdown(&name) && name != "README.md" {
            names.push(format!("{directory}/{name}"));
        }
    }
    names.retain(|path| !listed.contains(path));
    names.sort();
    let page = |path: String| {
        let text = fs::read_to_string(root.join(&path))?;
        let title = title(&text).unwrap_or(&path).to_owned();
        Ok(Line::Page {
            indent,
            has_bullet: true,
            title,
            path,
        })
    };
    names.into_iter().map(page).collect()
}

/// Where a file of the repository is in the book.
fn place(path: &str) -> String {
    let place = match path.strip_prefix("docs/") {
        Some(rest) => rest.to_owned(),
        None if is_markdown(path) && !path.contains('/') => {
            format!("project/{}", path.to_lowercase())
        }
        None => format!("files/{path}"),
    };
    match place.strip_suffix("README.md") {
        Some(directory) => format!("{directory}index.md"),
        None => place,
    }
}

fn is_markdown(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|ending| ending == "md")
}

/// The way from one page of the book to another.
fn relative(from: &str, to: &str) -> String {
    let up = from.matches('/').count();
    format!("{}{to}", "../".repeat(up))
}

fn put(directory: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = directory.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)
            .with_context(|| format!("cannot create {}", parent.display()))?;
    }
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENTS: &str = "# Summary\n\n[Start](README.md)\n\n# Guide\n\n- [Scan](guide/scan.md)\n  - [Rules](rules/README.md)\n- [Design](../DESIGN.md)\n";

    #[test]
    fn the_summary_names_places_in_the_book() {
        assert_eq!(
            Book::parse(CONTENTS).summary(),
            "# Summary\n\n[Start](index.md)\n\n# Guide\n\n- [Scan](guide/scan.md)\n  - [Rules](rules/index.md)\n- [Design](project/design.md)\n"
        );
    }

    #[test]
    fn links_follow_their_pages() {
        let book = Book::parse(CONTENTS);
        let text = "[a](../../DESIGN.md#why) [b](../rules/README.md) [c](../../schema/a.json) [`d`](../../crates) \
                    [e](https://example.com) [f](#here)\n";
        let (moved, files) = book.moved("docs/guide/scan.md", text, |path| path.ends_with("json"));
        assert_eq!(
            moved,
            "[a](../project/design.md#why) [b](../rules/index.md) [c](../files/schema/a.json) `d` \
             [e](https://example.com) [f](#here)\n"
        );
        assert_eq!(files, ["schema/a.json"]);
    }

    #[test]
    fn pages_that_are_missing_or_listed_twice_are_reported() {
        let book = Book::parse(&format!("{CONTENTS}- [Again](guide/scan.md)\n"));
        let paths = ["docs/README.md", "docs/SUMMARY.md", "docs/new.md", "x.md"];
        let documents: Documents = paths
            .into_iter()
            .map(|path| (path.to_owned(), String::new()))
            .collect();
        assert_eq!(
            book.faults(&documents),
            [
                "docs/new.md: not in docs/SUMMARY.md",
                "docs/guide/scan.md: more than once in docs/SUMMARY.md"
            ]
        );
    }
}
