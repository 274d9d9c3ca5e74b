//! The layers of the engine hold: no module uses one of a higher layer, and no two modules use each other.
//!
//! The test reads the paths that start with `crate::`, `$crate::` or `super::` in the sources of the library. Comments,
//! texts and `#[cfg(test)]` items do not count.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what may fail here fails the test"
)]

#[path = "layers/tokens.rs"]
mod tokens;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use tokens::{Token, tokens};

/// The modules of the crate, from leaf to root. A module may use those before it.
const LAYERS: [&str; 20] = [
    "marker",
    "transition",
    "hash",
    "vocab",
    "label",
    "fingerprint",
    "wording",
    "memory",
    "swarm",
    "event",
    "normalize",
    "options",
    "facts",
    "state",
    "rules",
    "settings",
    "decision",
    "policy",
    "message",
    "engine",
];

#[test]
fn no_module_uses_a_higher_layer() {
    let faults = Crate::read(&sources()).faults(&LAYERS);
    assert!(
        faults.is_empty(),
        "the layers of the engine are broken. Move what is used to a lower layer, or `LAYERS` in tests/layers.rs names \
         another order:\n{}",
        faults.join("\n")
    );
}

#[test]
fn all_modules_are_read() {
    let read = Crate::read(&sources());
    let uses: usize = read.arrows.values().map(Vec::len).sum();
    assert_eq!(read.modules.len(), LAYERS.len());
    assert!(uses > 200, "only {uses} uses were found");
}

/// The sources of the library with their paths below `src`.
fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, below: &str, all: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let inner = format!("{below}{name}");
            if path.is_dir() {
                collect(&path, &format!("{inner}/"), all);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !inner.contains("_tests")
            {
                #[expect(clippy::disallowed_methods, reason = "reads the sources")]
                all.push((inner, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut all = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    collect(&folder, "", &mut all);
    all.sort();
    all
}

/// A crate, as far as its layers are concerned.
struct Crate {
    modules: BTreeSet<String>,
    /// Where a module uses another one: file, line and path.
    arrows: BTreeMap<(String, String), Vec<String>>,
    /// Paths that lead to no known module.
    unknown: Vec<String>,
}

impl Crate {
    /// Reads sources, each with its path below `src`. Only modules that `lib.rs` declares count.
    fn read(sources: &[(String, String)]) -> Self {
        let root = sources.iter().find(|(path, _)| path == "lib.rs");
        let root = tokens(&root.expect("a root").1);
        let modules: BTreeSet<String> = root
            .windows(3)
            .filter(|three| three[0].is("mod") && three[2].is(";"))
            .map(|three| three[1].text.clone())
            .collect();
        // Names that the root re-exports stand for the module that has them.
        let mut exports = BTreeMap::new();
        for at in 0..root.len() {
            if root[at].is("use") {
                for used in paths(&root, at + 1) {
                    let [module, .., name] = &*used.segments else {
                        continue;
                    };
                    exports.insert(name.clone(), module.clone());
                }
            }
        }
        let mut read = Self {
            modules,
            arrows: BTreeMap::new(),
            unknown: Vec::new(),
        };
        for (path, text) in sources {
            let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
            if read.modules.contains(parts[0]) {
                read.file(path, &parts, text, &exports);
            }
        }
        read
    }

    fn file(&mut self, path: &str, parts: &[&str], text: &str, exports: &BTreeMap<String, String>) {
        let tokens = tokens(text);
        for at in 0..tokens.len() {
            let inside = at > 0 && tokens[at - 1].is("::");
            let is_path = tokens.get(at + 1).is_some_and(|next| next.is("::"));
            if inside || !is_path || !(tokens[at].is("crate") || tokens[at].is("super")) {
                continue;
            }
            for used in paths(&tokens, at) {
                // As many `super` as the file has parents lead to the root of the crate.
                let supers = used.segments.iter().take_while(|part| *part == "super");
                let below_root = match used.segments[0].as_str() {
                    "crate" => &used.segments[1..],
                    _ if supers.clone().count() == parts.len() => &used.segments[parts.len()..],
                    _ => continue,
                };
                let place = format!("src/{path}:{}: {}", used.line, used.segments.join("::"));
                let first = below_root.first().map_or("", String::as_str);
                let module = exports.get(first).map_or(first, String::as_str);
                if !self.modules.contains(module) {
                    self.unknown.push(place);
                } else if module != parts[0] {
                    let arrow = (parts[0].to_owned(), module.to_owned());
                    self.arrows.entry(arrow).or_default().push(place);
                }
            }
        }
    }

    /// What is wrong, one line each.
    fn faults(&self, layers: &[&str]) -> Vec<String> {
        let mut faults = Vec::new();
        for module in &self.modules {
            if !layers.contains(&module.as_str()) {
                faults.push(format!("`{module}` is not in the list of layers"));
            }
        }
        for layer in layers {
            if !self.modules.contains(*layer) {
                faults.push(format!(
                    "`{layer}` is in the list of layers and not a module"
                ));
            }
        }
        for place in &self.unknown {
            faults.push(format!("{place} leads to no module"));
        }
        let layer = |module: &str| layers.iter().position(|layer| *layer == module);
        for ((from, to), places) in &self.arrows {
            if layer(from) < layer(to) {
                for place in places {
                    faults.push(format!("{place}: `{from}` is below `{to}`"));
                }
            }
        }
        for cycle in self.cycles() {
            let names = cycle.iter().cloned().collect::<Vec<_>>().join("`, `");
            faults.push(format!("`{names}` use each other:"));
            for ((from, to), places) in &self.arrows {
                if cycle.contains(from) && cycle.contains(to) {
                    faults.push(format!("  {}: `{from}` uses `{to}`", places[0]));
                }
            }
        }
        faults
    }

    /// Strongly connected components of more than one module.
    fn cycles(&self) -> BTreeSet<BTreeSet<String>> {
        let component = |module: &String| -> BTreeSet<String> {
            let reached = self.reached(module);
            let back = reached
                .iter()
                .filter(|to| self.reached(to).contains(module));
            back.cloned().collect()
        };
        let all = self.modules.iter().map(component);
        all.filter(|component| component.len() > 1).collect()
    }

    /// The modules that arrows lead to from a module.
    fn reached(&self, module: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![module.to_owned()];
        while let Some(next) = open.pop() {
            for (from, to) in self.arrows.keys() {
                if *from == next && reached.insert(to.clone()) {
                    open.push(to.clone());
                }
            }
        }
        reached
    }
}

/// A path that is used, from its first segment.
struct Used {
    segments: Vec<String>,
    line: usize,
}

/// The paths that start at a token: several where it ends in a group.
fn paths(tokens: &[Token], at: usize) -> Vec<Used> {
    let mut all = Vec::new();
    group(tokens, at, &[], &mut all);
    all
}

/// Reads one path and returns the place behind it.
fn group(tokens: &[Token], mut at: usize, before: &[String], all: &mut Vec<Used>) -> usize {
    let mut segments = before.to_vec();
    let line = tokens.get(at).map_or(0, |token| token.line);
    while let Some(token) = tokens.get(at) {
        if token.is("{") {
            at += 1;
            while tokens.get(at).is_some_and(|token| !token.is("}")) {
                at = group(tokens, at, &segments, all);
                // `as name` and the comma.
                while tokens
                    .get(at)
                    .is_some_and(|token| !token.is(",") && !token.is("}"))
                {
                    at += 1;
                }
                if tokens.get(at).is_some_and(|token| token.is(",")) {
                    at += 1;
                }
            }
            return at + 1;
        }
        segments.push(token.text.clone());
        at += 1;
        if !tokens.get(at).is_some_and(|token| token.is("::")) {
            break;
        }
        at += 1;
    }
    all.push(Used { segments, line });
    at
}

/// A made-up crate: its modules with their sources.
fn made_up(files: &[(&str, &str)]) -> Crate {
    let root = "mod high; mod low; mod middle; pub use high::{High, Other as Another};";
    let root = [("lib.rs", root)];
    let sources: Vec<_> = files
        .iter()
        .chain(&root)
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    Crate::read(&sources)
}

fn faults(files: &[(&str, &str)]) -> Vec<String> {
    made_up(files).faults(&["low", "middle", "high"])
}

#[test]
fn downward_arrows_are_allowed() {
    let none: [String; 0] = [];
    let files = [
        ("high.rs", "use crate::{low::Low, middle};"),
        (
            "high/part.rs",
            "use super::{thing, super::low::Low}; fn f() { crate::middle::g(); }",
        ),
        (
            "middle.rs",
            "pub(in crate::middle) fn g(low: &crate::low::Low) {}",
        ),
        (
            "low/part.rs",
            "use super::Thing; pub(crate) use crate::low::other;",
        ),
    ];
    assert_eq!(faults(&files), none);
    assert_eq!(made_up(&files).arrows.len(), 3);
}

#[test]
fn an_upward_arrow_is_named_with_its_file_and_line() {
    for (path, text, wanted) in [
        (
            "low.rs",
            "\nuse crate::high::High;",
            "src/low.rs:2: crate::high::High",
        ),
        (
            "low.rs",
            "use super::{\n  middle::{self, M},\n};",
            "src/low.rs:2: super::middle::self",
        ),
        (
            "low/part.rs",
            "fn f() {\n\n super::super::middle::g() }",
            "src/low/part.rs:3: super::super::middle::g",
        ),
        (
            "low.rs",
            "macro_rules! m { () => { $crate::high::g() } }",
            "src/low.rs:1: crate::high::g",
        ),
        ("low.rs", "use crate::High;", "src/low.rs:1: crate::High"),
        (
            "low.rs",
            "fn f<'a>(x: &'a str) -> char { crate::high::g(x, '\"', b'\\'', r#\"\"\"#) }",
            "src/low.rs:1: crate::high::g",
        ),
    ] {
        let found = faults(&[(path, text)]);
        assert!(
            found.iter().any(|fault| fault.starts_with(wanted)),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn comments_texts_and_tests_do_not_count() {
    let none: [String; 0] = [];
    let text = r##"
        //! [`crate::high`]
        /// See [`Engine`](crate::high::Engine).
        // use crate::high;
        /* use crate::high; /* use crate::high; */ use crate::high; */
        #[doc = concat!("crate::high::", r#"" crate::high::x"#)]
        fn f() -> char { '"' }
        #[cfg(test)]
        use crate::high::High;
        #[cfg(test)]
        #[path = "low_tests.rs"]
        mod tests;
        #[cfg(test)]
        fn g() -> [u8; 2] { let x = { crate::high::h(); 1 }; [x, 2] }
        #[cfg(test)]
        const ALL: &[u8; 1] = &[crate::high::ONE];
    "##;
    assert_eq!(faults(&[("low.rs", text)]), none);
    let behind = format!("{text} fn h() {{ crate::high::h() }}");
    assert_eq!(faults(&[("low.rs", &behind)]).len(), 1);
}

#[test]
fn modules_that_use_each_other_are_named() {
    let files = [
        ("middle.rs", "use crate::low::Low;"),
        ("low.rs", "use crate::middle::Middle;"),
    ];
    // Whatever the order, one of the two arrows leads up.
    let crate_of_two = made_up(&files);
    assert_eq!(crate_of_two.cycles().len(), 1);
    let found = crate_of_two.faults(&["low", "middle", "high"]);
    assert_eq!(
        found,
        [
            "src/low.rs:1: crate::middle::Middle: `low` is below `middle`",
            "`low`, `middle` use each other:",
            "  src/low.rs:1: crate::middle::Middle: `low` uses `middle`",
            "  src/middle.rs:1: crate::low::Low: `middle` uses `low`",
        ]
    );
}

#[test]
fn a_path_or_a_module_that_is_not_known_is_a_fault() {
    let found = faults(&[("low.rs", "use crate::gone::Thing;")]);
    assert_eq!(
        found,
        ["src/low.rs:1: crate::gone::Thing leads to no module"]
    );
    let found = made_up(&[]).faults(&["low", "high"]);
    assert_eq!(found, ["`middle` is not in the list of layers"]);
}
