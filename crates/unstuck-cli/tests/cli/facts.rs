//! Facts that pages and pictures take over: what a scan prints, and which Rust each crate needs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::run::{Place, finish};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a page")
}

/// What a picture of the terminal shows, without colours, a line each.
fn pictured(picture: &str) -> Vec<String> {
    let lines = picture.split(r#"<tspan x="10px" y=""#).skip(1);
    lines
        .map(|line| {
            let line = line.split_once('>').map_or("", |(_, rest)| rest);
            let line = line.lines().next().unwrap_or_default();
            let parts = line.split('<');
            let text: String = parts
                .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
                .collect();
            let marks = [
                ("&lt;", "<"),
                ("&gt;", ">"),
                ("&quot;", "\""),
                ("&amp;", "&"),
            ];
            let text = marks
                .iter()
                .fold(text, |text, (mark, letter)| text.replace(mark, letter));
            text.trim_end().to_owned()
        })
        .collect()
}

#[test]
fn the_picture_of_the_readme_is_what_a_scan_prints() {
    let place = Place::new("documents-picture");
    let mut command = place.command(&["scan", "--no-config", "examples/transcripts"]);
    command.current_dir(root());
    let ran = finish(command, b"");
    let shown = pictured(&page("docs/images/scan.svg"));
    let shown: Vec<_> = shown.iter().map(String::as_str).collect();
    let (command, shown) = shown.split_first().expect("a picture");
    assert_eq!(*command, "$ unstuck scan examples/transcripts");
    let printed: Vec<_> = ran.out.lines().map(str::trim_end).collect();
    let last = shown.iter().rposition(|line| !line.is_empty());
    let shown = &shown[..=last.expect("a line")];
    assert!(shown.len() > 30, "{shown:?}");
    assert_eq!(
        shown,
        &printed[..shown.len()],
        "`cargo xtask screenshot` makes the pictures again"
    );
}

#[test]
fn the_table_of_rust_versions_names_every_published_crate() {
    let versioning = page("VERSIONING.md");
    let workspace = page("Cargo.toml");
    let version = |manifest: &str| {
        let mut lines = manifest.lines();
        let line = lines.find(|line| line.starts_with("rust-version = "))?;
        Some(line.split('"').nth(1)?.to_owned())
    };
    let own = version(&workspace).expect("a version");
    let rows: Vec<_> = versioning
        .lines()
        .filter(|line| line.starts_with("| `unstuck"))
        .collect();
    for entry in fs::read_dir(root().join("crates")).expect("crates") {
        let directory = entry.expect("a crate").path();
        let manifest = fs::read_to_string(directory.join("Cargo.toml")).expect("a manifest");
        if manifest.contains("publish = false") {
            continue;
        }
        let name = directory.file_name().expect("a name").to_string_lossy();
        let mark = format!("`{name}`");
        let row = rows.iter().find(|row| row.contains(&mark));
        let row = row.unwrap_or_else(|| panic!("{name} is not in the table"));
        let wanted = version(&manifest).unwrap_or_else(|| own.clone());
        let cell = row.split('|').nth(2).unwrap_or_default().trim();
        assert!(cell.starts_with(&wanted), "{name}: {wanted}, not {cell}");
    }
}
