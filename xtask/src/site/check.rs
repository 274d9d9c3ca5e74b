//! Links that lead nowhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use super::links::{anchors, is_relative, links};

/// Text by path relative to the root, with `/` between the parts.
pub(super) type Documents = BTreeMap<String, String>;

/// Directories without pages: what tests compare with, and what is not part of the repository.
const SKIPPED: [&str; 5] = [".git", "corpus", "node_modules", "target", "tests"];

/// All Markdown files of the repository.
pub(super) fn documents(root: &Path) -> Result<Documents> {
    let mut files = Vec::new();
    collect(root, "md", &mut files)?;
    files.iter().map(|path| read(root, path)).collect()
}

fn read(root: &Path, path: &Path) -> Result<(String, String)> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.strip_prefix(root).unwrap_or(path);
    Ok((name.to_string_lossy().replace('\\', "/"), text))
}

fn collect(directory: &Path, ending: &str, into: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let is_skipped = SKIPPED.iter().any(|name| entry.file_name() == *name);
        if entry.file_type()?.is_dir() {
            if !is_skipped {
                collect(&path, ending, into)?;
            }
        } else if path.extension().is_some_and(|found| found == ending) {
            into.push(path);
        }
    }
    Ok(())
}

/// One line for each relative link whose file or heading does not exist.
pub(super) fn faults(root: &Path, documents: &Documents) -> Vec<String> {
    let anchors: BTreeMap<&str, Vec<String>> = documents
        .iter()
        .map(|(path, text)| (path.as_str(), anchors(text)))
        .collect();
    let mut faults = Vec::new();
    for (page, text) in documents {
        for link in links(text) {
            let target = &text[link.target];
            if !is_relative(target) {
                continue;
            }
            let problem = match resolve(page, target) {
                None => Some("leads out of the repository"),
                Some((path, _)) if !root.join(&path).exists() => Some("there is no such file"),
                Some((path, Some(anchor))) => anchors
                    .get(path.as_str())
                    .is_some_and(|known| !known.contains(&anchor))
                    .then_some("the page has no such heading"),
                Some((_, None)) => None,
            };
            faults.extend(
                problem.map(|problem| format!("{page}:{}: `{target}`: {problem}", link.line)),
            );
        }
    }
    faults
}

/// The path relative to the root that a page's link leads to, and the heading.
pub(super) fn resolve(page: &str, target: &str) -> Option<(String, Option<String>)> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (target, None),
    };
    if path.is_empty() {
        return Some((page.to_owned(), anchor));
    }
    let from = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut parts: Vec<String> = Vec::new();
    for part in from.join(path).components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir => return None,
        }
    }
    Some((parts.join("/"), anchor))
}

/// Number of pages that mdBook made, and one line for each of their links that leads nowhere.
pub(super) fn built(site: &Path) -> Result<(usize, Vec<String>)> {
    let mut files = Vec::new();
    collect(site, "html", &mut files)?;
    let pages: Documents = files
        .iter()
        .map(|path| read(site, path))
        .collect::<Result<_>>()?;
    let mut faults = Vec::new();
    for (page, text) in &pages {
        for target in values(text, &["href", "src"]) {
            if !is_relative(&target) {
                continue;
            }
            let is_there = match resolve(page, &target) {
                None => false,
                Some((path, anchor)) => match (pages.get(&path), anchor) {
                    (Some(other), Some(anchor)) if !anchor.is_empty() => {
                        values(other, &["id"]).any(|id| id == anchor)
                    }
                    (Some(_), _) => true,
                    (None, _) => site.join(&path).is_file(),
                },
            };
            if !is_there {
                faults.push(format!("{page}: `{target}` leads nowhere in the book"));
            }
        }
    }
    Ok((pages.len(), faults))
}

/// Values of attributes in a page of HTML.
fn values(page: &str, names: &[&str]) -> impl Iterator<Item = String> {
    names.iter().flat_map(move |name| {
        let start = format!(" {name}=\"");
        let found: Vec<String> = page
            .split(&start)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .map(|value| value.replace("&amp;", "&"))
            .collect();
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_resolved_from_their_page() {
        let path = |page, target| resolve(page, target).map(|(path, _)| path);
        assert_eq!(
            path("docs/guide/a.md", "../b.md"),
            Some("docs/b.md".to_owned())
        );
        assert_eq!(path("README.md", "docs/b.md"), Some("docs/b.md".to_owned()));
        assert_eq!(path("README.md", "#x"), Some("README.md".to_owned()));
        assert_eq!(path("docs/a.md", "../../b.md"), None);
        assert_eq!(path("docs/a.md", "/etc/b.md"), None);
        assert_eq!(
            resolve("a.md", "b.md#c"),
            Some(("b.md".to_owned(), Some("c".to_owned())))
        );
    }

    #[test]
    fn broken_links_are_reported_with_file_and_line() {
        let pages = [
            ("Cargo.toml.md", "# A b\n[x](Cargo.toml#a)\n[y](#a-b)\n"),
            (
                "z.md",
                "\n[x](none.md)\n[y](Cargo.toml.md#no)\n[z](../z.md)\n",
            ),
        ];
        let documents: Documents = pages
            .into_iter()
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .collect();
        // Only `Cargo.toml` is a real file here.
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(
            faults(root, &documents),
            [
                "Cargo.toml.md:3: `#a-b`: there is no such file",
                "z.md:2: `none.md`: there is no such file",
                "z.md:3: `Cargo.toml.md#no`: there is no such file",
                "z.md:4: `../z.md`: leads out of the repository",
            ]
        );
    }

    #[test]
    fn attributes_are_read_from_html() {
        let page = r#"<a class="x" href="a.html?b=1&amp;c=2">a</a><img src="b.svg"><h1 id="c">"#;
        let found: Vec<_> = values(page, &["href", "src", "id"]).collect();
        assert_eq!(found, ["a.html?b=1&c=2", "b.svg", "c"]);
    }
}
