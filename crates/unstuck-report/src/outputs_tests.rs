use std::{collections::BTreeSet, fs, path::Path};

use super::*;

#[test]
fn names_and_endings_belong_to_one_output_each() {
    let names: BTreeSet<_> = OUTPUTS.iter().map(|output| output.name).collect();
    assert_eq!(names.len(), OUTPUTS.len());
    let endings: Vec<_> = OUTPUTS.iter().flat_map(|output| output.endings).collect();
    let different: BTreeSet<_> = endings.iter().collect();
    assert_eq!(different.len(), endings.len());
}

#[test]
fn every_output_renders_an_empty_report_and_is_found_by_its_name() {
    for output in OUTPUTS {
        assert_eq!(Output::named(output.name()), Some(*output));
        let text = output.render(&Report::default(), &RenderOptions::default());
        match output.kind() {
            OutputKind::Tables => assert!(text.is_err()),
            _ => assert!(!text.unwrap().is_empty(), "{}", output.name()),
        }
        assert!(output.help().split(' ').count() > 2, "{}", output.help());
    }
}

#[test]
fn the_longest_ending_decides() {
    assert_eq!(Output::ending("loops.sarif.json"), Some("sarif.json"));
    assert_eq!(Output::ending("LOOPS.JSON"), Some("json"));
    assert_eq!(Output::ending("json"), None);
    assert_eq!(Output::ending("loops.txt"), None);
    let of = |ending| Output::of_ending(ending).map(Output::name);
    assert_eq!(of("json"), Some("json"));
    assert_eq!(of("sarif.json"), Some("sarif"));
    let sarif = Output::named("sarif").unwrap();
    assert!(sarif.fits("json") && sarif.fits("sarif") && !sarif.fits("xml"));
}

/// Names of outputs that are not words of the language or parts of other formats.
const DISTINCT: [&str; 3] = ["sarif", "junit", "markdown"];

#[test]
fn nothing_else_lists_the_outputs() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in DISTINCT {
        assert!(Output::named(name).is_some());
    }
    let mut lists = Vec::new();
    for owner in fs::read_dir(crates).unwrap() {
        sources(&owner.unwrap().path().join("src"), &mut |path, text| {
            // The file of an output may name others: a SARIF rule has its help as Markdown.
            if path
                .parent()
                .is_some_and(|parent| parent.ends_with("outputs"))
            {
                return;
            }
            let text = text.to_lowercase();
            let named = DISTINCT.iter().filter(|name| text.contains(*name));
            if named.count() > 1 {
                lists.push(path.strip_prefix(crates).unwrap().to_owned());
            }
        });
    }
    let registry = Path::new("unstuck-report/src/outputs.rs");
    assert_eq!(lists, [registry]);
}

/// Gives every source file that is not a test.
fn sources(directory: &Path, each: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_source = path.extension().is_some_and(|ending| ending == "rs");
        if path.is_dir() {
            sources(&path, each);
        } else if is_source && !stem.ends_with("_tests") {
            each(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}
