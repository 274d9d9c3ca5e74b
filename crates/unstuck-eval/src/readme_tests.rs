use super::*;

#[test]
fn the_table_is_replaced_and_the_rest_is_kept() {
    let text = format!("# A\n\n{START}\nold\n{END}\n\nmore\n");
    let written = readme(&text, "ours", &BTreeMap::new(), &[]).unwrap();
    assert!(written.starts_with(&format!("# A\n\n{START}\n\n|  | ours |\n")));
    assert!(
        written.ends_with(&format!("| -; - |\n\n{END}\n\nmore\n")),
        "{written}"
    );
    assert!(!written.contains("old"));
    let again = readme(&written, "ours", &BTreeMap::new(), &[]).unwrap();
    assert_eq!(again, written);
    assert!(readme("# A\n", "ours", &BTreeMap::new(), &[]).is_err());
}
