//! One name, one type: no two types of the crate have the same name.
//!
//! The test reads the sources of the library without its tests. Types that a macro makes and associated types do not
//! count.

#![allow(clippy::unwrap_used, reason = "what may fail here fails the test")]

use std::{collections::BTreeMap, fs, path::Path};

#[test]
fn a_name_belongs_to_one_type() {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    collect(&folder, "", &mut types);
    assert!(types.len() > 150, "only {} types were found", types.len());
    types.retain(|_, places| places.len() > 1);
    assert!(
        types.is_empty(),
        "rename all but one of these types: {types:#?}"
    );
}

/// Adds the types of all sources below a folder, each with the file that declares it.
fn collect(folder: &Path, below: &str, types: &mut BTreeMap<String, Vec<String>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let inner = format!("{below}{name}");
        if path.is_dir() {
            collect(&path, &format!("{inner}/"), types);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !name.ends_with("_tests.rs")
        {
            #[expect(clippy::disallowed_methods, reason = "reads the sources")]
            let source = fs::read_to_string(&path).unwrap();
            for line in source.lines() {
                if let Some(declared) = declared(line) {
                    types
                        .entry(declared.to_owned())
                        .or_default()
                        .push(inner.clone());
                }
            }
        }
    }
}

/// Returns the name of the type that a line declares. A `type` counts only at the beginning of its line: within an
/// `impl` it is an associated type.
fn declared(line: &str) -> Option<&str> {
    let item = line.trim_start();
    let item = match item.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => item,
    };
    let (keyword, rest) = item.split_once(' ')?;
    let is_type = match keyword {
        "struct" | "enum" | "trait" | "union" => true,
        "type" => !line.starts_with(' '),
        _ => false,
    };
    let end = rest.find(|letter: char| !letter.is_alphanumeric());
    let name = &rest[..end.unwrap_or(rest.len())];
    (is_type && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn declarations_are_recognised() {
    let cases = [
        ("pub(crate) struct Label(Arc<LabelText>);", Some("Label")),
        ("enum Kind {", Some("Kind")),
        ("    pub(super) trait Walk: Sized {", Some("Walk")),
        ("pub type Line = u32;", Some("Line")),
        ("    type State = ();", None),
        ("        pub struct $name {", None),
        ("/// struct Name", None),
    ];
    for (line, expected) in cases {
        assert_eq!(declared(line), expected, "{line}");
    }
}
