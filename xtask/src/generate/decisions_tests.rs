use super::*;

#[test]
fn a_record_is_a_row_with_its_status() {
    assert_eq!(
        row("0007-a.md", "# 0007. A title\n\nStatus: Accepted\n").unwrap(),
        "| [0007](0007-a.md) | A title | Accepted |\n"
    );
    let partly = "Partly superseded by [0009](0009-b.md): one thing; by [0010](0010-c.md): another";
    assert!(row("0007-a.md", &format!("# 0007. A\n\nStatus: {partly}\n")).is_ok());
}

#[test]
fn records_in_another_form_are_refused() {
    for (text, error) in [
        ("# 7. A title\n\nStatus: Accepted\n", "first line"),
        ("# 0007. A title\n\n## Context\n", "third line"),
        ("# 0007. A title\n\nStatus: in force\n", "neither"),
        (
            "# 0007. A\n\nStatus: Partly superseded by [0009](0009-b.md)\n",
            "does not say what",
        ),
    ] {
        let said = row("0007-a.md", text).unwrap_err();
        assert!(said.to_string().contains(error), "{said}");
    }
}
