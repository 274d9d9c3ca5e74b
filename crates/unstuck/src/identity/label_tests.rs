use super::*;

#[test]
fn a_line_is_one_line_and_hides_nothing() {
    let text = "a\n\tb\u{1b}[31mred\u{202e}evil\u{200b}x";
    assert_eq!(&*one_line(text), "a b [31mred evil x");
    assert_eq!(&*one_line("  \u{feff}lead"), "lead");
}

#[test]
fn a_line_is_short() {
    let line = one_line(&"é".repeat(500));
    assert!(line.ends_with('…') && line.len() <= LONGEST + 4, "{line}");
}

#[test]
fn a_long_name_is_cut_between_characters() {
    assert_eq!(bounded_tool(&"é".repeat(500)).len(), 256);
    assert_eq!(&*bounded_tool("short"), "short");
}
