use super::*;

#[test]
fn a_string_loses_its_quotes_and_escapes_even_where_it_is_cut_off() {
    assert_eq!(readable(r#""a\n\"b\" \u0007c""#), "a\n\"b\" \u{7}c");
    assert_eq!(readable(r#""cut \u00"#), "cut \0");
    assert_eq!(readable(r#""cut\"#), "cut");
    assert_eq!(readable(r#"{"a":1}"#), r#"{"a":1}"#);
}

#[test]
fn a_text_becomes_one_line_of_limited_length() {
    assert_eq!(shorten(" a\n\n b\tc ", 10), "a b c");
    assert_eq!(shorten("äöü äöü", 5), "äöü ä…");
    assert_eq!(cut("one\ntwo", 5), "one\nt…");
    assert_eq!(cut("one", 3), "one");
}
