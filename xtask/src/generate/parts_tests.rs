use super::*;

fn parts() -> Parts {
    Parts::from([("table".to_owned(), "| new |\n".to_owned())])
}

#[test]
fn what_stands_between_the_markers_is_replaced() {
    let document = "# A\n<!-- generated: table -->\n| old |\n| older |\n<!-- end: table -->\nB\n";
    let mut used = Vec::new();
    let filled = fill(document, &parts(), &mut used).unwrap();
    assert_eq!(
        filled,
        "# A\n<!-- generated: table -->\n\n| new |\n\n<!-- end: table -->\nB\n"
    );
    assert_eq!(used, ["table"]);
    assert_eq!(fill(&filled, &parts(), &mut used).unwrap(), filled);
}

#[test]
fn unknown_parts_and_missing_ends_are_errors() {
    let mut used = Vec::new();
    for (document, error) in [
        (
            "<!-- generated: other -->\n<!-- end: other -->\n",
            "no part",
        ),
        ("<!-- generated: table -->\n| old |\n", "has no end"),
    ] {
        let said = fill(document, &parts(), &mut used).unwrap_err();
        assert!(said.to_string().contains(error), "{said}");
    }
}
