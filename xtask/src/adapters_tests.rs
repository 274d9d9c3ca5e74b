use std::fs;

use super::*;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn adapters_are_selected_by_name_and_by_language() {
    let all = listed(&root()).unwrap();
    let names = |wanted: &[&str]| {
        let wanted: Vec<_> = wanted.iter().map(ToString::to_string).collect();
        let found = selected(&all, &wanted)?;
        let found = found.iter().flat_map(|(language, adapters)| {
            let name = |one: &&Adapter| format!("{}/{}", language.name, one.name);
            adapters.iter().map(name).collect::<Vec<_>>()
        });
        anyhow::Ok(found.collect::<Vec<_>>())
    };
    let count: usize = all.iter().map(|(_, adapters)| adapters.len()).sum();
    assert_eq!(names(&[]).unwrap().len(), count);
    assert_eq!(names(&["pydantic_ai"]).unwrap(), ["python/pydantic_ai"]);
    assert_eq!(
        names(&["langchain"]).unwrap(),
        ["python/langchain", "node/langchain"]
    );
    let node = names(&["node"]).unwrap();
    assert!(
        !node.is_empty() && node.iter().all(|name| name.starts_with("node/")),
        "{node:?}"
    );
    let error = names(&["langchian"]).unwrap_err().to_string();
    assert!(
        error.starts_with("no adapter `langchian`; there are: langchain"),
        "{error}"
    );
}

#[test]
fn the_page_has_every_adapter_and_what_was_shown_is_what_is_pinned() {
    let all = listed(&root()).unwrap();
    let page = fs::read_to_string(root().join("docs/adapters.md")).unwrap();
    let languages: Vec<_> = all
        .iter()
        .map(|(language, adapters)| (language.title, adapters.as_slice()))
        .collect();
    let made = Table::read(&root()).unwrap().page(&languages);
    assert_eq!(
        made, page,
        "run `cargo xtask adapters NAME` of what has changed"
    );
    for (_, adapters) in &all {
        for adapter in adapters {
            let name = &adapter.name;
            assert!(!adapter.packages.is_empty(), "{name} has no packages");
            let module = format!("`{}`", adapter.module);
            let mut rows = page.lines().filter(|line| line.contains(&module));
            let packages = adapter.shown_with();
            let is_current = |row: &str| row.contains(&packages) || row.contains("not run yet");
            assert!(rows.any(is_current), "{name} was not run with {packages}");
        }
    }
}
