//! The names at the root of the crate.

/// Names that `lib.rs` re-exports at the root. Everything else has a module.
const NAMES: usize = 40;

#[test]
fn the_root_has_few_names() {
    let text = include_str!("../../src/lib.rs");
    let exports = text.split("\npub use ").skip(1);
    let names: Vec<&str> = exports
        .filter_map(|export| export.split_once(';')?.0.rsplit_once("::"))
        .flat_map(|(_, names)| names.trim_matches(['{', '}']).split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(names.len(), NAMES, "{names:#?}");
    assert!(names.len() <= 40, "options belong in `settings`, and so on");
}
