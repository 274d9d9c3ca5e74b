use super::*;

fn adapter(name: &str) -> Adapter {
    Adapter {
        name: name.to_owned(),
        framework: name.to_uppercase(),
        module: format!("unstuck.adapters.{name}"),
        packages: vec![format!("{name}==1.2.3")],
    }
}

#[test]
fn rows_that_are_not_run_again_stay() {
    let adapters = [adapter("one"), adapter("two"), adapter("three")];
    let mut table = Table::parse("");
    table.set("Python", &adapters[0], &Shown::Passed(16));
    table.set("Node.js", &adapters[0], &Shown::Passed(7));
    table.set(
        "Python",
        &adapters[1],
        &Shown::NotInstalled("no wheel".to_owned()),
    );
    let languages: [(&str, &[Adapter]); 2] = [("Python", &adapters), ("Node.js", &adapters[..1])];
    let page = table.page(&languages);
    assert!(
        page.contains(
            "| ONE | `unstuck.adapters.one` | `one==1.2.3` | 16 |\n\
             | TWO | `unstuck.adapters.two` | `two==1.2.3` | none: no wheel |\n\
             | THREE | `unstuck.adapters.three` |  | not run yet |\n\n## Node.js\n"
        ),
        "{page}"
    );
    assert!(page.ends_with("| ONE | `unstuck.adapters.one` | `one==1.2.3` | 7 |\n"));
    assert_eq!(Table::parse(&page).page(&languages), page);
}
